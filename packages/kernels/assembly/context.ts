/**
 * Where everything of an engine stands in memory, in bytes; written by src/context.ts, which has the same fields in the
 * same order. Peers stand in groups of four, `[group][entry][lane]`, so that a vector holds two peers' numbers and what
 * is done for one entry is done for four peers. Columns of a slot are its gram, its moment and its count.
 */
@unmanaged
export class Context {
  dimension: u32;
  peers: u32;
  /** Columns of a slot, padded to whole blocks. */
  columns: u32;
  arms: u32;
  /** Arms are [pair of peers][feature][arm][2]. */
  armsAt: u32;
  /** Numbers of an observation (x, r, 1), padded to an even count. */
  extent: u32;
  estimateAt: u32;
  radiusAt: u32;
  choicesAt: u32;
  activeAt: u32;
  lowerAt: u32;
  reciprocalAt: u32;
  /** This round's observations and those of the slot that is due, [peer][extent]. */
  seenAt: u32;
  dueAt: u32;
  /** [column][2]: which two numbers of an observation a column is the product of, in bytes. */
  operandsAt: u32;
  /** A ring of programs: counts of pairs and items, where the items stand (by rows, by peers), then pairs and items. */
  programsAt: u32;
  programBytes: u32;
  programCount: u32;
  firstProgram: u32;
  maps: u32;
  /** Where a peer's row is after the last map, in bytes, and what a slot counts for it. */
  rowsAt: u32;
  weightsAt: u32;
  resets: u32;
  resetPeersAt: u32;
  resetSlotsAt: u32;
  localAt: u32;
  localLowerAt: u32;
  localReciprocalAt: u32;
  localEstimateAt: u32;
  /** Epochs: what this one has gathered, and the last one's as it was when it ended, as `activeAt`; 0 with a slot a round. */
  openAt: u32;
  closedAt: u32;
}

// @ts-ignore: decorator
@inline
export function triangle(d: u32): u32 {
  return (d * (d + 1)) >> 1;
}

/** Bytes of one entry of a group of four peers. */
export const GROUP: u32 = 32;
