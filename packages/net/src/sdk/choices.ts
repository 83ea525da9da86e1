import { type Arms, ConfigError, check, type Policy, type Random } from "@coterie/core";
import type { PeerHost } from "../host/host.ts";
import type { Clock } from "./clock.ts";
import { type Explained, type Picture, pictureOf } from "./explain.ts";
import { explore, propensitiesOf } from "./explore.ts";
import { type ChoiceId, choiceId, chosen, type Ledger, type Pending, type Settled, settled } from "./ledger.ts";
import type { DecisionLog, Shown } from "./log.ts";
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
  readonly log: DecisionLog;
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

/** A choice of the app's that waits for its reward. */
export interface Watching {
  readonly id: ChoiceId;
  readonly would: number;
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

  decide(arms: Arms, shown: Shown): Decision {
    return this.#decide(arms, shown);
  }

  /** The best `most`, then the best of the rest, and so on. With a floor, each place is drawn for itself. */
  decideTop(arms: Arms, most: number, shown: Shown): Decision[] {
    const { dimension } = this.#config.host.peer.config;
    const values = arms.values.slice(0, arms.count * dimension);
    const left = Array.from({ length: arms.count }, (_, index) => index);
    const decisions: Decision[] = [];
    while (decisions.length < most && left.length > 0) {
      const decision = this.#decide({ count: left.length, values }, shown, left, decisions[0]?.id);
      const at = left.indexOf(decision.index);
      left.splice(at, 1);
      values.copyWithin(at * dimension, (at + 1) * dimension, (left.length + 1) * dimension);
      decisions.push(decision);
    }
    return decisions;
  }

  /** What the app chose, to be rewarded later, and what this peer would have chosen. */
  watch(arms: Arms, chosen: number, propensities: readonly number[] | null, shown: Shown): Watching {
    const { host, log, clock } = this.#config;
    const would = host.choose(arms, this.#draws);
    const { id } = this.#await(this.#armOf(arms, chosen));
    if (log.active) log.chose({ ...shown, id, at: clock.now(), arms, chosen, propensities, would });
    return { id, would };
  }

  /** `places` maps the arms' places to those of the caller's items. */
  #decide(arms: Arms, shown: Shown, places?: readonly number[], slate?: ChoiceId): Decision {
    const { host, floor, clock, policy, log } = this.#config;
    const best = host.choose(arms, this.#draws);
    const pick = explore(best, arms.count, floor, policy, this.#draws);
    const { arm: at, propensity, explored } = pick;
    const arm = this.#armOf(arms, at);
    const { id } = this.#await(arm);
    if (log.active) {
      const propensities = propensitiesOf(pick, arms.count, floor, policy);
      log.chose({ ...shown, id, at: clock.now(), arms, places, chosen: at, propensities, slate });
    }
    const { learner, round } = host.peer;
    // One arm's now is cheap; a copy of all it comes from, to tell it later, is not.
    const spread = learner.view.spread?.(arm, 0, round) ?? null;
    return { id, index: places?.[at] ?? at, propensity, explored, arm, spread, picture: this.#look() };
  }

  #armOf(arms: Arms, at: number): Float64Array {
    const { dimension } = this.#config.host.peer.config;
    return arms.values.slice(at * dimension, (at + 1) * dimension);
  }

  /** From now on this arm waits for a reward. */
  #await(arm: Float64Array): Pending {
    const { ledger, rewards, clock } = this.#config;
    const pending: Pending = { id: this.#newId(), arm, due: clock.now() + rewards.timeoutMs };
    ledger.add(pending);
    this.#unsaved.push(pending);
    if (this.#unsaved.length === 1) NOW.then(() => this.flush());
    return pending;
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
    const { host, ledger, rewards, log, clock } = this.#config;
    this.flush();
    ledger.settle(id, how);
    const record = [settled(id, how)];
    const written = value === null ? host.note(record) : host.observe(arm, rewards.learnt(value), record);
    this.#settling.set(id, written);
    await written;
    this.#settling.delete(id);
    // After the disk: a log never tells of a reward that a crash can undo.
    log.settled(id, how, value, clock.now());
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
