import type { PeerId } from "@coterie/core";
import { type PeerRecord, work } from "@coterie/core/internal";
import { type ChoiceReport, isOfReports, type ReportAnswer } from "../exchange/report.ts";
import { type Link, LinkError } from "../link/link.ts";
import { unlessAborted } from "../link/wait.ts";
import type { MeetingEffect, MeetingEvent, TickOutcome } from "../node/event.ts";
import { Node } from "../node/node.ts";
import type { Entry } from "../store/store.ts";
import type { HostConfig } from "./config.ts";
import type { HostState } from "./hostState.ts";
import { Keeper } from "./keeper.ts";

type Propose = Extract<MeetingEffect, { kind: "propose" }>;
type Reply = { readonly answer: Uint8Array } | { readonly error: unknown };

const DONE = Promise.resolve();

/**
 * Does for the peer's half of a node what takes a disk, a key or a link, and tells it what came of that. It writes down what must
 * survive before anybody relies on it. Decides nothing.
 */
export class MeetingDriver {
  readonly node: Node;
  readonly #config: HostConfig;
  readonly #state: HostState;
  keeper: Keeper;
  #link: Link | null = null;
  #calls = 0;
  readonly #replies = new Map<number, Reply>();
  /** What ends the waiting for an answer of the tick under way, and what the last one came to. */
  #signal: AbortSignal | undefined;
  #outcome: TickOutcome = null;
  /** When the next tick is to come; who listens has a clock. */
  onTickIn: (ms: number) => void = () => {};
  /** When others are to be told what waits for them. */
  onReportIn: (ms: number) => void = () => {};
  /** What becomes of reports of choices of this peer; who has the choices decides, and answers when that is on the disk. */
  onReports: (reports: readonly ChoiceReport[]) => Promise<ReportAnswer[]> = async (reports) =>
    reports.map(() => "unknown");

  constructor(config: HostConfig, state: HostState) {
    this.#config = config;
    this.#state = state;
    this.keeper = this.newKeeper();
    const { random, admits = () => true, onFailure } = config;
    this.node = new Node(
      { life: state.saved, config: { random, admits } },
      (effect) => this.#perform(effect),
      onFailure,
    );
  }

  /** One for the store as it is now. */
  newKeeper(): Keeper {
    const { store, snapshotEvery = 256 } = this.#config;
    return new Keeper(store, snapshotEvery, () => this.#state.snapshot());
  }

  /** Another state takes the place of this one. */
  adopt(): void {
    this.node.meetings!.adopt(this.#state.saved);
  }

  /** Talks over this link from now on. */
  attach(link: Link): void {
    this.#link = link;
    link.serve((from, message) => this.#answer(from, message));
  }

  async close(): Promise<void> {
    await this.#link?.close();
  }

  /** A tick, one at a time, and what came of it. */
  async turn(event: MeetingEvent, signal?: AbortSignal): Promise<TickOutcome> {
    this.#signal = signal;
    this.#outcome = null;
    await this.feed(event);
    return this.#outcome;
  }

  /** Something happens. Resolves when all that follows is done, and what was written down survives a crash, but for what others say again. */
  async feed(event: MeetingEvent): Promise<void> {
    this.keeper.requireWhole();
    await this.node.feed(event);
  }

  async #perform(effect: MeetingEffect): Promise<void> {
    switch (effect.kind) {
      case "write":
        this.keeper.requireWhole();
        if (effect.later) this.#write(effect.entries, true).catch(() => {});
        else await this.#write(effect.entries);
        if (effect.settled) await this.keeper.caughtUp();
        await this.node.perform(effect.then);
        return;
      case "propose":
        return this.feed(await this.#propose(effect, this.#signal));
      case "check":
        return this.feed({ kind: "checked", error: await this.#fault(effect.records) });
      case "seal": {
        const records = this.#state.seal === null ? effect.records : await this.#state.seal.outgoing(effect.records);
        return this.feed({ kind: "sealed", call: effect.call, records });
      }
      case "tell-reports": {
        const { to, message } = effect;
        const answer = (await this.#link?.request(to, message).catch(() => null)) ?? null;
        return this.feed({ kind: "report-answered", to, answer, date: this.#config.now?.() ?? 0 });
      }
      case "judge":
        return this.feed({ kind: "judged", call: effect.call, answers: await this.onReports(effect.reports) });
      case "report-in":
        this.onReportIn(effect.ms);
        return;
      case "reply":
      case "reject":
        this.#replies.set(effect.call, effect);
        return;
      case "tell":
        this.#config.onEvent?.(effect.event);
        return;
      case "ticked":
        this.#outcome = effect.outcome;
        return;
      case "next":
        if (effect.work) await this.work();
        return this.feed(effect.event);
      case "tick-in":
        this.onTickIn(effect.ms);
    }
  }

  /** Does what the peer has left undone, with pauses. */
  async work(): Promise<void> {
    while (work(this.#state.saved.peer)) await this.#config.pause?.();
  }

  #write(entries: readonly Entry[], later = false): Promise<void> {
    if (entries.length === 0) return DONE;
    this.#state.changed();
    return this.keeper.write(entries, later);
  }

  async #propose({ to, proposal, withinMs }: Propose, signal: AbortSignal | undefined): Promise<MeetingEvent> {
    try {
      if (this.#link === null) throw new LinkError(`no way to ${to}: no link yet`, true);
      // Not every link lets go when it is told to.
      const answer = await unlessAborted(this.#link.request(to, proposal, { signal, withinMs }), signal);
      return { kind: "replied", answer };
    } catch (error) {
      return { kind: "unanswered", unsent: error instanceof LinkError && error.unsent };
    }
  }

  async #answer(from: PeerId, message: Uint8Array): Promise<Uint8Array> {
    const call = this.#calls++;
    await this.feed(
      isOfReports(message)
        ? { kind: "reports", call, from, message }
        : { kind: "proposal", call, from, proposal: message },
    );
    const reply = this.#replies.get(call);
    this.#replies.delete(call);
    if (reply !== undefined && "answer" in reply) return reply.answer;
    throw reply?.error;
  }

  /** What is wrong with records that came; null where their origins signed them, or nothing is ever signed. */
  async #fault(records: readonly PeerRecord[]): Promise<unknown> {
    try {
      await this.#state.seal?.check(records);
      return null;
    } catch (error) {
      return error;
    }
  }
}
