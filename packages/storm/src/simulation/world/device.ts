import type { PeerId, Policy, Random } from "@coterie/core";
import { createPeer, type PeerEvent, type Room, type RoomPeer, StoreError, vectors } from "@coterie/net";
import type * as parts from "@coterie/net/internal";
import type { Damage } from "../plan/fault.ts";
import { Disk, type DiskUser } from "./disk.ts";
import { SimulatedDriver, type Surroundings, type Tamper } from "./driver.ts";
import type { RunDigest } from "./runDigest.ts";
import type { Scheduler } from "./scheduler.ts";

export const DIMENSION = 2;
export const PERIOD_MS = 500;
const FEATURES = vectors(DIMENSION);
export type StormPeer = RoomPeer<typeof FEATURES>;

/** What all devices share, so that each takes rewards for the choices of any other. */
const SECRET = "known to every device";

/** 2026, so that clocks may jump either way. */
const EPOCH_MS = 1_780_000_000_000;

export interface DeviceConfig {
  readonly index: number;
  /** For people. */
  readonly name: string;
  readonly policy: Policy;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly trace: RunDigest;
  readonly surroundings: Surroundings;
  readonly tamper: Tamper | null;
  /** How the store is made; a planted bug may stand in between. */
  readonly store: (backend: parts.Backend) => parts.Store;
  readonly onUp: () => void;
  /** What came of an exchange, on either side. */
  readonly onEvent: (verdict: string) => void;
  /** It found that this origin signed two records with one version. */
  readonly onCaught: (origin: PeerId) => void;
  /** Something went wrong that no fault explains. */
  readonly onSurprise: (error: Error) => void;
}

/** A machine with a disk, a clock and a process on it that may die at any moment: the shipped peer, started again and again. */
export class Device {
  readonly disk: Disk;
  driver: SimulatedDriver | null = null;
  /** What the peer is called by its key. */
  id: PeerId = "";
  peer: StormPeer | null = null;
  /** What its clock is off by. */
  skewMs = 0;
  starts = 0;
  crashes = 0;
  repairs = 0;
  /** How often observations that its disk had lost came back from the room. */
  regains = 0;
  /** How often the storm damaged its disk: there is no other reason for a repair. */
  damages = 0;
  /** A repair was reported since the last look, or what one had lost came back. */
  repaired = false;
  /** Somebody was told that this peer left, and may have forgiven it what it was pruned for. */
  shunned = false;
  #life: DiskUser = { dead: true };
  #held: (() => void)[] | null = null;
  #damage: Damage[] = [];
  #wanted = false;
  /** A byte of a record was turned, and the next start has to notice. */
  #turned = false;
  #downRounds = 1;

  constructor(readonly config: DeviceConfig) {
    this.disk = new Disk(config.scheduler, config.random.fork("disk"), () => this.crash(this.#downRounds));
  }

  get up(): boolean {
    return this.peer !== null;
  }

  /** Starts the process, unless it runs. */
  start(): void {
    this.#wanted = true;
    if (this.#life.dead) void this.#open();
  }

  /** The power fails; it comes back after so many rounds. */
  crash(rounds: number): void {
    if (this.#life.dead) return;
    this.config.trace.add("crash", this.config.index, this.starts);
    this.crashes += 1;
    this.#end();
    this.disk.lose();
    for (const how of this.#damage.splice(0)) {
      this.#turned ||= this.disk.damage(how);
      this.damages += 1;
      this.config.trace.add(`damage ${how}`, this.config.index, this.disk.records);
    }
    this.#again(rounds * PERIOD_MS);
  }

  /** The power fails at one of the next writes. */
  crashLater(write: number, how: "before" | "torn" | "after", rounds: number): void {
    this.#downRounds = rounds;
    if (how === "torn") this.damages += 1;
    this.disk.plan(write, how);
  }

  /** The next start finds the disk damaged. */
  damageLater(how: Damage): void {
    this.#damage.push(how);
  }

  forgetPlans(): void {
    this.#damage = [];
    this.disk.forgetPlans();
  }

  /** Says goodbye; comes back after so many rounds. */
  async leave(rounds: number): Promise<void> {
    const { peer } = this;
    const life = this.#life;
    if (peer === null) return;
    this.shunned = true;
    this.#wanted = false;
    this.peer = null;
    await peer.close().catch((error: unknown) => this.#judge(error));
    if (life.dead) return;
    this.config.trace.add("left", this.config.index, rounds);
    this.#end();
    this.#again(rounds * PERIOD_MS);
  }

  /** The process's own timers stand still: nothing new begins, what is under way ends. */
  freeze(): void {
    this.#held ??= [];
  }

  /** They go on, each a while from now. */
  thaw(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const run of held) this.config.scheduler.after(PERIOD_MS * this.config.random.uniform(), run);
  }

  /** An error that the peer reported: the disk's is a reason to start anew, any other one is a surprise. */
  #judge(error: unknown): void {
    if (error instanceof StoreError) this.crash(1);
    else this.config.onSurprise(error instanceof Error ? error : new Error(String(error)));
  }

  report(error: unknown): void {
    this.#judge(error);
  }

  #end(): void {
    this.#life.dead = true;
    this.peer = null;
    this.driver = null;
  }

  #again(delayMs: number): void {
    this.#wanted = true;
    this.config.scheduler.after(delayMs, () => {
      if (this.#wanted) this.start();
    });
  }

  async #open(): Promise<void> {
    const { name, policy, random, scheduler, surroundings, tamper, index, trace } = this.config;
    const life: DiskUser = { dead: false };
    this.#life = life;
    this.starts += 1;
    trace.add("start", index, this.starts);
    const own = random.fork("start").fork(this.starts);
    const incarnation = Math.floor(EPOCH_MS + scheduler.now + this.skewMs);
    const network = async ({ identity, node }: Room): Promise<SimulatedDriver> => {
      this.id = identity?.id ?? name;
      const driver = new SimulatedDriver(this.id, surroundings, own.fork("station"), life, node!, incarnation, tamper);
      if (!life.dead) this.driver = driver;
      return driver;
    };
    const heard = (event: PeerEvent): void => this.#hear(life, event);
    try {
      const peer = await createPeer({
        room: "storm",
        features: FEATURES,
        policy,
        network,
        store: () => this.config.store(this.disk.backend(life)),
        reward: { range: [-1, 1], secret: SECRET },
        tick: { periodMs: PERIOD_MS, jitter: 0.2 },
        clock: {
          now: () => EPOCH_MS + scheduler.now + this.skewMs,
          after: (delayMs, callback) => scheduler.after(delayMs, () => this.#fire(life, callback)),
        },
        seed: own.uint32(),
        onEvent: heard,
      });
      if (life.dead) return;
      this.peer = peer;
      if (this.#turned) this.config.onSurprise(new Error("a byte of its disk was turned, and it did not notice"));
      this.config.onUp();
    } catch (error) {
      if (!life.dead) this.#judge(error);
    }
  }

  #fire(life: DiskUser, callback: () => void): void {
    if (life.dead) return;
    if (this.#held !== null) this.#held.push(() => this.#fire(life, callback));
    else callback();
  }

  #hear(life: DiskUser, event: PeerEvent): void {
    if (life.dead) return;
    if (event.kind === "failure") this.#judge(event.error);
    if (event.kind === "repaired") {
      this.repairs += 1;
      this.repaired = true;
      this.#turned = false;
      if (this.damages === 0) this.config.onSurprise(new Error("a repair of a disk that nobody damaged"));
      this.config.trace.add("repaired", this.config.index, this.repairs);
    }
    if (event.kind === "regained") {
      this.regains += 1;
      this.repaired = true;
      this.config.trace.add("regained", this.config.index, event.own - event.before);
    }
    if (event.kind === "violation" && event.reason === "equivocation") this.config.onCaught(event.partner);
    if (event.kind !== "exchange") return;
    this.config.trace.add(`${event.side} ${event.verdict}`, this.config.index, event.round);
    this.config.onEvent(event.verdict);
  }
}
