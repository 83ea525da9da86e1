import { ConfigError, check, type Heritage, type Reader, slotSize, type Writer } from "@coterie/core";

/** A learner's heritage in a snapshot: the one part of it that every later version reads. */
export function writeHeritage(out: Writer, heritage: Heritage | null): void {
  out.u8(heritage === null ? 0 : 1);
  if (heritage === null) return;
  const { slot, squares, count, era, version } = heritage;
  out.f64s(slot);
  for (const number of [squares, count, era, version]) out.f64(number);
}

export function readHeritage(from: Reader, dimension: number): Heritage | null {
  if (from.u8("heritage") === 0) return null;
  const slot = new Float64Array(slotSize(dimension));
  from.f64s("heritage", slot);
  const squares = from.f64("heritage");
  const count = from.f64("heritage");
  const era = from.f64("heritage");
  return { slot, squares, count, era, version: from.f64("heritage") };
}

/** Numbers that some observations may have: those of a peer that went on from others would spread. */
export function checkHeritage(heritage: Heritage): Heritage {
  const { slot, squares, count, era, version } = heritage;
  check.whole("heritage.count", count, 0, MOST);
  check.whole("heritage.era", era, 0, MOST);
  check.whole("heritage.version", version, 0, 2 ** 35 - 2 ** 20);
  const finite = Number.isFinite(squares) && slot.every((value) => Number.isFinite(value));
  if (!finite || squares < 0) throw new ConfigError("heritage.sums", squares, "be those of observations");
  return heritage;
}

const MOST = 0xffffff00;
