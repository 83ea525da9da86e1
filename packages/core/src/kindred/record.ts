import { ProtocolViolation, within } from "../errors.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import { type Complain, Reader, Writer } from "../numbers/bytes.ts";
import { hashText } from "../numbers/hash.ts";
import { slotSize } from "../numbers/packed.ts";
import type { Columns } from "./columns.ts";
import { Compact } from "./compact.ts";

/** Sums over observations, with the squares of the rewards: all that a Gaussian model asks for. */
export interface Sums {
  /** Σ x xᵀ (packed) and Σ r x. */
  readonly slot: Float64Array;
  /** Σ r². */
  readonly squares: number;
  readonly count: number;
  /** @internal Of sums in long vectors, where they are known as columns. */
  readonly columns?: Columns;
}

/**
 * What one peer has seen, as it published it: its own sums, nothing borrowed. Only the origin makes versions, and a
 * newer one replaces an older one; so records can be passed on by anybody, twice or late, and nothing counts twice.
 * Never changed once made: views share them. Its numbers are those that its bytes stand for, at its origin too.
 */
export interface PeerRecord extends Sums {
  readonly origin: PeerId;
  /** Rises with each that its origin publishes. */
  readonly version: number;
  /** How often its origin had started anew: its sums begin with that era. */
  readonly era: number;
  /** Of origin and era, for whoever must tell records apart quickly: 32 bits. */
  readonly hash: number;
  /** The record as it travels, and what its origin signs: origin | version | era | count | sums (compact.ts). */
  readonly body: Uint8Array;
  /** The origin's, over `body`; null where nobody signs. */
  readonly signature: Uint8Array | null;
  /** @internal Where its sums are told in coordinates of a span (span.ts): the record as it came. */
  readonly given?: PeerRecord;
}

export function publish(origin: PeerId, version: number, sums: Sums, era = 0): PeerRecord {
  const dimension = sums.columns?.dimension ?? (Math.sqrt(9 + 8 * sums.slot.length) - 3) / 2;
  const compact = new Compact(dimension);
  const out = new Writer();
  out.name(origin);
  out.varint(version);
  out.varint(era);
  out.varint(sums.count);
  compact.write(out, sums);
  return openRecord("record", out.bytes(), null, compact);
}

export const complain: Complain = (reason, field, value, bound) => new ProtocolViolation(reason, field, value, bound);

/** The record that `body` stands for. Its sums are a covariance whatever the bytes; their size is not checked here. */
export function openRecord(
  field: string,
  body: Uint8Array,
  signature: Uint8Array | null,
  compact: Compact,
): PeerRecord {
  const from = new Reader(body, complain);
  const origin = from.name(`${field} origin`);
  const version = positive(from, `${field} version`, MOST_VERSION);
  const era = within(`${field} era`, from.varint(`${field} era`), 0, MOST);
  const count = positive(from, `${field} count`, MOST);
  const slot = new Float64Array(slotSize(compact.dimension));
  const squares = compact.read(from, field, slot);
  from.end(field);
  return { origin, version, era, hash: hashText(named(origin, era)), slot, squares, count, body, signature };
}

/** Of eras and counts. */
const MOST = 0xffffffff;
/** What five bytes hold: versions may be counted from the clock, in sixteenths of a second for 68 years. */
const MOST_VERSION = 0x7_ffff_ffff;

function positive(from: Reader, field: string, most: number): number {
  return within(field, from.varint(field), 1, most);
}

/** Bits of what a greeting calls a record by: enough that two of a view seldom share them, few, because it names many. */
export const HASH_BITS = 20;

/**
 * What a greeting with this salt calls a record by. A new era has another one: its record may be shorter than the one
 * before, and whoever holds that one must still take it for one that it does not know. Greetings have salts of their own:
 * whoever makes up a name that is called the same as another one withholds that one's record once, and not for ever.
 */
export const calledBy = ({ origin, era }: Pick<PeerRecord, "origin" | "era">, salt: number): number =>
  hashText(named(origin, era), salt) >>> (32 - HASH_BITS);

const named = (origin: PeerId, era: number): string => (era === 0 ? origin : `${origin} ${era}`);

/** As if it were of no more than `most` observations. */
export function atMost(sums: Sums, most: number): Sums {
  const share = most / sums.count;
  if (share >= 1) return sums;
  return { slot: sums.slot.map((value) => value * share), squares: sums.squares * share, count: most };
}
