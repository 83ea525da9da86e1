import { type Beat, FEED_VERSION, type FeedHeader, OUTCOMES, REASONS, ROWS, type RowKind } from "./format.ts";

/** A line of the feed that cannot be used. `version`: it comes from another version; `malformed`: nobody wrote it so. */
export class FeedError extends Error {
  override readonly name = "FeedError";
  constructor(
    readonly reason: "version" | "malformed",
    message: string,
  ) {
    super(message);
  }
}

const malformed = (message: string): FeedError => new FeedError("malformed", message);

/** A bound on what one feed may ask of a page. */
export const MOST_PEERS = 100_000;
const MOST_TEXT = 200;
const FAULTS = ["add", "kill", "cut", "heal", "lie", "truth"];

export function parseHeader(line: string): FeedHeader {
  const found = parseJson(line);
  if (found.coterie !== "feed") throw malformed("the feed does not begin with a header");
  if (found.version !== FEED_VERSION) {
    throw new FeedError("version", `the feed has version ${String(found.version)}, this page reads ${FEED_VERSION}`);
  }
  const { policy, periodMs, startedMs, source } = found;
  if (!isText(policy) || !isNumber(periodMs) || !isNumber(startedMs)) throw malformed("the header lacks a field");
  if (source !== "live" && source !== "simulation") throw malformed("the header names no source");
  return { coterie: "feed", version: FEED_VERSION, policy, periodMs, startedMs, source };
}

/** Checks everything that the model relies on, so that a bad line harms nothing but itself. */
export function parseBeat(line: string): Beat {
  const found = parseJson(line);
  if (!isNumber(found.at) || found.at < 0) throw malformed("a beat has no time");
  for (const kind of Object.keys(ROWS) as RowKind[]) checkRows(kind, found[kind]);
  checkJoined(found.joined);
  checkFaults(found.faults);
  checkTroubles(found.troubles);
  return found as unknown as Beat;
}

function parseJson(line: string): Record<string, unknown> {
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    throw malformed("a line of the feed is not JSON");
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) throw malformed("a line is no object");
  return found as Record<string, unknown>;
}

/** Columns that name a peer, by kind of row. */
const PEERS: Record<RowKind, readonly number[]> = {
  left: [0],
  earned: [0],
  met: [0, 1],
  state: [0],
  pool: [0, 1],
  lent: [0, 1],
  sees: [0],
  size: [0],
};
/** Columns that hold an index into a list, and its length. */
const INDEXES: Partial<Record<RowKind, readonly [column: number, length: number]>> = {
  left: [1, REASONS.length],
  met: [2, OUTCOMES.length],
  pool: [3, REASONS.length],
};

function checkRows(kind: RowKind, rows: unknown): void {
  if (rows === undefined) return;
  const width = ROWS[kind].length;
  if (!Array.isArray(rows) || rows.length % width !== 0) throw malformed(`${kind} is not made of rows of ${width}`);
  for (const value of rows as unknown[]) {
    if (value !== null && !isNumber(value)) throw malformed(`${kind} holds ${typeof value}`);
  }
  for (let at = 0; at < rows.length; at += width) {
    for (const column of PEERS[kind]) {
      if (!isIndex(rows[at + column], MOST_PEERS)) throw malformed(`${kind} names no peer`);
    }
    const index = INDEXES[kind];
    if (index !== undefined && !isIndex(rows[at + index[0]], index[1]))
      throw malformed(`${kind} holds an unknown code`);
  }
}

function checkJoined(joined: unknown): void {
  for (const one of listOf("joined", joined)) {
    const { peer, id, name, cluster } = one;
    const known = isIndex(peer, MOST_PEERS) && isText(id) && isText(name);
    if (!known || !(cluster === null || isIndex(cluster, MOST_PEERS))) throw malformed("joined holds no peer");
  }
}

function checkFaults(faults: unknown): void {
  for (const { what, peers } of listOf("faults", faults)) {
    if (typeof what !== "string" || !FAULTS.includes(what)) throw malformed("faults holds an unknown fault");
    if (!Array.isArray(peers) || !peers.every((peer) => isIndex(peer, MOST_PEERS)))
      throw malformed("faults names no peer");
  }
}

function checkTroubles(troubles: unknown): void {
  for (const { peer, text } of listOf("troubles", troubles)) {
    if (!isIndex(peer, MOST_PEERS) || !isText(text)) throw malformed("troubles holds no trouble");
  }
}

function listOf(field: string, list: unknown): Record<string, unknown>[] {
  if (list === undefined) return [];
  const whole = Array.isArray(list) && list.every((one) => typeof one === "object" && one !== null);
  if (!whole) throw malformed(`${field} is no list`);
  return list as Record<string, unknown>[];
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= MOST_TEXT;
const isIndex = (value: unknown, bound: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < bound;
