import { ConfigError, type PeerId } from "@coterie/core";
import type { ChoiceReport, ReportAnswer, ReportKind } from "../exchange/report.ts";
import type { PeerHost } from "../host/host.ts";
import { TokenError } from "../token/error.ts";
import { readToken, type Token, tokenKey, writeToken } from "../token/token.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import type { Clock } from "./clock.ts";
import type { Ledger } from "./ledger.ts";
import type { Rewards } from "./rewards.ts";
import type { RewardAnswer, Settling } from "./settling.ts";

/** What became of a report: the chooser's answer, or `queued` where that is another peer and will be told. */
export type TokenAnswer = RewardAnswer | "queued";

export interface ReportsConfig {
  readonly room: string;
  /** This peer's name in the room. */
  readonly self: () => PeerId;
  readonly host: PeerHost;
  readonly settling: Settling;
  readonly ledger: Ledger;
  readonly rewards: Rewards;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Choices that any worker of the app may speak of. A token names the choice and its chooser, whose store alone decides; a
 * worker that is another peer keeps the report in its own store until the chooser has answered.
 */
export class Reports {
  readonly #config: ReportsConfig;
  readonly #secret: Uint8Array | null;
  #cancel = (): void => {};
  #stopped = false;

  constructor(config: ReportsConfig) {
    const { room, host, clock, rewards, onFailure } = config;
    this.#config = config;
    this.#secret = rewards.secret === null ? null : tokenKey(new TextEncoder().encode(rewards.secret), room);
    host.driver.onReports = (reports) => Promise.all(reports.map((report) => this.#judge(report)));
    host.driver.onReportIn = (ms) => {
      this.#cancel();
      if (this.#stopped) return;
      this.#cancel = clock.after(ms, () => {
        host.driver.feed({ kind: "report-due", date: clock.now() }).catch(onFailure);
      });
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Names a choice of this peer to every worker. */
  token(id: ChoiceId, expires: number): string {
    return writeToken({ chooser: this.#config.self(), id, expires }, this.#key());
  }

  /** What the app says of a choice, whoever made it. On the disk when the promise resolves. */
  async take(kind: ReportKind, text: string, value: number): Promise<ReportAnswer | "queued"> {
    const { host, clock, rewards } = this.#config;
    const token = this.#read(text);
    const taken = clock.now();
    if (this.#isOwn(token)) return this.#apply(kind, token.id, value, taken);
    if (token.expires <= taken) return "expired";
    const until = token.expires + rewards.deliveryMs;
    await host.report({ kind, token: text, value, taken, chooser: token.chooser, until });
    return "queued";
  }

  /** A report of another worker. It was checked there; but that one may have another secret, or another range. */
  async #judge({ kind, token: text, value, taken }: ChoiceReport): Promise<ReportAnswer> {
    const { clock } = this.#config;
    try {
      const token = this.#read(text);
      if (!this.#isOwn(token)) return "unknown";
      // No clock can be trusted with the future.
      return await this.#apply(kind, token.id, value, Math.min(taken, clock.now()));
    } catch (error) {
      if (error instanceof TokenError) return "forged";
      if (error instanceof ConfigError) return "refused";
      throw error;
    }
  }

  async #apply(kind: ReportKind, id: ChoiceId, value: number, taken: number): Promise<ReportAnswer> {
    const { settling } = this.#config;
    if (kind === "reward") return settling.reward(id, value, taken);
    if (kind === "shown") {
      settling.shown(id, value, taken);
      await settling.saved();
    } else await settling.cancel(id, taken);
    return "noted";
  }

  #read(text: string): Token {
    const { token, isMadeWith } = readToken(text);
    if (isMadeWith(this.#key())) return token;
    if (this.#secret === null && token.chooser !== this.#config.self()) {
      throw new TokenError(
        "no-secret",
        "another peer made this token, and this one cannot check it: give all workers the same reward.secret",
      );
    }
    throw new TokenError("forged", "this token was altered, made up, or made with another reward.secret");
  }

  /** A state that was moved here brought its choices along. */
  #isOwn({ chooser, id }: Token): boolean {
    return chooser === this.#config.self() || this.#config.ledger.knows(id);
  }

  #key(): Uint8Array {
    const { host, room } = this.#config;
    return this.#secret ?? tokenKey(host.identity?.key ?? new Uint8Array(), room);
  }
}
