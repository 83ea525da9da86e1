import { type PeerId, Random } from "@coterie/core";
import * as parts from "@coterie/net/internal";
import { Scheduler } from "../world/scheduler.ts";
import { RoomHub } from "./hub.ts";
import { type Learning, type School, schoolOf } from "./learning.ts";
import { RoomTab } from "./tab.ts";
import { Visit, type Visitor } from "./visit.ts";

export interface TabRoomConfig {
  readonly members: number;
  /** The share of members that goes, and is replaced, in a second. */
  readonly churn: number;
  readonly kinds: number;
  readonly learning: Learning;
  /** Where members learn from rewards: the deviation of a reward from its mean; .5 when left out. */
  readonly noise?: number | undefined;
  /** Where they do: the share of those who come that were there the day before, and have their store. Nobody when left out. */
  readonly returning?: number | undefined;
  /** Where kinds are known without noise: the age in s from which on a member's is. At once when left out. */
  readonly knownAfter?: number | undefined;
  readonly seed: number;
}

/** How those who go do so: half say goodbye, most others at least close their sockets, and one in ten is cut off. */
const GOODBYE = 0.5;
const VANISH = 0.1;
/** Everybody comes within this long at first. */
const ARRIVAL_MS = 20_000;
/** From here to there, one way: 10 to 90 ms. */
const LATENCY_MS = { least: 10, most: 90 };

/** A room as it was the day before. */
export interface Yesterday {
  readonly school: School;
  readonly visitors: readonly Visitor[];
}

/** A room of tabs that come and go, in virtual time. */
export class TabRoom {
  readonly hub: RoomHub;
  /** Of all that ever came, and those who are there. */
  readonly visits = new Map<PeerId, Visit>();
  readonly present: RoomTab[] = [];
  /** How long a call takes to fail, and until a socket notices that the other machine is off the network. */
  readonly failMs = 1000;
  readonly noticeMs = 30_000;
  readonly mostMs = LATENCY_MS.most;
  readonly faults = new Set<string>();
  /** Counted since the last `reset`. */
  roomBytes = 0;
  bodyBytes = 0;
  checked = 0;
  done = 0;
  failed = 0;
  withKin = 0;
  choices = 0;
  regret = 0;
  readonly #scheduler = new Scheduler();
  readonly #random: Random;
  readonly school: School;
  /** Those who went, where others will ask who was there. */
  readonly gone: Visitor[] = [];
  readonly #yesterday: Visitor[];
  #made = 0;

  /** `before`: the same room of the day before. */
  constructor(
    readonly config: TabRoomConfig,
    before: Yesterday | null = null,
    day = "town",
  ) {
    this.#random = Random.seeded(config.seed).fork(day);
    this.#yesterday = [...(before?.visitors ?? [])];
    // All of them share a process here: each address and name is worth remembering, also of those who come later.
    parts.MEMO.most = Math.max(parts.MEMO.most, 4 * config.members);
    this.hub = new RoomHub(this.#random.fork("hub"), () => this.now);
    this.school = before?.school ?? schoolOf(config, this.#random.fork("tastes"), (peer) => this.#kindOf(peer));
    for (let k = 0; k < config.members; k++) {
      this.after(ARRIVAL_MS * this.#random.uniform(), () => this.#come());
    }
  }

  get now(): number {
    return this.#scheduler.now;
  }

  after(ms: number, action: () => void): void {
    this.#scheduler.after(ms, action);
  }

  latency(): number {
    return LATENCY_MS.least + (LATENCY_MS.most - LATENCY_MS.least) * this.#random.uniform();
  }

  /** Who is there under that name. */
  find(peer: PeerId): RoomTab | null {
    return this.visits.get(peer)?.tab ?? null;
  }

  /** Not a number, and so nobody's kin, while it is not known. */
  #kindOf(peer: PeerId): number {
    const visit = this.visits.get(peer);
    if (visit === undefined) return Number.NaN;
    const age = Math.min(this.now, visit.died) - visit.born;
    return age >= 1000 * (this.config.knownAfter ?? 0) ? visit.kind : Number.NaN;
  }

  run(seconds: number): void {
    this.#scheduler.runThrough(this.now + 1000 * seconds);
  }

  /** From now on members go and others come in their place. */
  churn(): void {
    const { members, churn } = this.config;
    if (churn === 0) return;
    const wait = (-1000 * Math.log(1 - this.#random.uniform())) / (churn * members);
    this.after(wait, () => {
      this.#go(this.#random.below(this.present.length));
      this.#come();
      this.churn();
    });
  }

  /** Every other one is gone, at once and without a word. */
  halve(): void {
    for (let left = this.present.length >> 1; left > 0; left--) {
      this.#leave(this.#random.below(this.present.length), "close");
    }
  }

  reset(): void {
    this.roomBytes = 0;
    this.bodyBytes = 0;
    this.checked = 0;
    this.done = 0;
    this.failed = 0;
    this.withKin = 0;
    this.choices = 0;
    this.regret = 0;
  }

  sent(room: number, body: number): void {
    this.roomBytes += room;
    this.bodyBytes += body;
  }

  chose(regret: number): void {
    this.choices += 1;
    this.regret += regret;
  }

  exchanged(from: RoomTab, to: RoomTab | null, ok: boolean): void {
    if (!ok || to === null) {
      this.failed += 1;
      return;
    }
    this.done += 1;
    for (const one of [from, to]) one.visit.first = Math.min(one.visit.first, this.now);
    if (from.kind !== to.kind) return;
    this.withKin += 1;
    for (const one of [from, to]) one.visit.firstKin = Math.min(one.visit.firstKin, this.now);
  }

  /** A promise was broken. */
  fault(what: string): void {
    this.faults.add(what);
  }

  #come(): void {
    const random = this.#random.fork("member").fork(this.#made++);
    const before = this.#returning(random);
    const id = before?.id ?? parts.idOf(Uint8Array.from({ length: 32 }, () => random.below(256)));
    const visit = new Visit(id, before?.kind ?? random.below(this.config.kinds), this.now);
    this.visits.set(id, visit);
    const member = new RoomTab(this, visit, random, before);
    this.present.push(member);
    member.start();
  }

  /** Somebody of yesterday, now and then. */
  #returning(random: Random): Visitor | null {
    const { returning = 0 } = this.config;
    if (this.#yesterday.length === 0 || random.uniform() >= returning) return null;
    return this.#yesterday.splice(random.below(this.#yesterday.length), 1)[0]!;
  }

  /** Everybody who was there: those who are, and those who went. */
  get yesterday(): Yesterday {
    const { school, present } = this;
    return { school, visitors: [...this.gone, ...present.map(asVisitor)] };
  }

  #go(place: number): void {
    const draw = this.#random.uniform();
    this.#leave(place, draw < GOODBYE ? "goodbye" : draw < GOODBYE + VANISH ? "vanish" : "close");
  }

  #leave(place: number, how: "goodbye" | "close" | "vanish"): void {
    const member = this.present[place]!;
    this.present[place] = this.present.at(-1)!;
    this.present.pop();
    member.end(how);
    // What others have learnt is worth its space only where somebody comes back with it.
    if ((this.config.returning ?? 0) > 0) this.gone.push(asVisitor(member));
  }
}

const asVisitor = ({ id, kind, peer }: RoomTab): Visitor => ({ id, kind, peer });
