import type { DcbOffer } from "@coterie/core/internal";
import type * as parts from "@coterie/net/internal";

/** Σ x xᵀ (packed), Σ r x: what observations weigh, whoever holds them. The simulation and chaos both count it. */
export type Mass = Float64Array;

/** All that a peer holds of anybody's observations: what waits in its buffer and what was promoted, each slot as it is. */
export function addHeld(total: Mass, { peer }: parts.PeerHost): void {
  const { slots } = peer.learner.offer() as DcbOffer;
  const { active } = peer.learner.view;
  for (let k = 0; k < total.length; k++) total[k]! += active[k]!;
  for (let position = 0; position < slots.length; position++) {
    const from = slots.offset(position);
    for (let k = 0; k < total.length; k++) total[k]! += slots.values[from + k]!;
  }
}

/** The largest difference between two masses, relative to the larger where that is above 1. */
export function gap(a: Mass, b: Mass): number {
  let worst = 0;
  for (let k = 0; k < a.length; k++) {
    worst = Math.max(worst, Math.abs(a[k]! - b[k]!) / Math.max(1, Math.abs(a[k]!), Math.abs(b[k]!)));
  }
  return worst;
}
