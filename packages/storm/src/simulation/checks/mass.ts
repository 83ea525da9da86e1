import { slotSize } from "@coterie/core/internal";
import type { Mass } from "../../mass.ts";
import type { ToldReward } from "../world/app.ts";
import { DIMENSION } from "../world/device.ts";

export const noMass = (): Mass => new Float64Array(slotSize(DIMENSION));

export function addTold(total: Mass, { x, value, times }: ToldReward): void {
  let at = 0;
  for (let i = 0; i < DIMENSION; i++) for (let j = 0; j <= i; j++) total[at++]! += times * x[i]! * x[j]!;
  for (let i = 0; i < DIMENSION; i++) total[at++]! += times * value * x[i]!;
}

export function plus(a: Mass, b: Mass, scale = 1): Mass {
  return a.map((value, k) => value + scale * b[k]!);
}
