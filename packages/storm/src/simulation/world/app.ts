import type { Random } from "@coterie/core";
import type { RewardAnswer } from "@coterie/net/internal";
import type { Device } from "./device.ts";
import { DIMENSION, PERIOD_MS } from "./device.ts";

const ARMS = 4;
/** The share of rewards that another device is told. */
const CARRIED = 0.1;

/** A reward that the app has to tell, and what it knows of it. */
export interface ToldReward {
  readonly id: string;
  readonly x: readonly number[];
  readonly value: number;
  /** Another device has it in its store, and takes it to the peer: this app looks whether it does. */
  carried: boolean;
  /** How often it was told; a peer may have learnt it from the first time on. */
  asked: number;
  /** How often the peer took it in, as far as the app knows: once, unless a damaged disk lost it and it was told again. */
  times: number;
  /** The start of the peer in which it was acknowledged, while nobody said `learned` yet. */
  duplicateIn: number | null;
  /** The peer acknowledged it, or the choice is lost or too old. */
  state: "open" | "learned" | "void";
}

/** What an app must never see. */
export type AppComplaint = (device: Device, what: string) => void;

/** The app on a device: shows items, tells rewards late, twice, and again after a crash, and believes what it is told. */
export class App {
  readonly told = new Map<string, ToldReward>();
  /** Choices and rewards are made; off while the storm looks around. */
  on = true;
  /** Acknowledged rewards that a damaged disk took along; the repair was reported. */
  lost = 0;
  /** Acknowledged rewards told again to a peer whose disk was damaged before: one that died before it answered may have learnt them once more. */
  readonly #unanswered = new Set<symbol>();
  /** Rewards that other devices were told, each with the device: it may still hold them, and tell the peer once more. */
  readonly #elsewhere = new Map<ToldReward, Device>();
  #waiting: ToldReward[] = [];
  #done: ToldReward[] = [];

  constructor(
    readonly device: Device,
    readonly theta: readonly number[],
    readonly invents: boolean,
    readonly random: Random,
    /** Another device that runs, to tell a reward to; null where there is none. */
    readonly carrier: () => Device | null,
    readonly complain: AppComplaint,
  ) {
    this.#next();
  }

  /** Rewards whose fate nobody knows yet. */
  get open(): number {
    return this.#waiting.length;
  }

  learned(): ToldReward[] {
    return [...this.told.values()].filter(({ state }) => state === "learned");
  }

  /** How many rewards the peer has taken in, those that damage took away again included. */
  get taken(): number {
    let sum = 0;
    for (const { times } of this.told.values()) sum += times;
    return sum;
  }

  /** Told before the choice was lost with a damaged disk. What the peer had learnt of them by then may come back with its record from the room. */
  get doubtful(): number {
    return [...this.told.values()].filter(({ state, asked }) => state === "void" && asked > 1).length;
  }

  /** How many acknowledged rewards the peer may have learnt once more, if a damaged disk had lost them, since this was last asked. */
  takeRetold(): number {
    const { peer } = this.device;
    let count = this.#unanswered.size;
    this.#unanswered.clear();
    for (const [told, by] of this.#elsewhere) {
      if (told.state === "learned") count += 1;
      if (peer !== null && by.peer?.host.queuesFor(peer.self) === false) this.#elsewhere.delete(told);
    }
    return count;
  }

  /** The peer is up again: whatever was not acknowledged is told again. */
  again(): void {
    for (const told of this.#waiting) if (!told.carried) this.#tellLater(told, 50 * this.random.uniform());
  }

  #next(): void {
    const { scheduler } = this.device.config;
    scheduler.after(PERIOD_MS * (0.7 + 0.6 * this.random.uniform()), () => {
      if (this.on) this.#choose();
      this.#next();
    });
  }

  #choose(): void {
    const { peer } = this.device;
    if (peer === null) return;
    const items = Array.from({ length: ARMS }, () => this.#item());
    try {
      const choice = peer.choose(items);
      if (this.random.uniform() < 0.05) return;
      const told: ToldReward = {
        id: choice.id,
        x: choice.item,
        value: this.#pay(choice.item),
        carried: false,
        asked: 0,
        times: 0,
        duplicateIn: null,
        state: "open",
      };
      this.told.set(told.id, told);
      this.#waiting.push(told);
      const slow = this.random.uniform() < 0.1 ? 5 * PERIOD_MS : 0.3 * PERIOD_MS;
      if (this.random.uniform() < CARRIED) {
        // It names the choice to other devices.
        const { token } = choice;
        this.device.config.scheduler.after(slow * this.random.uniform(), () => void this.#carry(told, token));
        return;
      }
      this.#tellLater(told, slow * this.random.uniform());
      if (this.random.uniform() < 0.1) this.#tellLater(told, PERIOD_MS * this.random.uniform());
      const old = this.#done[this.random.below(this.#done.length + 1)];
      if (old !== undefined && this.random.uniform() < 0.2) this.#tellLater(old, PERIOD_MS * this.random.uniform());
    } catch (error) {
      this.device.report(error);
    }
  }

  #item(): number[] {
    const item = Array.from({ length: DIMENSION }, () => this.random.normal());
    const length = Math.sqrt(item.reduce((sum, v) => sum + v * v, 0)) + 1e-9;
    return item.map((v) => (0.9 * v) / length);
  }

  #pay(x: readonly number[]): number {
    if (this.invents) return this.random.below(2) === 0 ? 1 : -1;
    const mean = x.reduce((sum, v, i) => sum + v * this.theta[i]!, 0);
    return Math.max(-1, Math.min(1, mean + 0.1 * this.random.normal()));
  }

  #tellLater(told: ToldReward, delayMs: number): void {
    this.device.config.scheduler.after(delayMs, () => void this.#tell(told));
  }

  /** Tells another device. One that says nothing, or no, may have it nevertheless: then the peer is told too. */
  async #carry(told: ToldReward, token: string): Promise<void> {
    const by = this.carrier();
    const peer = by?.peer;
    let given = by === null;
    this.device.config.scheduler.after(given ? 0 : 4 * PERIOD_MS, () => {
      given = true;
      if (!told.carried) void this.#tell(told);
    });
    if (by === null) return;
    told.asked += 1;
    this.#elsewhere.set(told, by);
    const repairs = by.repairs + this.device.repairs;
    try {
      const answer = await peer!.rewardToken(token, told.value);
      told.carried = !given && answer === "queued" && by.peer === peer;
      if (told.carried) this.#follow(told, by, repairs);
    } catch (error) {
      if (by.peer === peer) by.report(error);
    }
  }

  /** Asks the peer when the other device has nothing left to tell it: by then it has heard of the reward. */
  #follow(told: ToldReward, by: Device, repairs: number): void {
    this.device.config.scheduler.after(PERIOD_MS, () => {
      // What a damaged disk lost cannot arrive, nor what a clock that jumped calls too late.
      const excused = by.repairs + this.device.repairs > repairs || by.skewMs !== 0;
      const { peer } = this.device;
      // Only its own: one for a peer that lost its name with its disk waits until its token is too old.
      if (peer === null || (!excused && (by.peer?.host.queuesFor(peer.self) ?? true))) {
        this.#follow(told, by, repairs);
        return;
      }
      told.carried = false;
      void this.#tell(told, excused ? undefined : "duplicate");
    });
  }

  async #tell(told: ToldReward, expected?: RewardAnswer): Promise<void> {
    const { peer } = this.device;
    if (peer === null) return;
    told.asked += 1;
    const again = Symbol(told.id);
    if (told.state === "learned" && this.device.repairs > 0) this.#unanswered.add(again);
    try {
      const answer = await peer.reward(told.id, told.value);
      if (this.device.peer !== peer) return;
      this.#unanswered.delete(again);
      this.device.config.trace.add(answer, this.device.config.index, told.asked);
      if (expected === "duplicate" && answer === "learned") {
        this.complain(this.device, "a reward that another device had written down did not arrive");
      }
      this.#settle(told, answer);
    } catch (error) {
      if (this.device.peer === peer) this.device.report(error);
    }
  }

  #settle(told: ToldReward, answer: RewardAnswer): void {
    const { state } = told;
    // A damaged disk may have taken anything along; that was reported.
    const excused = this.device.repairs > 0;
    if (answer === "learned" && state === "learned" && told.duplicateIn !== this.device.starts) {
      // Lost with the disk, and told again: it is back.
      if (excused) told.times += 1;
      else this.complain(this.device, "a reward that was acknowledged was learnt a second time");
    }
    if (answer === "learned") told.duplicateIn = null;
    if (state === "learned" && answer !== "duplicate" && answer !== "learned" && !excused) {
      this.complain(this.device, `a reward that was acknowledged is ${answer}`);
    }
    if (state === "open" && answer === "duplicate" && told.asked < 2) {
      this.complain(this.device, "a reward that was never told is called a duplicate");
    }
    if (state === "learned") return;
    told.state = answer === "learned" || answer === "duplicate" ? "learned" : "void";
    if (told.state === "learned") told.times = 1;
    // Told twice at once, the answer to the second may be heard first.
    if (answer === "duplicate") told.duplicateIn = this.device.starts;
    const at = this.#waiting.indexOf(told);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (told.state === "learned") this.#done.push(told);
    if (this.#done.length > 64) this.#done.shift();
  }
}
