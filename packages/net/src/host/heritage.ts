import { ConfigError, check, type Heritage, MOST_RENEWED, Reader, slotSize, Writer } from "@coterie/core";
import { complain } from "./complain.ts";

/** A learner's heritage in a snapshot: the one part of it that every later version reads. */
export function heritageBytes(heritage: Heritage | null): Uint8Array {
  const out = new Writer();
  if (heritage === null) return out.bytes();
  const { slot, squares, count, era, version } = heritage;
  out.f64s(slot);
  for (const number of [squares, count, era, version]) out.f64(number);
  return out.bytes();
}

export function readHeritage(bytes: Uint8Array, dimension: number): Heritage | null {
  if (bytes.length === 0) return null;
  const from = new Reader(bytes, complain);
  const slot = new Float64Array(slotSize(dimension));
  from.f64s("heritage", slot);
  const squares = from.f64("heritage");
  const count = from.f64("heritage");
  const era = from.f64("heritage");
  const version = from.f64("heritage");
  from.end("heritage");
  return { slot, squares, count, era, version };
}

/** Numbers that some observations may have: those of a peer that went on from others would spread. */
export function checkHeritage(heritage: Heritage): Heritage {
  const { slot, squares, count, era, version } = heritage;
  check.whole("heritage.count", count, 0, MOST);
  check.whole("heritage.era", era, 0, MOST);
  check.whole("heritage.version", version, 0, MOST_RENEWED);
  const finite = Number.isFinite(squares) && slot.every((value) => Number.isFinite(value));
  if (!finite || squares < 0) throw new ConfigError("heritage.sums", squares, "be those of observations");
  return heritage;
}

const MOST = 0xffffff00;
