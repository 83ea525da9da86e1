import { ProtocolViolation, within } from "../errors.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import { type Complain, Reader, Writer } from "../numbers/bytes.ts";
import { avalanche, hashText } from "../numbers/hash.ts";
import { slotSize } from "../numbers/packed.ts";
import { Shared } from "../numbers/shared.ts";
import { Compact, factoredTrace, readFactored, square } from "./compact.ts";

/** Sums over observations, with the squares of the rewards: all that a Gaussian model asks for. */
export interface Sums {
  /** Σ x xᵀ (packed) and Σ r x. */
  readonly slot: Float64Array;
  /** Σ r². */
  readonly squares: number;
  readonly count: number;
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
  /** Of origin and era, for whoever must tell records apart quickly: 32 bits, and 32 others. */
  readonly hash: number;
  readonly twin: number;
  /** The record as it travels, and what its origin signs: origin | version | era | count | sums (compact.ts). */
  readonly body: Uint8Array;
  /** The origin's, over `body`; null where nobody signs. */
  readonly signature: Uint8Array | null;
}

export function publish(origin: PeerId, version: number, sums: Sums, era = 0): PeerRecord {
  const dimension = dimensionOf(sums.slot);
  const out = new Writer();
  out.name(origin);
  out.varint(version);
  out.varint(era);
  out.varint(sums.count);
  if (compact.dimension !== dimension) compact = new Compact(dimension);
  compact.write(out, sums);
  const written = out.bytes();
  const body = bodies.bytes(written.length);
  body.set(written);
  return openRecord("record", body, null, dimension, Number.POSITIVE_INFINITY, origin);
}

/** Bodies and sums of records, by the hundred thousand where many peers live in one process. */
const bodies = new Shared();
const slots = new Shared();

/** Nothing of it is used from one record to the next: to make it takes as long as to use it. */
let compact = new Compact(0);

const dimensionOf = (slot: Float64Array): number => (Math.sqrt(9 + 8 * slot.length) - 3) / 2;

export const complain: Complain = (reason, field, value, bound) => new ProtocolViolation(reason, field, value, bound);

/** A record as it came: L and y, which its bytes were checked by. S and v are made in their place when somebody first asks for them. */
class OpenedRecord implements PeerRecord {
  readonly hash: number;
  readonly twin: number;
  #squared = false;
  readonly #sums: Float64Array;

  constructor(
    readonly origin: PeerId,
    readonly version: number,
    readonly era: number,
    readonly count: number,
    readonly squares: number,
    readonly body: Uint8Array,
    readonly signature: Uint8Array | null,
    readonly dimension: number,
    factored: Float64Array,
  ) {
    const { hash, twin } = hashesOf(origin, era);
    this.hash = hash;
    this.twin = twin;
    this.#sums = factored;
  }

  get slot(): Float64Array {
    if (this.#squared) return this.#sums;
    this.#squared = true;
    square(this.#sums, this.dimension);
    return this.#sums;
  }
}

/**
 * The record that `body` stands for. Its sums are a covariance whatever the bytes; of their size only the trace is checked here, which is
 * at most `spread` times the count. Its origin is the text `known` where that is the same: versions then share it, and whoever looks for one
 * in a map need not compare letters.
 */
export function openRecord(
  field: string,
  body: Uint8Array,
  signature: Uint8Array | null,
  dimension: number,
  spread = Number.POSITIVE_INFINITY,
  known: PeerId | null = null,
): PeerRecord {
  const from = new Reader(body, complain);
  let part = "origin";
  const at = (): string => `${field} ${part}`;
  const named = from.name(at);
  const origin = named === known ? known : named;
  part = "version";
  const version = within(at, from.varint(at), 1, MOST_VERSION);
  part = "era";
  const era = within(at, from.varint(at), 0, MOST);
  part = "count";
  const count = within(at, from.varint(at), 1, MOST);
  const sums = slots.numbers(slotSize(dimension));
  const squares = readFactored(from, field, sums, dimension);
  from.end(field);
  part = "trace";
  within(at, factoredTrace(sums, dimension), 0, count * spread);
  return new OpenedRecord(origin, version, era, count, squares, body, signature, dimension, sums);
}

/** Of eras and counts. */
const MOST = 0xffffffff;
/** What five bytes hold: versions may be counted from the clock, in sixteenths of a second for 68 years. */
const MOST_VERSION = 0x7_ffff_ffff;

/** Bits of what a greeting calls a record by: enough that two of a view seldom share them, few, because it names many. */
export const HASH_BITS = 20;

/**
 * What a greeting with this salt calls a record by. A new era has another one: its record may be shorter than the one
 * before, and whoever holds that one must still take it for one that it does not know. Greetings have salts of their own:
 * whoever makes up a name that is called the same as another one withholds that one's record once, and not for ever.
 */
export const calledBy = ({ hash, twin }: Pick<PeerRecord, "hash" | "twin">, salt: number): number =>
  called(hash, twin, salt);

export const called = (hash: number, twin: number, salt: number): number =>
  avalanche(avalanche(hash ^ salt) ^ twin) >>> (32 - HASH_BITS);

/** The hashes of a record. Two, because whoever finds a name with the same ones as another could withhold that one's record for ever. */
export function hashesOf(origin: PeerId, era: number): Pick<PeerRecord, "hash" | "twin"> {
  const name = era === 0 ? origin : `${origin} ${era}`;
  return { hash: hashText(name), twin: hashText(name, 0x9e3779b1, 2) };
}

/** As if it were of no more than `most` observations. */
export function atMost(sums: Sums, most: number): Sums {
  const share = most / sums.count;
  if (share >= 1) return sums;
  return { slot: sums.slot.map((value) => value * share), squares: sums.squares * share, count: most };
}
