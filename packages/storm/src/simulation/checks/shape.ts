import { type DcbOffer, Factor, triangleSize } from "@coterie/core/internal";
import type * as parts from "@coterie/net/internal";
import { DIMENSION } from "../world/device.ts";

/** Every slot finite and positive semidefinite (packed, so symmetric by its form), and no more of them than the delay. */
export function shapeFault({ peer }: parts.PeerHost, delay: number): string | null {
  const { active, estimate, buffered } = peer.learner.view;
  for (const value of estimate) if (!Number.isFinite(value)) return `an estimate of ${value}`;
  const fault = matrixFault(active, 0);
  if (fault !== null) return `active sums: ${fault}`;
  const { slots } = peer.learner.offer() as Partial<DcbOffer>;
  if (slots === undefined) return null;
  if (buffered > delay + 1) return `${buffered} slots in a buffer for ${delay}`;
  for (let k = 0; k < slots.length; k++) {
    const found = matrixFault(slots.values, slots.offset(k));
    if (found !== null) return `slot ${k}: ${found}`;
  }
  return null;
}

const factor = new Factor(DIMENSION);

function matrixFault(values: Float64Array, offset: number): string | null {
  const size = triangleSize(DIMENSION);
  for (let k = 0; k < size + DIMENSION; k++) if (!Number.isFinite(values[offset + k])) return "a number that is none";
  let trace = 0;
  for (let i = 0, at = offset; i < DIMENSION; at += i + 2, i++) trace += values[at]!;
  return factor.refactor(values, offset, 1e-9 * trace + 1e-300) ? null : "not positive semidefinite";
}
