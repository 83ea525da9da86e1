import { ProtocolViolation } from "../errors.ts";
import { bestSplit, Packer, riceBits, Unpacker } from "../numbers/bits.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { KIN } from "./greeting.ts";
import { HASH_BITS } from "./record.ts";

/** Bits for the least want, and for the split of the others. */
const WANT_BITS = 7;
const SPLIT_BITS = 3;

/**
 * What a greeting says of each record, in 18 or 19 bits rather than 28: hashes in their order, so that only the gaps
 * between them are told, and wants by how much they are above the least of them, because most are near one another.
 */
type Wants = ReadonlyMap<number, number>;

interface Layout {
  readonly hashes: Int32Array;
  /** From each hash to the next. */
  readonly gaps: number[];
  readonly gapSplit: number;
  readonly least: number;
  /** Of each: how much it is above the least. */
  readonly above: number[];
  readonly aboveSplit: number;
}

/** Gaps are about 2^HASH_BITS/size long. */
const splitOf = (size: number): number => Math.max(0, HASH_BITS - (31 - Math.clz32(size)));

function layOut(wants: Wants): Layout {
  const hashes = Int32Array.from(wants.keys()).sort();
  const gaps = Array.from(hashes, (hash, k) => hash - (k === 0 ? 0 : hashes[k - 1]! + 1));
  const codes = Array.from(hashes, (hash) => wants.get(hash)! & ~KIN);
  const least = Math.min(...codes);
  const above = codes.map((code) => code - least);
  return {
    hashes,
    gaps,
    gapSplit: splitOf(hashes.length),
    least,
    above,
    aboveSplit: bestSplit(above, (1 << SPLIT_BITS) - 1),
  };
}

/** Nothing where there are none; else least | split | per record: gap, above the least, whether it may be kin. */
export function writeWants(out: Writer, wants: Wants): void {
  if (wants.size === 0) return;
  const { hashes, gaps, gapSplit, least, above, aboveSplit } = layOut(wants);
  const packer = new Packer(out);
  packer.put(least, WANT_BITS);
  packer.put(aboveSplit, SPLIT_BITS);
  for (let k = 0; k < hashes.length; k++) {
    packer.natural(gaps[k]!, gapSplit);
    packer.natural(above[k]!, aboveSplit);
    packer.put((wants.get(hashes[k]!)! & KIN) === 0 ? 0 : 1, 1);
  }
  packer.end();
}

export function wantsBytes(wants: Wants): number {
  if (wants.size === 0) return 0;
  const { gaps, gapSplit, above, aboveSplit } = layOut(wants);
  let bits = WANT_BITS + SPLIT_BITS + wants.size;
  for (const gap of gaps) bits += riceBits(gap, gapSplit);
  for (const code of above) bits += riceBits(code, aboveSplit);
  return (bits + 7) >> 3;
}

export function readWants(from: Reader, field: string, size: number): Map<number, number> {
  const wants = new Map<number, number>();
  if (size === 0) return wants;
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
    wants.set(hash, code | (unpacker.take(1) === 1 ? KIN : 0));
  }
  unpacker.end();
  return wants;
}
