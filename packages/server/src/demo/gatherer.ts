import type { PeerId } from "@coterie/core";
import { type Beat, type Fault, type Joined, OUTCOMES, REASONS, type Reason, type Trouble } from "@coterie/studio";
import type { Glance, PeerReport } from "./protocol.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Rows = {
  left: number[];
  earned: number[];
  met: number[];
  state: number[];
  pool: number[];
  lent: number[];
  sees: number[];
  size: number[];
};

interface Known {
  readonly peer: number;
  readonly id: PeerId;
  own: number;
  /** How many others it believes alive, and how large it takes the room to be. */
  sees: number;
  size: number;
  gone: Reason | null;
  /** Not one of the demo's: a tab, say. When it was last believed alive. */
  guestSeen: number | null;
  readonly pool: Set<number>;
  readonly lent: Map<number, number>;
  /** Those it has pruned since the last glance. */
  readonly pruned: Set<number>;
}

/** A lender counts as kin from the first share of its observations on, and no longer below the second. */
const KIN = 0.4;
const NO_KIN = 0.2;
/** A guest that nobody has seen for so long has left. */
const GUEST_MS = 10_000;

const reason = (name: Reason): number => REASONS.indexOf(name);
const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** Puts together what many processes report, as beats of the feed. */
export class Gatherer {
  readonly #known = new Map<PeerId, Known>();
  readonly #bySlot = new Map<number, Known>();
  readonly #ignored = new Set<PeerId>();
  #next = 0;
  #guests = 0;
  #joined: Joined[] = [];
  #rows: Rows = empty();
  #faults: Fault[] = [];
  #troubles: Trouble[] = [];

  /** Somebody who is on the network but is no peer: the hub. */
  ignore(id: PeerId): void {
    this.#ignored.add(id);
  }

  join(slot: number, id: PeerId, name: string, cluster: number): void {
    this.#bySlot.set(slot, this.#admit(id, name, cluster, null));
  }

  leave(slot: number, why: Reason): void {
    const known = this.#bySlot.get(slot);
    if (known !== undefined) this.#dismiss(known, why);
  }

  fault(what: Fault["what"], slots: readonly number[]): void {
    this.#faults.push({ what, peers: slots.flatMap((slot) => this.#bySlot.get(slot)?.peer ?? []) });
  }

  slotOf(peer: number): number | undefined {
    for (const [slot, known] of this.#bySlot) if (known.peer === peer) return slot;
    return undefined;
  }

  idOf(slot: number): PeerId | undefined {
    return this.#bySlot.get(slot)?.id;
  }

  take(reports: readonly PeerReport[], alive: readonly PeerId[], nowMs: number): void {
    for (const id of alive) this.#see(id, nowMs);
    for (const report of reports) this.#report(report, nowMs);
  }

  /** All since the beat before. */
  beat(at: number): Beat {
    this.#forgetGuests(at);
    const beat: Mutable<Beat> = { at: Math.round(at) };
    if (this.#joined.length > 0) beat.joined = this.#joined;
    for (const [kind, rows] of Object.entries(this.#rows) as [keyof Rows, number[]][]) {
      if (rows.length > 0) beat[kind] = rows;
    }
    if (this.#faults.length > 0) beat.faults = this.#faults;
    if (this.#troubles.length > 0) beat.troubles = this.#troubles;
    [this.#joined, this.#rows, this.#faults, this.#troubles] = [[], empty(), [], []];
    return beat;
  }

  #admit(id: PeerId, name: string, cluster: number | null, guestSeen: number | null): Known {
    // A guest that turns out to be one of ours (heard of by others before its own process told) keeps its number.
    const before = this.#known.get(id);
    const peer = before?.peer ?? this.#next++;
    const known: Known = {
      peer,
      id,
      own: 0,
      sees: -1,
      size: 0,
      gone: null,
      guestSeen,
      pool: new Set(),
      lent: new Map(),
      pruned: new Set(),
    };
    this.#known.set(id, known);
    if (before === undefined) this.#joined.push({ peer, id, name, cluster });
    return known;
  }

  #dismiss(known: Known, why: Reason): void {
    if (known.gone !== null) return;
    known.gone = why;
    this.#rows.left.push(known.peer, reason(why));
    for (const other of this.#known.values()) {
      if (other.pool.delete(known.peer)) this.#rows.pool.push(other.peer, known.peer, 0, reason(why));
      if (other.lent.delete(known.peer)) this.#rows.lent.push(other.peer, known.peer, 0);
    }
  }

  #see(id: PeerId, nowMs: number): Known | null {
    if (this.#ignored.has(id)) return null;
    const known = this.#known.get(id);
    if (known === undefined) {
      this.#guests += 1;
      return this.#admit(id, `Guest ${this.#guests}`, null, nowMs);
    }
    if (known.guestSeen !== null) known.guestSeen = nowMs;
    return known;
  }

  #forgetGuests(nowMs: number): void {
    for (const known of this.#known.values()) {
      if (known.guestSeen !== null && nowMs - known.guestSeen > GUEST_MS) this.#dismiss(known, "left");
    }
  }

  #report({ slot, earned, met, pruned, troubles, glance }: PeerReport, nowMs: number): void {
    const known = this.#bySlot.get(slot);
    if (known === undefined || known.gone !== null) return;
    const { peer } = known;
    for (let at = 0; at < earned.length; at += 4) {
      this.#rows.earned.push(peer, ...earned.slice(at, at + 4).map((value) => round(value, 4)));
    }
    for (const { partner, outcome, sentBytes, receivedBytes } of met) {
      const other = this.#see(partner, nowMs);
      if (other !== null) this.#rows.met.push(peer, other.peer, OUTCOMES.indexOf(outcome), sentBytes, receivedBytes);
    }
    for (const id of pruned) {
      const other = this.#known.get(id);
      if (other !== undefined) known.pruned.add(other.peer);
    }
    for (const text of troubles) this.#troubles.push({ peer, text: text.slice(0, 200) });
    if (glance !== undefined) this.#glance(known, glance);
  }

  #glance(known: Known, glance: Glance): void {
    known.own = glance.own;
    const { round: at, own, evidence, buffered, drift, sentBytes, sees, size, lenders, near } = glance;
    this.#rows.state.push(known.peer, at, own, round(evidence, 1), buffered, round(drift, 4), sentBytes);
    if (sees !== known.sees) this.#rows.sees.push(known.peer, sees);
    if (size !== known.size) this.#rows.size.push(known.peer, size);
    [known.sees, known.size] = [sees, size];
    if (lenders !== null) this.#borrow(known, lenders);
    if (near !== null) this.#setPool(known, new Set(this.#present(near).map(({ peer }) => peer)), "pruned");
  }

  /** Where a policy says who lends, whoever lends a good part of what it has seen is in the pool. */
  #borrow(known: Known, lenders: readonly (readonly [PeerId, number])[]): void {
    const lent = new Map<number, number>();
    const pool = new Set<number>();
    for (const [id, observations] of lenders) {
      const other = this.#known.get(id);
      if (other === undefined || other.gone !== null) continue;
      lent.set(other.peer, round(observations, 1));
      // Of a guest nobody says how much it has seen: all it lends counts.
      const share = other.own > 0 ? observations / other.own : 1;
      if (share >= (known.pool.has(other.peer) ? NO_KIN : KIN)) pool.add(other.peer);
    }
    for (const [peer, observations] of lent) {
      if (known.lent.get(peer) === observations) continue;
      known.lent.set(peer, observations);
      this.#rows.lent.push(known.peer, peer, observations);
    }
    for (const peer of known.lent.keys()) {
      if (lent.has(peer)) continue;
      known.lent.delete(peer);
      this.#rows.lent.push(known.peer, peer, 0);
    }
    this.#setPool(known, pool, "unlike");
  }

  #setPool(known: Known, pool: ReadonlySet<number>, why: Reason): void {
    for (const peer of pool) {
      if (known.pool.has(peer)) continue;
      known.pool.add(peer);
      this.#rows.pool.push(known.peer, peer, 1, reason("found"));
    }
    for (const peer of known.pool) {
      if (pool.has(peer)) continue;
      known.pool.delete(peer);
      // Who was not pruned but is no longer near was lost sight of.
      const how = why === "pruned" && !known.pruned.has(peer) ? "lost" : why;
      this.#rows.pool.push(known.peer, peer, 0, reason(how));
    }
    known.pruned.clear();
  }

  #present(ids: readonly PeerId[]): Known[] {
    return ids.flatMap((id) => {
      const known = this.#known.get(id);
      return known === undefined || known.gone !== null ? [] : [known];
    });
  }
}

const empty = (): Rows => ({ left: [], earned: [], met: [], state: [], pool: [], lent: [], sees: [], size: [] });
