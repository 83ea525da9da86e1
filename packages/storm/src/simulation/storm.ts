import { log2 } from "@coterie/core/internal";
import type * as parts from "@coterie/net/internal";
import { addHeld, gap } from "../mass.ts";
import { disagreement } from "./checks/agreement.ts";
import { boundsFault } from "./checks/bounds.ts";
import { addTold, noMass, plus } from "./checks/mass.ts";
import { recordsOf, Versions } from "./checks/records.ts";
import { shapeFault } from "./checks/shape.ts";
import { type Mutant, plant } from "./mutants/mutant.ts";
import type { Plan, StormSize } from "./plan/plan.ts";
import type { Device } from "./world/device.ts";
import { PERIOD_MS } from "./world/device.ts";
import { StormRoom } from "./world/stormRoom.ts";

/** Which promise was broken. */
export type CheckName = "rewards" | "mass" | "shape" | "bounds" | "liveness" | "prunes" | "records" | "surprise";

export interface Failure {
  readonly check: CheckName;
  readonly message: string;
  /** In rounds since the start, calm ones included. */
  readonly round: number;
}

export interface Counts {
  readonly events: number;
  readonly messages: number;
  readonly lost: number;
  readonly crashes: number;
  readonly repairs: number;
  /** Times that what a disk had lost came back from the room. */
  readonly regains: number;
  readonly rewards: number;
  readonly mixes: number;
  readonly givenUp: number;
  /** Looks at which the mass was compared, and exchanges of which both sides were. */
  readonly weighed: number;
  readonly compared: number;
}

export interface StormOutcome extends StormSize {
  readonly seed: number;
  readonly policy: string;
  /** A digest of all that happened. */
  readonly hash: string;
  readonly failure: Failure | null;
  readonly counts: Counts;
}

/** The storm is interrupted so often, to look around in calm. */
const LOOKS = 4;
const TOLERANCE = 1e-9;
/** Calm rounds until peers that were far behind are in the round of the others. */
const CATCHING_UP = 2;

/** Plays a plan with the shipped peers, and says whether they kept their promises. */
export async function storm(plan: Plan, mutant: Mutant | null = null): Promise<StormOutcome> {
  const undo = plant(mutant);
  const { stackTraceLimit } = Error;
  // Requests fail all the time here; nobody looks where.
  Error.stackTraceLimit = 0;
  try {
    return await new Storm(plan, mutant).run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    undo();
  }
}

class Storm {
  readonly #room: StormRoom;
  readonly #versions = new Versions();
  #failure: Failure | null = null;
  /** What broke the mass and was told: repairs, and exchanges given up in doubt. */
  #excused = noMass();
  #givenUp = 0;
  #weighed = 0;

  constructor(
    readonly plan: Plan,
    mutant: Mutant | null,
  ) {
    this.#room = new StormRoom(plan, mutant, (check, message) => this.#fail(check, message));
  }

  async run(): Promise<StormOutcome> {
    const { rounds } = this.plan;
    const unwatch = [
      this.#room.evenness.begin(),
      this.#versions.begin(
        (exchange) => this.#room.answering(exchange),
        (message) => this.#fail("records", message),
      ),
    ];
    try {
      await this.#live(rounds);
    } finally {
      for (const stop of unwatch) stop();
    }
    return this.#outcome();
  }

  async #live(rounds: number): Promise<void> {
    this.#room.begin();
    for (let look = 0; look < LOOKS && this.#failure === null; look++) {
      const [from, to] = [(look * rounds) / LOOKS, ((look + 1) * rounds) / LOOKS];
      this.#room.roughen(this.plan.faults, from, to);
      await this.#pass(to - from);
      await this.#calm();
      if (this.#failure === null) this.#look();
      this.#room.thaw();
    }
    if (this.#failure === null) await this.#heal();
  }

  #fail(check: CheckName, message: string): void {
    this.#failure ??= { check, message, round: Math.round(this.#room.scheduler.now / PERIOD_MS) };
  }

  async #pass(rounds: number): Promise<void> {
    const { scheduler } = this.#room;
    await scheduler.run(scheduler.now + rounds * PERIOD_MS, () => this.#failure !== null);
  }

  /** All faults end, everybody starts again, rewards are settled, exchanges land; then everything stands still. */
  async #calm(): Promise<void> {
    this.#room.smooth();
    for (let tries = 0; tries < 60 && this.#failure === null; tries++) {
      await this.#pass(2);
      this.#room.freeze();
      await this.#pass(1.5);
      if (this.#isQuiet()) {
        await this.#room.closeRounds();
        return;
      }
      this.#room.thaw();
    }
    if (this.#failure === null) this.#fail("liveness", "60 calm rounds did not settle every reward and every exchange");
  }

  #isQuiet(): boolean {
    return this.#room.honest.every(({ device, app }) => {
      const flight = device.peer?.host.exchange?.flight;
      const partner = flight === null || flight === undefined ? null : this.#room.isHonest(flight.partner);
      return device.up && app.open === 0 && partner !== true;
    });
  }

  #look(): void {
    const { honest, scheduler, devices } = this.#room;
    const repairs = devices.reduce((sum, { device }) => sum + device.repairs, 0);
    for (const { device, app } of honest) {
      const host = device.peer!.host;
      const name = device.config.name;
      const own = host.peer.learner.view.own;
      const learned = app.taken;
      const retold = Math.min(app.lost, app.takeRetold());
      const least = device.repaired ? -app.doubtful : app.lost - retold;
      const most = device.repaired ? learned : app.lost;
      const lost = Math.min(most, Math.max(least, learned - own));
      if (lost < app.lost) device.repaired = true;
      app.lost = lost;
      if (own !== learned - lost) {
        this.#fail(
          "rewards",
          `${name} acknowledged ${learned} rewards${lost > 0 ? ` (${lost} lost to damage)` : ""} and has learnt ${own}`,
        );
      }
      const shape = shapeFault(host, this.plan.setting.delay);
      if (shape !== null) this.#fail("shape", `${name} has ${shape}`);
      const bounds = boundsFault(device, scheduler, this.plan.peers + repairs);
      if (bounds !== null) this.#fail("bounds", `${name} has ${bounds}`);
    }
    const { policy, forgive } = this.plan.setting;
    if (policy === "kindred") this.#lookAtRecords();
    // With `forgive` each side looks again when it has seen enough itself.
    if (policy === "dccb-two" && !forgive) this.#lookAtPrunes();
    if (policy === "dcb" || policy === "dccb") this.#weigh();
    for (const { device } of honest) device.repaired = false;
  }

  /** Σ over peers of what they hold is Σ of what was learnt; nothing is in flight now. */
  #weigh(): void {
    const { honest, devices } = this.#room;
    const told = noMass();
    const held = noMass();
    let givenUp = 0;
    for (const { device, app } of devices) {
      const host = device.peer?.host;
      if (host === undefined) continue;
      addHeld(held, host);
      givenUp += host.exchange?.massAtRisk ?? 0;
      for (const one of app.learned()) addTold(told, one);
    }
    // A peer whose messages are not its own takes part in no sum.
    if (honest.length < devices.length) return;
    const expected = plus(told, this.#excused);
    const excuse = givenUp !== this.#givenUp || devices.some(({ device }) => device.repaired);
    this.#givenUp = givenUp;
    if (excuse) this.#excused = plus(held, told, -1);
    else {
      this.#weighed += 1;
      const error = gap(held, expected);
      if (!(error <= TOLERANCE)) this.#fail("mass", `the peers' mass is off by ${error.toExponential(2)} of itself`);
    }
  }

  #lookAtRecords(): void {
    const { honest } = this.#room;
    const hosts = honest.map(({ device }) => device.peer!.host);
    const excused = new Set(honest.filter(({ device }) => device.repairs > 0).map(({ device }) => device.id));
    const fault = this.#versions.fault(hosts, excused);
    if (fault !== null) this.#fail("records", fault);
  }

  /** Two peers part together, or not at all. Whoever gave up on an exchange or lost its disk may not know. */
  #lookAtPrunes(): void {
    const { honest } = this.#room;
    const sure = honest.filter(({ device }) => {
      const { exchange } = device.peer!.host;
      return device.repairs === 0 && exchange?.massAtRisk === 0 && !device.shunned;
    });
    for (const a of sure) {
      for (const b of sure) {
        const [one, other] = [a.device.peer!.host.peer, b.device.peer!.host.peer];
        if (a === b || one.learner.near(other.config.id) === other.learner.near(one.config.id)) continue;
        const names = `${a.device.config.name} and ${b.device.config.name}`;
        this.#fail("prunes", `${names} do not agree that they have parted`);
      }
    }
  }

  /** The storm is over: peers must find together again, soon, and exchange as often as they should. */
  async #heal(): Promise<void> {
    const { honest, scheduler } = this.#room;
    if (honest.length < this.plan.peers) return;
    this.#room.apps(false);
    const rounds = Math.ceil(2 * log2(this.plan.peers) + 20);
    const last = Math.max(...honest.map(({ device }) => device.peer!.host.peer.round));
    const before = this.#room.meetings;
    let apart = this.#spread(last);
    await this.#pass(CATCHING_UP);
    // Whoever was far behind holds no slot that all others hold until it has caught up.
    apart = Math.max(apart, this.#spread(last));
    await this.#pass(rounds - CATCHING_UP);
    const meetings = (this.#room.meetings - before) / (honest.length * rounds);
    if (this.#failure !== null) return;
    const hosts = honest.flatMap(({ device }) => device.peer?.host ?? []);
    if (hosts.length < honest.length) this.#fail("liveness", "a peer did not come back");
    else if (this.#unseen() > 0.1)
      this.#fail("liveness", `${(100 * this.#unseen()).toFixed(0)} % of pairs do not see each other alive`);
    else if (meetings < 0.8) this.#fail("liveness", `${meetings.toFixed(2)} exchanges per peer and round in calm`);
    else this.#agree(hosts, apart, this.#spread(last), rounds);
    this.#room.trace.add("healed", 0, scheduler.now);
  }

  /** The share of pairs of which one does not take the other for alive. */
  #unseen(): number {
    const { honest } = this.#room;
    const seen = honest.reduce((sum, { device }) => sum + (device.driver?.alive().length ?? 0), 0);
    return 1 - seen / (honest.length * (honest.length - 1));
  }

  /** How far averages of slots before the round `last` are apart. */
  #spread(last: number): number {
    const { policy } = this.plan.setting;
    const hosts = this.#room.honest.flatMap(({ device }) => device.peer?.host ?? []);
    return policy === "dcb" || policy === "dccb" ? disagreement(hosts, last - 1).spread : 0;
  }

  /** What peers differed by before shrinks by a factor in every round, so what is left is measured by that. */
  #agree(hosts: readonly parts.PeerHost[], apart: number, spread: number, rounds: number): void {
    const { policy, delay, clip } = this.plan.setting;
    if (policy === "kindred") {
      const known = Math.min(...hosts.map((host) => recordsOf(host).length));
      if (known < this.plan.peers - 1) this.#fail("liveness", `a peer holds ${known} records of ${this.plan.peers}`);
    } else if (delay > rounds && !clip && spread > 1e-3 * Math.max(1, apart)) {
      const [left, first] = [spread.toExponential(2), apart.toExponential(2)];
      this.#fail("liveness", `peers differ by ${left} after ${rounds} calm rounds, by ${first} before them`);
    }
  }

  #outcome(): StormOutcome {
    const { network, trace, devices, mixes } = this.#room;
    for (const { device } of devices) {
      const estimate = device.peer?.host.peer.learner.view.estimate ?? [];
      for (const value of estimate) trace.add("estimate", device.config.index, value * 1e6);
    }
    const sum = (figure: (device: Device) => number): number =>
      devices.reduce((total, { device }) => total + figure(device), 0);
    return {
      seed: this.plan.seed,
      peers: this.plan.peers,
      rounds: this.plan.rounds,
      policy: this.plan.setting.policy,
      hash: trace.hash,
      failure: this.#failure,
      counts: {
        events: trace.events,
        messages: network.sent,
        lost: network.lost,
        crashes: sum((device) => device.crashes),
        repairs: sum((device) => device.repairs),
        regains: sum((device) => device.regains),
        rewards: devices.reduce((total, { app }) => total + app.taken, 0),
        mixes,
        givenUp: this.#givenUp,
        weighed: this.#weighed,
        compared: this.#room.evenness.checked,
      },
    };
  }
}
