import type { PeerId } from "../gossip/neighbourhood.ts";
import { log2 } from "../numbers/ln.ts";
import { originHash, type Record } from "./record.ts";

/**
 * What a peer tells a partner so that the partner knows which records to send: how much it has of whom, who of those
 * may be its kin, and whom it would not keep. Short: six bytes for each record it holds.
 */
export interface Greeting {
  readonly peer: PeerId;
  /** Is an exchange due from its side? */
  readonly due: boolean;
  /** It knows, almost surely, where it belongs. */
  readonly settled: boolean;
  /** It keeps records of unknown origins only below this rank (`rankFor`). */
  readonly worst: number;
  /** By the hash of the origin: `KIN` set if it may be kin, and `countCode` of what it has. */
  readonly known: ReadonlyMap<number, number>;
}

export const KIN = 0x8000;
/** Worse than any rank: everybody is welcome. */
export const ANY_RANK = 0x100000000;

/**
 * A count in 15 bits: itself below 2¹⁴, then its logarithm in steps of 1/512 octave, downwards. What is compared is
 * always a code with a code, so that a simulation decides as the wire would.
 */
export function countCode(count: number): number {
  if (count < 16384) return Math.floor(count);
  return Math.min(0x7fff, 16384 + Math.floor(512 * (log2(count) - 14)));
}

/** How welcome an unknown origin is to a peer: random, but always the same. */
export const rankFor = (peer: PeerId, origin: PeerId): number => originHash(`${peer} ${origin}`);

/** Records grow by this factor before those who are no kin hear of it again. */
const COARSE_GROWTH = 2;
/** Until it is settled a peer wants the first news, up to so many observations a dimension, of everybody. */
const EARLY = 4;
const KIN_FIRST = 10;

/** What to send to whoever greeted so: `own` first, then what it lacks most, its kin before others; `budget` at most. */
export function recordsFor(
  to: Greeting,
  own: Record | null,
  others: Iterable<Record>,
  options: { readonly growth: number; readonly budget: number; readonly dimension: number },
): Record[] {
  const candidates: { readonly record: Record; readonly rank: number }[] = [];
  const consider = (record: Record, first: boolean): void => {
    if (record.origin === to.peer) return;
    const code = to.known.get(record.hash);
    if (code === undefined && rankFor(to.peer, record.origin) >= to.worst) return;
    const kin = code !== undefined && (code & KIN) !== 0;
    const known = (code ?? 0) & ~KIN;
    const count = countCode(record.count);
    const fine = kin || (!to.settled && known < EARLY * options.dimension);
    if (count <= known || count < known * (fine ? options.growth : COARSE_GROWTH)) return;
    candidates.push({ record, rank: first ? Infinity : (count / (1 + known)) * (kin ? KIN_FIRST : 1) });
  };
  if (own !== null) consider(own, true);
  for (const record of others) consider(record, false);
  candidates.sort((a, b) => b.rank - a.rank);
  return candidates.slice(0, options.budget).map(({ record }) => record);
}
