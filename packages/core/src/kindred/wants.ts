import { ProtocolViolation } from "../errors.ts";
import { bestSplit, Packer, riceBits, Unpacker } from "../numbers/bits.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { KIN } from "./greeting.ts";
import { HASH_BITS } from "./record.ts";
import { calledOf, entryOf, WantList, type Wants, wantedOf } from "./wantList.ts";

/** Bits for the least want, and for the split of the others. */
const WANT_BITS = 7;
const SPLIT_BITS = 3;

/**
 * What a greeting says of each record, in 18 or 19 bits rather than 28: hashes in their order, so that only the gaps
 * between them are told, and wants by how much they are above the least of them, because most are near one another.
 */
interface Layout {
  /** From each hash to the next. */
  readonly gaps: Int32Array;
  readonly gapSplit: number;
  readonly least: number;
  /** Of each: how much it is above the least. */
  readonly above: Uint8Array;
  readonly aboveSplit: number;
  /** 1 of each that may be kin. */
  readonly kin: Uint8Array;
}

/** Gaps are about 2^HASH_BITS/size long. */
const splitOf = (size: number): number => Math.max(0, HASH_BITS - (31 - Math.clz32(size)));

/** Room for a layout. Nothing of it is used from one call to the next: to make it each time takes longer than to fill it. */
let room = roomFor(128);

function roomFor(size: number): Pick<Layout, "gaps" | "above" | "kin"> {
  return {
    gaps: new Int32Array(size),
    above: new Uint8Array(size),
    kin: new Uint8Array(size),
  };
}

/** By loops, not by callbacks: whoever counts the bytes of every exchange lays out every greeting. Lent until the next call. */
function layOut(wants: Wants): Layout {
  const { entries, size } = WantList.of(wants);
  if (room.gaps.length < size) room = roomFor(2 * size);
  const { gaps, above, kin } = room;
  let least: number = KIN;
  for (let k = 0; k < size; k++) least = Math.min(least, wantedOf(entries[k]!) & ~KIN);
  for (let k = 0, next = 0; k < size; k++) {
    const want = wantedOf(entries[k]!);
    const called = calledOf(entries[k]!);
    gaps[k] = called - next;
    next = called + 1;
    above[k] = (want & ~KIN) - least;
    kin[k] = (want & KIN) === 0 ? 0 : 1;
  }
  const aboveSplit = bestSplit(above, (1 << SPLIT_BITS) - 1, size);
  return { gaps, gapSplit: splitOf(size), least, above, aboveSplit, kin };
}

/** Nothing where there are none; else least | split | per record: gap, above the least, whether it may be kin. */
export function writeWants(out: Writer, wants: Wants): void {
  if (wants.size === 0) return;
  const { gaps, gapSplit, least, above, aboveSplit, kin } = layOut(wants);
  const packer = new Packer(out);
  packer.put(least, WANT_BITS);
  packer.put(aboveSplit, SPLIT_BITS);
  for (let k = 0; k < wants.size; k++) {
    packer.natural(gaps[k]!, gapSplit);
    packer.natural(above[k]!, aboveSplit);
    packer.put(kin[k]!, 1);
  }
  packer.end();
}

export function wantsBytes(wants: Wants): number {
  if (wants.size === 0) return 0;
  const { gaps, gapSplit, above, aboveSplit } = layOut(wants);
  let bits = WANT_BITS + SPLIT_BITS + wants.size;
  for (let k = 0; k < wants.size; k++) bits += riceBits(gaps[k]!, gapSplit) + riceBits(above[k]!, aboveSplit);
  return (bits + 7) >> 3;
}

export function readWants(from: Reader, field: string, size: number): WantList {
  const entries = new Int32Array(size);
  if (size === 0) return WantList.from(entries, 0);
  const unpacker = new Unpacker(from, field);
  const least = unpacker.take(WANT_BITS);
  const aboveSplit = unpacker.take(SPLIT_BITS);
  const gapSplit = splitOf(size);
  for (let k = 0, hash = -1; k < size; k++) {
    hash += 1 + unpacker.natural(gapSplit);
    const code = least + unpacker.natural(aboveSplit);
    if (hash >= 1 << HASH_BITS || code >= KIN) {
      const [what, value, most] = hash >= 1 << HASH_BITS ? ["hash", hash, 1 << HASH_BITS] : ["want", code, KIN];
      throw new ProtocolViolation("out-of-range", `${field}[${k}] ${what}`, value, `be below ${most}`);
    }
    entries[k] = entryOf(hash, code | (unpacker.take(1) === 1 ? KIN : 0));
  }
  unpacker.end();
  return WantList.from(entries, size);
}
