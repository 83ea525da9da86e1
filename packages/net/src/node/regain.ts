import { addObservation, type Heritage, type PeerRecord, traceOf } from "@coterie/core/internal";

/** What a peer goes on from, and how much of it is from before the loss; `left` is null where no more is to be asked for. */
export interface Regained {
  readonly heritage: Heritage;
  readonly left: Heritage | null;
}

/**
 * Own observations that a peer lost come back with a record that it had published. What it has seen since stays:
 *
 *     own = record + (now − left)
 *
 * `left` is what it knew when the loss was found, or the last record that came back; its version is the highest that may have
 * been published before the loss. Null where the record says nothing that the peer does not know.
 */
export function regain(left: Heritage, now: Heritage, record: PeerRecord): Regained | null {
  // Later records hold what was seen since.
  if (record.version > left.version) return null;
  const version = Math.max(now.version, record.version);
  if (now.era !== left.era) {
    // The peer has started anew since: what it saw before says nothing of it. Only its era must be one of its own.
    const era = Math.max(now.era, record.era + 1);
    return { heritage: { ...copyOf(now), era, version }, left: null };
  }
  if (record.era < left.era || (record.era === left.era && record.count <= left.count)) return null;
  const known = { ...bounded(record), era: record.era, version: left.version };
  const slot = known.slot.map((value, k) => value + (now.slot[k]! - left.slot[k]!));
  const squares = Math.max(0, known.squares + now.squares - left.squares);
  const count = known.count + now.count - left.count;
  return { heritage: { slot, squares, count, era: known.era, version }, left: known };
}

/**
 * A reward for a choice of before the loss. The record may hold it already, so it counts as part of what was left, and not
 * as new: nothing counts twice.
 */
export function retold(left: Heritage, arm: Float64Array, reward: number): Heritage {
  const slot = left.slot.slice();
  addObservation(slot, 0, arm.length, arm, 0, reward);
  return { ...left, slot, squares: left.squares + reward * reward, count: left.count + 1 };
}

export const copyOf = (heritage: Heritage): Heritage => ({ ...heritage, slot: heritage.slot.slice() });

/** Rounding makes sums larger than those of any observations (core's compact.ts). Published again they would grow once more. */
function bounded({ slot, squares, count }: PeerRecord): Pick<Heritage, "slot" | "squares" | "count"> {
  const dimension = (Math.sqrt(9 + 8 * slot.length) - 3) / 2;
  const scale = Math.min(1, count / traceOf(slot, dimension));
  return { slot: slot.map((value) => scale * value), squares: scale * squares, count };
}
