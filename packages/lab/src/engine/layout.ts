import { ConfigError } from "@coterie/core";
import { slotSize, triangleSize } from "@coterie/core/internal";
import { CONTEXT_BYTES, type ContextValues, MOST_BYTES } from "@coterie/kernels";
import { programSize } from "./programs.ts";

export interface EngineShape {
  readonly peers: number;
  readonly dimension: number;
  /** Arms that every peer is offered in every round. */
  readonly arms: number;
  /** The most slots that wait at once, the one that is due among them; of an epoch its rounds. */
  readonly slots: number;
  /** One slot an epoch instead of one a round? */
  readonly epochs: boolean;
  /** Are own sums kept too (dccb)? */
  readonly local: boolean;
  /** Rounds of arms that stand behind one another; 1 unless set. */
  readonly armRounds?: number;
  /** The most rows of a round's program: V, or half of it where all peers mix in pairs. */
  readonly rows: number;
}

/** Where everything stands. Numbers are of 8 bytes unless said; a peer's row in the scratch space takes 64 bytes. */
export interface EngineLayout {
  readonly contextAt: number;
  readonly context: ContextValues;
  readonly groups: number;
  /** Peers whose arms are in memory at once: a million peers' would not fit beside everything else. */
  readonly tile: number;
  readonly padded: number;
  /** Observations of the slots that wait: [slot][peer][extent], a ring. */
  readonly historyAt: number;
  readonly slotBytes: number;
  /** Two maps from peers to rows, u32, used in turn. */
  readonly rowsAt: readonly [number, number];
  readonly shownAt: number;
  readonly shownCount: number;
  /** Arms of two peers as they come, [peer][arm][feature]. */
  readonly stageAt: number;
  readonly scratchAt: number;
  readonly bytes: number;
}

const TILE = 4096;

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

export function layoutOf(shape: EngineShape): EngineLayout {
  const { peers, dimension: d, arms, slots } = shape;
  const padded = roundUp(peers, 4);
  const groups = padded / 4;
  const columns = roundUp(slotSize(d) + 1, 8);
  const extent = roundUp(d + 3, 2); // x, r, 1 and at least one zero, of which unused columns are made
  const programBytes = programSize(shape.rows);
  const tile = Math.min(padded, TILE);
  let end = roundUp(64 + CONTEXT_BYTES, 64);
  const take = (bytes: number): number => {
    const at = end;
    end = roundUp(end + bytes, 64);
    return at;
  };
  const factor = (triangleSize(d) + d) * 32;
  const localGroups = shape.local ? groups : 0;
  const slotBytes = 8 * padded * extent;
  const context: ContextValues = {
    dimension: d,
    peers,
    columns,
    arms,
    armsAt: take(8 * tile * d * arms * (shape.armRounds ?? 1)),
    extent,
    estimateAt: take(groups * 4 * d * 8),
    radiusAt: take(groups * 4 * 8),
    choicesAt: take(4 * padded),
    activeAt: take(groups * columns * 32),
    lowerAt: take(groups * factor),
    reciprocalAt: take(groups * d * 32),
    seenAt: 0,
    dueAt: 0,
    operandsAt: take(columns * 8),
    programsAt: take(programBytes * slots),
    programBytes,
    programCount: slots,
    firstProgram: 0,
    maps: 0,
    rowsAt: 0,
    weightsAt: take(8 * padded),
    resets: 0,
    resetPeersAt: take(shape.local ? 4 * padded : 0),
    resetSlotsAt: take(shape.local ? 8 * peers * columns : 0),
    localAt: take(localGroups * columns * 32),
    localLowerAt: take(localGroups * factor),
    localReciprocalAt: take(localGroups * d * 32),
    localEstimateAt: take(localGroups * d * 32),
    openAt: shape.epochs ? take(groups * columns * 32) : 0,
    closedAt: shape.epochs ? take(groups * columns * 32) : 0,
  };
  const historyAt = take(slotBytes * (shape.epochs ? 1 : slots));
  const rowsAt: [number, number] = [take(4 * padded), take(4 * padded)];
  const shownAt = take(localGroups * d * 32);
  const stageAt = take(16 * arms * d);
  const scratchAt = take(Math.max(128 * (peers + 1), 16 * (arms + 5 * d), 32 * d));
  return {
    contextAt: 64,
    context,
    groups,
    tile,
    padded,
    historyAt,
    slotBytes,
    rowsAt,
    shownAt,
    shownCount: 4 * localGroups * d,
    stageAt,
    scratchAt,
    bytes: end,
  };
}

/** Of which two numbers of an observation (x, r, 1, 0 …) each column is the product, in bytes. */
export function operands(dimension: number, columns: number): Uint32Array {
  const pairs: number[] = [];
  for (let i = 0; i < dimension; i++) for (let j = 0; j <= i; j++) pairs.push(8 * i, 8 * j);
  for (let i = 0; i < dimension; i++) pairs.push(8 * dimension, 8 * i);
  pairs.push(8 * (dimension + 1), 8 * (dimension + 1));
  while (pairs.length < 2 * columns) pairs.push(8 * (dimension + 2), 8 * (dimension + 2));
  return Uint32Array.from(pairs);
}

/** The most peers of this kind of fleet whose engine fits into one memory. */
export function mostPeers(shape: EngineShape): number {
  let [fits, beyond] = [0, 2 ** 32];
  while (beyond - fits > 1) {
    const peers = Math.floor((fits + beyond) / 2);
    // Rows go with the peers: all of them, or half as many.
    const rows = shape.rows < shape.peers ? Math.floor(peers / 2) + 1 : peers;
    if (layoutOf({ ...shape, peers, rows }).bytes <= MOST_BYTES) fits = peers;
    else beyond = peers;
  }
  return fits;
}

export function checkSize(shape: EngineShape, { bytes }: EngineLayout): void {
  if (bytes <= MOST_BYTES) return;
  const most = `be at most ${mostPeers(shape)}, so that ${shape.dimension} features and ${shape.slots} rounds of delay fit into 4 GiB, the limit of WebAssembly`;
  throw new ConfigError("peers", shape.peers, most);
}
