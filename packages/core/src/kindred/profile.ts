import { within } from "../errors.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { quarterOctave, quarterOctavesAbove } from "../numbers/powers.ts";

/** The furthest scale: 2^±900, beyond that of any reward. */
const FURTHEST = 3600;

/** What a peer tells of itself so that a partner can think of others like it: its estimate, roughly. */
export interface Profile {
  /** θ̂, each coordinate in so many of a unit, −127 to 127. */
  readonly steps: Int8Array;
  /** The unit is 2^(scale/4). */
  readonly scale: number;
  /** `countCode` of the observations behind it. */
  readonly evidence: number;
}

export function profileOf(estimate: Float64Array, evidence: number): Profile {
  let most = 0;
  for (let i = 0; i < estimate.length; i++) most = Math.max(most, Math.abs(estimate[i]!));
  const scale = most === 0 ? 0 : Math.max(-FURTHEST, Math.min(FURTHEST, quarterOctavesAbove(most / 127)));
  const unit = quarterOctave(scale);
  const steps = new Int8Array(estimate.length);
  for (let i = 0; i < steps.length; i++) steps[i] = clip(Math.round(estimate[i]! / unit));
  return { steps, scale, evidence };
}

/** |θ̂ − (centre + mean)|², where the centre stands in a list from `from` on. */
export function distanceTo({ steps, scale }: Profile, centre: Float64Array, mean: Float64Array, from = 0): number {
  const unit = quarterOctave(scale);
  let square = 0;
  for (let i = 0; i < steps.length; i++) {
    const off = steps[i]! * unit - centre[from + i]! - mean[i]!;
    square += off * off;
  }
  return square;
}

/** scale u16 | evidence u8 | a byte for each coordinate. */
export function writeProfile(out: Writer, { steps, scale, evidence }: Profile): void {
  out.u16(scale + 0x8000);
  out.u8(evidence);
  for (const step of steps) out.u8(step + 128);
}

export function readProfile(from: Reader, field: string, dimension: number): Profile {
  const scale = within(`${field} scale`, from.u16(field) - 0x8000, -FURTHEST, FURTHEST);
  const evidence = from.u8(field);
  const steps = new Int8Array(dimension);
  for (let i = 0; i < dimension; i++) steps[i] = from.u8(field) - 128;
  return { steps, scale, evidence };
}

const clip = (value: number): number => Math.max(-127, Math.min(127, value));
