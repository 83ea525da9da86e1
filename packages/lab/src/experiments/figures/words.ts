import { numberText, showEstimate, showInterval, type Unit } from "../../report/numbers.ts";
import type { SeedEstimate } from "../../report/statistics/interval.ts";

/** Numbers in sentences, beyond what every figure needs. */

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 310462000 → "3.1·10⁸"; up to a hundred thousand as it is. */
export function rough(value: number): string {
  if (!(value >= 1e5) || !Number.isFinite(value)) return numberText(value);
  const power = Math.floor(Math.log10(value));
  const raised = [...`${power}`].map((digit) => RAISED[Number(digit)]).join("");
  return `${numberText(value / 10 ** power, 1)}·10${raised}`;
}

/** Whether all seeds agree: their mean may still differ in its last bits. */
export const isFlat = ({ value, low, high }: SeedEstimate): boolean =>
  low !== null && high !== null && high - low <= 1e-9 * Math.abs(value);

/** "0.52 (0.48 to 0.56)", "34.0 kB". */
export function withInterval(estimate: SeedEstimate, unit: Unit = "number"): string {
  const { value } = showEstimate(estimate, unit);
  const interval = showInterval(estimate, unit);
  return interval === null || isFlat(estimate) ? value : `${value} (${interval})`;
}
