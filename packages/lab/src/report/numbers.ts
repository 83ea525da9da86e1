import type { SeedEstimate } from "./statistics/interval.ts";

/** Numbers as a reader wants them: few digits, thousands apart, a true minus sign. The files keep every bit. */

const MOST_DECIMALS = 8;

/** Places after the point that show `digits` significant digits of a size. */
function decimalsFor(size: number, digits: number): number {
  if (!(size > 0) || !Number.isFinite(size)) return 0;
  return Math.min(MOST_DECIMALS, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

/** 1234567.8 → "1,234,568"; decimals are those asked for, else what shows three significant digits. */
export function numberText(value: number, decimals = decimalsFor(Math.abs(value), 3)): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : value > 0 ? "∞" : "−∞";
  if (value !== 0 && Math.abs(value) < 1e-6) return minus(value.toExponential(1));
  const [whole, fraction] = Math.abs(value).toFixed(decimals).split(".") as [string, string?];
  const grouped = whole.includes("e") ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

const minus = (text: string): string => text.replaceAll("-", "−");

const BYTES: readonly (readonly [number, string])[] = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

/** The unit of a value as it will be shown: 999,900 is 1.00 MB, not 1,000 kB. */
const bytesUnit = (value: number): readonly [size: number, unit: string] =>
  BYTES.find(([limit]) => Math.abs(value) >= limit * 0.9995) ?? [1, "B"];

/** 1234567 → "1.23 MB". */
export function bytes(value: number): string {
  const [size, unit] = bytesUnit(value);
  const shown = Number((value / size).toPrecision(3)); // 0.9999 is to read 1.00, not 1.000
  return `${numberText(shown, size === 1 && Number.isInteger(value) ? 0 : undefined)} ${unit}`;
}

/** A value of a measure: how it and its interval are written. */
export type Unit = "number" | "bytes" | "share";

/** One value. */
export function show(value: number, unit: Unit = "number"): string {
  if (unit === "bytes") return bytes(value);
  if (unit === "share") return `${numberText(value * 100, 1)} %`;
  return Number.isInteger(value) && Math.abs(value) < 1e6 ? numberText(value, 0) : numberText(value);
}

/** Value and bounds with the same number of places, as many as the width of the interval deserves. */
export function showEstimate(
  estimate: SeedEstimate,
  unit: Unit = "number",
): { value: string; low: string; high: string } {
  const { value, low, high } = estimate;
  if (low === null || high === null) return { value: show(value, unit), low: "", high: "" };
  const width = high - low;
  // A width of rounding errors asks for no digits.
  if (unit !== "number" || width <= 1e-9 * Math.abs(value)) {
    return { value: show(value, unit), low: show(low, unit), high: show(high, unit) };
  }
  const decimals = decimalsFor(width, 2);
  return { value: numberText(value, decimals), low: numberText(low, decimals), high: numberText(high, decimals) };
}

/** "170 to 193", "3.4 to 5.6 kB", or null where there is no interval. */
export function showInterval(estimate: SeedEstimate, unit: Unit = "number"): string | null {
  const { low, high } = estimate;
  if (low === null || high === null) return null;
  if (unit === "bytes" && low >= 0) {
    const [size, name] = bytesUnit(high);
    const decimals = decimalsFor((high - low) / size, 2) || undefined;
    return `${numberText(low / size, decimals)} to ${numberText(high / size, decimals)} ${name}`;
  }
  const shown = showEstimate(estimate, unit);
  return `${shown.low} to ${shown.high}`;
}

/** "0.004", "< 0.001". */
export const showP = (p: number): string => (p < 0.001 ? "< 0.001" : numberText(p, p < 0.1 ? 3 : 2));

/** "1 seed", "10 seeds". */
export const count = (many: number, one: string, several = `${one}s`): string =>
  `${numberText(many, 0)} ${many === 1 ? one : several}`;
