import { ConfigError, Reader, Writer } from "@coterie/core";
import { type Heritage, slotSize } from "@coterie/core/internal";

/** A learner's heritage as bytes: the one part of a snapshot that every later version reads. */
export function heritageBytes(heritage: Heritage | null): Uint8Array {
  const out = new Writer();
  if (heritage !== null) writeHeritage(out, heritage);
  return out.bytes();
}

/** Σ x xᵀ (packed) and Σ r x, d(d+1)/2 + d numbers, then Σ r², count, era and version. */
export function writeHeritage(out: Writer, { slot, squares, count, era, version }: Heritage): void {
  out.f64s(slot);
  for (const number of [squares, count, era, version]) out.f64(number);
}

export function readHeritage(bytes: Uint8Array, dimension: number): Heritage | null {
  if (bytes.length === 0) return null;
  const from = new Reader(bytes, (_, field, value, bound) => new ConfigError(field, value, bound));
  const heritage = heritageFrom(from, dimension);
  from.end("heritage");
  return heritage;
}

export function heritageFrom(from: Reader, dimension: number): Heritage {
  const slot = new Float64Array(slotSize(dimension));
  from.f64s("heritage", slot);
  const squares = from.f64("heritage");
  const count = from.f64("heritage");
  const era = from.f64("heritage");
  const version = from.f64("heritage");
  return { slot, squares, count, era, version };
}
