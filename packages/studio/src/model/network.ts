import { type Beat, eachRow, type Joined, OUTCOMES } from "../feed/format.ts";

/** Numbers kept of each peer. */
export const COLUMNS = [
  "round",
  "own",
  "evidence",
  "buffered",
  "drift",
  "sentBytes",
  /** Choices made, and sums over them. */
  "choices",
  "reward",
  "alone",
  "regret",
  "aloneRegret",
  /** Exchanges it took part in, and when the last one was. */
  "exchanges",
  "lastMet",
  /** When it joined, and when it left (-1: it is there). */
  "joinedAt",
  "leftAt",
  "leftWhy",
  /** 1 while it was made to lie; and 1 from then on, whatever it says later. */
  "lies",
  "lied",
  /** How many others it believes alive; -1 where nobody said. And how large it takes the room to be; 0 where nobody said. */
  "sees",
  "size",
] as const;
export type Column = (typeof COLUMNS)[number];
/** Where each column is. Asked for many times a peer, so it is no search. */
const PLACE = Object.fromEntries(COLUMNS.map((name, k) => [name, k])) as Readonly<Record<Column, number>>;

/** Nobody. Shared, never changed. */
const NOBODY = new Int32Array(0);

/**
 * The network at one moment. `apply` moves it on by a beat; `copy` is cheap enough to keep many: columns are copied, but
 * whom a peer pools with is a list that is replaced and never changed, so copies share it.
 */
export class NetworkModel {
  at = 0;
  readonly peers: Joined[] = [];
  /** Those who are there. */
  present = 0;
  /** The two sides while the network is cut: those of the second side. Null when it is whole. */
  cut: ReadonlySet<number> | null = null;
  #columns = COLUMNS.map(() => new Float64Array(64));
  #pools: Int32Array[] = [];
  #lent: ReadonlyMap<number, number>[] = [];

  column(name: Column): Float64Array {
    return this.#columns[PLACE[name]];
  }

  /** How many numbers its columns hold. */
  get size(): number {
    return this.#columns.length * this.#columns[0].length;
  }

  value(peer: number, name: Column): number {
    return this.column(name)[peer];
  }

  isPresent(peer: number): boolean {
    return this.peers[peer] !== undefined && this.column("leftAt")[peer] < 0;
  }

  /** With whom a peer pools, in rising order. */
  pool(peer: number): Int32Array {
    return this.#pools[peer] ?? NOBODY;
  }

  /** From whom it borrows how much, as far as its policy tells. */
  lent(peer: number): ReadonlyMap<number, number> {
    return this.#lent[peer] ?? EMPTY;
  }

  /** The share of the evidence behind its estimate that is not its own. */
  borrowed(peer: number): number {
    const evidence = this.column("evidence")[peer];
    return evidence > 0 ? Math.max(0, evidence - this.column("own")[peer]) / evidence : 0;
  }

  apply(beat: Beat): void {
    this.at = beat.at;
    for (const joined of beat.joined ?? []) this.#join(joined);
    this.#applyRows(beat);
    this.#applyPools(beat);
    this.#applyFaults(beat);
    eachRow(beat, "left", (rows, at) => this.#leave(rows[at], rows[at + 1]));
  }

  copy(): NetworkModel {
    const copy = new NetworkModel();
    copy.at = this.at;
    copy.peers.push(...this.peers);
    copy.present = this.present;
    copy.cut = this.cut;
    copy.#columns = this.#columns.map((column) => column.slice());
    copy.#pools = this.#pools.slice();
    copy.#lent = this.#lent.slice();
    return copy;
  }

  #join(joined: Joined): void {
    const { peer } = joined;
    while (this.#columns[0].length <= peer) {
      this.#columns = this.#columns.map((column) => {
        const longer = new Float64Array(column.length * 2);
        longer.set(column);
        return longer;
      });
    }
    // A beat may be heard twice when a stream begins anew.
    if (this.peers[peer] !== undefined) return;
    this.peers[peer] = joined;
    this.present += 1;
    this.column("joinedAt")[peer] = this.at;
    this.column("leftAt")[peer] = -1;
    this.column("lastMet")[peer] = this.at;
    this.column("sees")[peer] = -1;
  }

  #leave(peer: number, why: number): void {
    if (!this.isPresent(peer)) return;
    this.present -= 1;
    this.column("leftAt")[peer] = this.at;
    this.column("leftWhy")[peer] = why;
    this.#pools[peer] = NOBODY;
    this.#lent[peer] = EMPTY;
  }

  #applyRows(beat: Beat): void {
    const [choices, reward, alone, regret, aloneRegret] = (
      ["choices", "reward", "alone", "regret", "aloneRegret"] as const
    ).map((name) => this.column(name));
    eachRow(beat, "earned", (rows, at) => {
      const peer = rows[at];
      if (this.peers[peer] === undefined) return;
      choices[peer] += 1;
      reward[peer] += rows[at + 1];
      alone[peer] += rows[at + 2];
      regret[peer] += rows[at + 3];
      aloneRegret[peer] += rows[at + 4];
    });
    const [exchanges, lastMet] = [this.column("exchanges"), this.column("lastMet")];
    eachRow(beat, "met", (rows, at) => {
      for (const peer of [rows[at], rows[at + 1]]) {
        if (this.peers[peer] === undefined) continue;
        exchanges[peer] += 1;
        // Nobody was met where nobody answered.
        if (rows[at + 2] < UNANSWERED) lastMet[peer] = beat.at;
      }
    });
    const sees = this.column("sees");
    eachRow(beat, "sees", (rows, at) => {
      if (this.peers[rows[at]] !== undefined) sees[rows[at]] = rows[at + 1];
    });
    const size = this.column("size");
    eachRow(beat, "size", (rows, at) => {
      if (this.peers[rows[at]] !== undefined) size[rows[at]] = rows[at + 1];
    });
    const glance = (["round", "own", "evidence", "buffered", "drift", "sentBytes"] as const).map((name) =>
      this.column(name),
    );
    eachRow(beat, "state", (rows, at) => {
      if (this.peers[rows[at]] === undefined) return;
      for (let k = 0; k < glance.length; k++) glance[k][rows[at]] = rows[at + 1 + k];
    });
  }

  #applyPools(beat: Beat): void {
    const changed = new Map<number, Set<number>>();
    eachRow(beat, "pool", (rows, at) => {
      const peer = rows[at];
      if (this.peers[peer] === undefined) return;
      const pool = changed.get(peer) ?? new Set(this.pool(peer));
      changed.set(peer, pool);
      if (rows[at + 2] === 1) pool.add(rows[at + 1]);
      else pool.delete(rows[at + 1]);
    });
    for (const [peer, pool] of changed) this.#pools[peer] = Int32Array.from(pool).sort();
    const fresh = new Map<number, Map<number, number>>();
    eachRow(beat, "lent", (rows, at) => {
      const [peer, lender, observations] = [rows[at], rows[at + 1], rows[at + 2]];
      const mine = fresh.get(peer) ?? new Map(this.lent(peer));
      fresh.set(peer, mine);
      if (observations > 0) mine.set(lender, observations);
      else mine.delete(lender);
    });
    for (const [peer, lenders] of fresh) this.#lent[peer] = lenders;
  }

  #applyFaults(beat: Beat): void {
    for (const { what, peers } of beat.faults ?? []) {
      if (what === "cut") this.cut = new Set(peers);
      if (what === "heal") this.cut = null;
      if (what !== "lie" && what !== "truth") continue;
      for (const peer of peers) {
        if (this.peers[peer] === undefined) continue;
        this.column("lies")[peer] = what === "lie" ? 1 : 0;
        if (what === "lie") this.column("lied")[peer] = 1;
      }
    }
  }
}

const EMPTY: ReadonlyMap<number, number> = new Map();
/** The outcomes from here on mean that no answer came. */
export const UNANSWERED = OUTCOMES.indexOf("in-doubt");
