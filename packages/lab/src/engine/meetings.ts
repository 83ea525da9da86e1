import type { DccbOptions, Outcome, PeerId } from "@coterie/core";
import {
  bytesOfSlots,
  type FleetTraffic,
  greetingBytes,
  HEADER_BYTES,
  Neighbourhood,
  sameDigest,
  thresholdAt,
} from "@coterie/core/internal";
import type { Filled } from "./filled.ts";
import type { HeldSlots } from "./heldSlots.ts";

/** What came of a round's meetings: from whom each peer mixes (itself where it does not), and who is reset. */
export interface MeetingResults {
  readonly sources: Int32Array;
  readonly resets: readonly number[];
}

const NOBODY: ReadonlySet<PeerId> = new Set();

/** Who is whose neighbour, and what meetings come to: the rules of dcb and dccb for all peers at once. */
export class BatchedMeetings {
  readonly traffic: FleetTraffic = { bytes: 0, exchanges: 0 };
  readonly #sources: Int32Array;
  /** Null while a peer has pruned nobody. */
  readonly #neighbourhoods: (Neighbourhood | null)[];
  readonly #ids: readonly string[];
  readonly #untouched = new Neighbourhood();

  constructor(
    readonly peers: number,
    readonly dimension: number,
    /** Null for dcb, where everyone mixes with everyone. */
    readonly options: DccbOptions | null,
    readonly filled: Filled,
  ) {
    this.#sources = new Int32Array(peers);
    this.#neighbourhoods = options === null ? [] : new Array<Neighbourhood | null>(peers).fill(null);
    this.#ids = options === null ? [] : Array.from({ length: peers }, (_, i) => `${i}`);
  }

  near(peer: number, other: number): boolean {
    return this.options === null || peer === other || !this.pruned(peer).has(this.#ids[other]!);
  }

  pruned(peer: number): ReadonlySet<PeerId> {
    return this.#neighbourhoods[peer]?.pruned ?? NOBODY;
  }

  /** `shown` are the local estimates as of the round before, [peer][feature]; every peer has seen as many rounds. */
  meet(partners: Int32Array, round: number, carried: HeldSlots["carried"], shown: Float64Array): MeetingResults {
    const sources = this.#sources;
    const parting: [number, number][] = [];
    const threshold = this.options && thresholdAt(this.options.threshold, round - 1, round - 1, round, this.dimension);
    for (let i = 0; i < this.peers; i++) {
      const j = partners[i]!;
      sources[i] = i;
      if (j === i) continue;
      const outcome = threshold === null ? "mix" : this.#judge(i, j, threshold, shown);
      this.#count(j, outcome, carried);
      if (outcome === "mix") sources[i] = j;
      if (outcome === "prune") parting.push([i, j]);
    }
    return { sources, resets: this.#part(parting) };
  }

  #judge(i: number, j: number, threshold: number, shown: Float64Array): Outcome {
    if (!this.near(i, j)) return "stranger";
    const d = this.dimension;
    let square = 0;
    for (let a = i * d, b = j * d; a < (i + 1) * d; a++, b++)
      square += (shown[a]! - shown[b]!) * (shown[a]! - shown[b]!);
    if (Math.sqrt(square) > threshold) return "prune";
    if (this.options!.sharing === "mutual") return "mix";
    const [mine, theirs] = [this.#neighbourhoods[i], this.#neighbourhoods[j]];
    if (mine === null && theirs === null) return "mix";
    return sameDigest((mine ?? this.#untouched).digest, (theirs ?? this.#untouched).digest) ? "mix" : "keep";
  }

  /** What `partner` sends, as the wire format would send it. */
  #count(partner: number, outcome: Outcome, { held, filled }: HeldSlots["carried"]): void {
    if (outcome === "mix") {
      this.traffic.exchanges += 1;
      this.traffic.bytes! += bytesOfSlots(this.dimension, held, this.filled.count(partner, filled));
    }
    if (this.options === null) return;
    this.traffic.bytes! += outcome === "stranger" ? HEADER_BYTES : greetingBytes(this.dimension);
  }

  #part(pairs: readonly [number, number][]): number[] {
    const resets = new Set<number>();
    const prune = (peer: number, other: number): void => {
      this.#neighbourhoods[peer] ??= new Neighbourhood();
      const neighbourhood = this.#neighbourhoods[peer]!;
      if (!neighbourhood.has(this.#ids[other]!)) return;
      neighbourhood.prune(this.#ids[other]!);
      resets.add(peer);
    };
    for (const [a, b] of pairs) {
      prune(a, b);
      prune(b, a);
    }
    return [...resets].sort((a, b) => a - b);
  }
}
