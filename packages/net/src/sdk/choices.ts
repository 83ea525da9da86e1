import { type Arms, ConfigError, check, type Policy, type Random } from "@coterie/core";
import type { PeerHost } from "../host/host.ts";
import type { Clock } from "./clock.ts";
import { type Explained, type Picture, pictureOf } from "./explain.ts";
import { explore } from "./explore.ts";
import { type ChoiceId, choiceId, chosen, type Ledger, type Pending, type Settled, settled } from "./ledger.ts";
import type { Rewards } from "./rewards.ts";

/** What became of a reward. */
export type RewardAnswer =
  /** Taken in, and it survives a crash. */
  | "learned"
  /** The choice was rewarded before: nothing has changed. */
  | "duplicate"
  /** It came too late: the fallback was learnt instead, if there is one. */
  | "expired"
  /** No such choice: one lost in a crash before it was written down, or one long done with. */
  | "unknown";

export interface ChoicesConfig {
  readonly host: PeerHost;
  readonly ledger: Ledger;
  readonly policy: Policy;
  readonly rewards: Rewards;
  readonly floor: number;
  readonly clock: Clock;
  readonly random: Random;
  /** How many members are in the neighbourhood. */
  readonly neighbours: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** A choice as numbers. */
export interface Decision extends Explained {
  readonly id: ChoiceId;
  readonly index: number;
  readonly propensity: number | null;
}

const NOW = Promise.resolve();

/** Choosing, and what follows: a choice is made at once, written down right after, and paid or given up once. */
export class Choices {
  readonly #config: ChoicesConfig;
  readonly #draws: Random;
  readonly #names: Random;
  /** Made but not yet handed to the store. */
  #unsaved: Pending[] = [];
  /** Rewards on their way to the disk. One that failed stays: whoever asks again is told so. */
  readonly #settling = new Map<ChoiceId, Promise<void>>();
  #picture: Picture | null = null;
  #pictured = -1;

  constructor(config: ChoicesConfig) {
    this.#config = config;
    this.#draws = config.random.fork("choices");
    this.#names = config.random.fork("names");
  }

  /** `shown` maps the arms' places to those of the caller's items. */
  decide(arms: Arms, shown?: readonly number[]): Decision {
    const { host, ledger, rewards, floor, clock, policy } = this.#config;
    const best = host.choose(arms, this.#draws);
    const { arm: at, propensity, explored } = explore(best, arms.count, floor, policy, this.#draws);
    const { dimension } = host.peer.config;
    const arm = arms.values.slice(at * dimension, (at + 1) * dimension);
    const pending: Pending = { id: this.#newId(), arm, due: clock.now() + rewards.timeoutMs };
    ledger.add(pending);
    this.#unsaved.push(pending);
    if (this.#unsaved.length === 1) NOW.then(() => this.flush());
    const { learner, round } = host.peer;
    // One arm's now is cheap; a copy of all it comes from, to tell it later, is not.
    const spread = learner.view.spread?.(arm, 0, round) ?? null;
    return { id: pending.id, index: shown?.[at] ?? at, propensity, explored, arm, spread, picture: this.#look() };
  }

  /** The best `most`, then the best of the rest, and so on. With a floor, each place is drawn for itself. */
  decideTop(arms: Arms, most: number): Decision[] {
    const { dimension } = this.#config.host.peer.config;
    const values = arms.values.slice(0, arms.count * dimension);
    const left = Array.from({ length: arms.count }, (_, index) => index);
    const decisions: Decision[] = [];
    while (decisions.length < most && left.length > 0) {
      const decision = this.decide({ count: left.length, values }, left);
      const at = left.indexOf(decision.index);
      left.splice(at, 1);
      values.copyWithin(at * dimension, (at + 1) * dimension, (left.length + 1) * dimension);
      decisions.push(decision);
    }
    return decisions;
  }

  async reward(id: ChoiceId, value: number): Promise<RewardAnswer> {
    const { ledger, rewards, clock } = this.#config;
    check.text("id", id);
    rewards.check("reward", value);
    const pending = ledger.pending.get(id);
    if (pending !== undefined && pending.due > clock.now()) {
      await this.#settle(pending, "rewarded", value);
      return "learned";
    }
    if (pending !== undefined) await this.#expire(pending);
    const how = ledger.settled.get(id);
    // An answer must not be ahead of the disk, not even that somebody else was first.
    await this.#settling.get(id);
    return how === undefined ? "unknown" : how === "rewarded" ? "duplicate" : "expired";
  }

  /** Gives up on choices that have waited long enough. */
  async expire(): Promise<void> {
    const { ledger, clock } = this.#config;
    const due = ledger.due(clock.now());
    if (due.length > 0) await Promise.all(due.map((pending) => this.#expire(pending)));
  }

  /** Hands new choices to the store: before anything that builds on them, and soon in any case. */
  flush(): void {
    if (this.#unsaved.length === 0) return;
    const entries = this.#unsaved.map(chosen);
    this.#unsaved = [];
    const { host, ledger, onFailure } = this.#config;
    host.note(entries).catch(onFailure);
    if (ledger.overfull) this.expire().catch(onFailure);
  }

  #expire(pending: Pending): Promise<void> {
    return this.#settle(pending, "expired", this.#config.rewards.fallback);
  }

  /** In memory at once, so that nothing can be paid twice; on the disk in one piece with what is learnt. */
  async #settle({ id, arm }: Pending, how: Settled, value: number | null): Promise<void> {
    const { host, ledger, rewards } = this.#config;
    this.flush();
    ledger.settle(id, how);
    const record = [settled(id, how)];
    const written = value === null ? host.note(record) : host.observe(arm, rewards.learnt(value), record);
    this.#settling.set(id, written);
    await written;
    this.#settling.delete(id);
  }

  #look(): Picture {
    const { host, neighbours, policy } = this.#config;
    if (this.#picture === null || this.#pictured !== host.changes) {
      this.#picture = pictureOf(policy, host.peer.learner.view, neighbours());
      this.#pictured = host.changes;
    }
    return this.#picture;
  }

  #newId(): ChoiceId {
    for (let tries = 0; tries < 100; tries++) {
      const id = choiceId(this.#names.uint32(), this.#names.uint32());
      if (!this.#config.ledger.knows(id)) return id;
    }
    throw new ConfigError("seed", "a stream used before", "be another one at each start");
  }
}
