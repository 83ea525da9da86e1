import { ConfigError, check, type Random } from "@coterie/core";
import type { Warning } from "../features/warnings.ts";
import { SettledBefore } from "../host/asking.ts";
import type { PeerHost } from "../host/host.ts";
import type { Entry } from "../store/store.ts";
import {
  type ChoiceId,
  choiceId,
  chosen,
  closed,
  type Pending,
  type Settled,
  settled,
  shown,
} from "./choiceEntries.ts";
import type { Clock } from "./clock.ts";
import type { Ledger } from "./ledger.ts";
import type { DecisionLog } from "./log.ts";
import { OneSided } from "./oneSided.ts";
import type { Rewards } from "./rewards.ts";

/** What became of a reward. */
export type RewardAnswer =
  /** Taken in, and it survives a crash. */
  | "learned"
  /** The choice was rewarded before: nothing has changed. */
  | "duplicate"
  /** It came too late: the fallback was learnt instead, if there is one. */
  | "expired"
  /** Nobody had seen it, as the app said or its time told: nothing was learnt. */
  | "cancelled"
  /** More choices waited than are kept (`reward.pending`), and this was among the oldest: nothing was learnt. */
  | "dropped"
  /** No such choice: one lost in a crash before it was written down, or one long done with. */
  | "unknown";

export interface SettlingConfig {
  readonly host: PeerHost;
  readonly ledger: Ledger;
  readonly rewards: Rewards;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: DecisionLog;
  /** Choices had to go because more wait than are kept. */
  readonly onDropped: (count: number) => void;
  readonly onWarning: (warning: Warning) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Where a choice stands in a list. */
export interface Listed {
  /** The first choice of the list; undefined for that one itself. */
  readonly slate: ChoiceId | undefined;
  /** Its place in a slate that nobody has seen yet; null where it is in none. */
  readonly place: number | null;
}

const ALONE: Listed = { slate: undefined, place: null };

const NOW = Promise.resolve();

/** Entries that are handed to the store at once: it takes 4,096, and 64 MiB. */
const BATCH = 1024;

const ANSWERS: Readonly<Record<Settled, RewardAnswer>> = {
  rewarded: "duplicate",
  expired: "expired",
  cancelled: "cancelled",
  dropped: "dropped",
};

/** What follows a choice: it is written down right after it was made, and paid or given up once. */
export class Settling {
  readonly #config: SettlingConfig;
  readonly #names: Random;
  /** Of choices made or shown, not yet handed to the store. */
  #unsaved: Entry[] = [];
  /** Rewards on their way to the disk. One that failed stays: whoever asks again is told so. */
  readonly #settling = new Map<ChoiceId, Promise<boolean>>();
  readonly #oneSided = new OneSided();
  /** Ends when the choices handed to the store last have reached it. */
  #noted: Promise<void> = NOW;

  constructor(config: SettlingConfig) {
    this.#config = config;
    this.#names = config.random.fork("names");
  }

  /** From now on this arm waits for a reward. Says until when it may be paid, at the latest. */
  await(arm: Float64Array, { slate, place }: Listed = ALONE): { readonly id: ChoiceId; readonly expires: number } {
    const { ledger, rewards, clock } = this.#config;
    const id = this.#newId();
    const unseen = place === null ? undefined : { slate: slate ?? id, place, closed: false };
    const pending: Pending = { id, arm, due: clock.now() + rewards.timeoutMs, unseen };
    ledger.add(pending);
    this.#save(chosen(pending));
    return { id, expires: unseen === undefined ? pending.due : pending.due + rewards.timeoutMs };
  }

  /** Soon on the disk, with whatever else happens in this turn; at once where that is much. */
  #save(entry: Entry): void {
    this.#unsaved.push(entry);
    if (this.#unsaved.length === 1) NOW.then(() => this.flush());
    if (this.#unsaved.length >= BATCH) this.flush();
  }

  /** The first `places` of a slate were seen, at the time `taken`. */
  shown(slate: ChoiceId, places: number, taken = this.#config.clock.now()): void {
    const { ledger, rewards } = this.#config;
    const due = taken + rewards.timeoutMs;
    for (const { id, unseen, due: end } of ledger.unseen(slate)) {
      if (unseen!.place >= places || (unseen!.closed && end <= taken)) continue;
      ledger.show(id, due);
      this.#save(shown(id, due));
    }
  }

  /** What nobody has seen of a slate by the time `taken` never will be. */
  cancel(slate: ChoiceId, taken = this.#config.clock.now()): Promise<void> {
    const { ledger, rewards } = this.#config;
    if (rewards.deliveryMs === 0) return this.#end(ledger.unseen(slate), "cancelled");
    // Other workers may have heard of looks and rewards before; their reports need not come first.
    for (const { id, unseen } of ledger.unseen(slate)) {
      if (unseen!.closed) continue;
      ledger.close(id, taken);
      this.#save(closed(id, taken));
    }
    return this.saved();
  }

  /** `taken`: when the app said so, to this peer or to another worker. */
  async reward(id: ChoiceId, value: number, taken = this.#config.clock.now()): Promise<RewardAnswer> {
    const { ledger, rewards } = this.#config;
    check.text("id", id);
    rewards.check("reward", value);
    // Where too many wait this one may be dropped right now.
    this.flush();
    const pending = ledger.pending.get(id);
    if (pending !== undefined && pending.due > taken) {
      // Unless another tab that shares the store was first.
      if (await this.#settle(pending, "rewarded", value)) return "learned";
    } else if (pending !== undefined) {
      // Another worker may have a reward that came in time.
      if (!this.#isOver(pending)) return pending.unseen?.closed === true ? "cancelled" : "expired";
      await this.#expire([pending]);
    }
    const how = ledger.settled.get(id);
    // An answer must not be ahead of the disk, not even that somebody else was first.
    await this.#settling.get(id);
    return how === undefined ? "unknown" : ANSWERS[how];
  }

  /** Names a request to the tab that owns a shared store, so that it counts once; empty where this one owns it. */
  request(): Entry[] {
    return this.#config.host.follows ? [settled(this.#newId(), "rewarded")] : [];
  }

  /** Gives up on choices that have waited long enough. */
  async expire(): Promise<void> {
    const { ledger, rewards, clock } = this.#config;
    const late = ledger.due(clock.now() - rewards.deliveryMs);
    for (let k = 0; k < late.length; k += BATCH) await this.#expire(late.slice(k, k + BATCH));
  }

  /** Nothing said of it can still be on its way. */
  #isOver({ due }: Pending): boolean {
    const { rewards, clock } = this.#config;
    return due + rewards.deliveryMs <= clock.now();
  }

  /** When it resolves, all choices made so far survive a crash. */
  saved(): Promise<void> {
    this.flush();
    return this.#noted;
  }

  /** Hands new choices to the store: before anything that builds on them, and soon in any case. */
  flush(): void {
    if (this.#unsaved.length === 0) return;
    const entries = this.#unsaved;
    this.#unsaved = [];
    const { host, onFailure } = this.#config;
    this.#noted = host.note(entries);
    this.#noted.catch(onFailure);
    this.#drop();
  }

  /** More wait than are kept: the oldest go. They teach nothing, for nobody knows what they were worth. */
  #drop(): void {
    const { ledger, onDropped, onFailure } = this.#config;
    const excess = ledger.excess();
    if (excess.length === 0) return;
    this.#end(excess, "dropped").catch(onFailure);
    onDropped(excess.length);
  }

  /** What nobody has seen, or for what there is no fallback, teaches nothing. */
  async #expire(late: readonly Pending[]): Promise<void> {
    const { fallback } = this.#config.rewards;
    const seen = late.filter(({ unseen }) => unseen === undefined);
    const unseen = late.filter((pending) => pending.unseen !== undefined);
    const ended: Promise<unknown>[] = [this.#end(unseen, "cancelled")];
    if (fallback === null) ended.push(this.#end(seen, "expired"));
    else ended.push(...seen.map((pending) => this.#settle(pending, "expired", fallback)));
    await Promise.all(ended);
  }

  /** Ends choices from which nothing is learnt. */
  async #end(all: readonly Pending[], how: Settled): Promise<void> {
    const { host, ledger, log, clock } = this.#config;
    this.flush();
    for (let k = 0; k < all.length; k += BATCH) {
      const some = all.slice(k, k + BATCH).filter(({ id }) => ledger.pending.has(id));
      for (const { id } of some) ledger.settle(id, how);
      if (some.length === 0) continue;
      const first = await this.#written(some, host.note(some.map(({ id }) => settled(id, how))));
      if (first) for (const { id } of some) log.settled(id, how, null, clock.now());
    }
  }

  /**
   * In memory at once, so that nothing can be paid twice; on the disk in one piece with what is learnt. False where it was
   * settled before.
   */
  async #settle(pending: Pending, how: Settled, value: number): Promise<boolean> {
    const { host, ledger, rewards, log, clock, onWarning } = this.#config;
    const { id, arm, due } = pending;
    this.flush();
    ledger.settle(id, how);
    const warning = this.#oneSided.learnt(value, rewards.fallback, ledger.pending.values());
    if (warning !== null) onWarning(warning);
    const retold = host.lostAt !== null && due - rewards.timeoutMs <= host.lostAt;
    const written = host.observe(arm, rewards.learnt(value), [settled(id, how)], retold);
    const first = await this.#written([pending], written);
    // After the disk: a log never tells of a reward that a crash can undo.
    if (first) log.settled(id, how, value, clock.now());
    return first;
  }

  /** Another tab that shares the store was first: then that counts. */
  #elsewhere(all: readonly Pending[], error: unknown): false {
    if (!(error instanceof SettledBefore)) throw error;
    for (const { id } of all) this.#config.ledger.settle(id, error.how as Settled);
    return false;
  }

  /** Until it is on the disk, whoever asks for these choices waits for it. False where they were settled before. */
  async #written(all: readonly Pending[], written: Promise<void>): Promise<boolean> {
    const here = written.then(
      () => true,
      (error: unknown) => this.#elsewhere(all, error),
    );
    for (const { id } of all) this.#settling.set(id, here);
    const first = await here;
    for (const { id } of all) this.#settling.delete(id);
    return first;
  }

  #newId(): ChoiceId {
    for (let tries = 0; tries < 100; tries++) {
      const id = choiceId(this.#names.uint32(), this.#names.uint32());
      if (!this.#config.ledger.knows(id)) return id;
    }
    throw new ConfigError("seed", "a stream used before", "differ at each start");
  }
}
