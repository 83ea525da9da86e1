import { ConfigError } from "../errors.ts";
import { list, real } from "../options.ts";

/** How far the probabilities of a menu may be from 1 together; other programs write them with seven digits, or fewer. */
export const SLACK = 1e-4;

/** Of an item that was chosen: that cannot have been impossible. */
export function checkPropensity(field: string, value: unknown): number {
  const bound = "be a number above 0, at most 1";
  const number = real(field, value, bound);
  if (!(number > 0 && number <= 1)) throw new ConfigError(field, value, bound);
  return number;
}

/** Of any item. */
export function checkProbability(field: string, value: unknown): number {
  const bound = "be a number from 0 to 1";
  const number = real(field, value, bound);
  if (!(number >= 0 && number <= 1 + SLACK)) throw new ConfigError(field, value, bound);
  return number;
}

export function checkTogether(field: string, values: ArrayLike<number>): void {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k]!;
  if (Math.abs(sum - 1) > SLACK) throw new ConfigError(field, `${sum} together`, "be 1 together");
}

/** Of all items of a menu: none of them negative, 1 together, and above 0 for the one that was chosen. */
export function checkPropensities(field: string, value: unknown, count: number, chosen: number): readonly number[] {
  const all = list(field, value, count).map((one, k) => checkProbability(`${field}[${k}]`, one));
  checkTogether(field, all);
  checkPropensity(`${field}[${chosen}]`, all[chosen]);
  return all;
}
