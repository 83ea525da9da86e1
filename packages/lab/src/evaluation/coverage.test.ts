import { expect, it } from "vitest";
import { checkCoverage } from "./coverage.ts";

/** The short form of `npm run coverage`: binomial limits at three deviations of 120 logs, 0.95 ± 0.06. */
it("95 % intervals contain the truth about as often as they say, and no estimate is biased", () => {
  const rows = checkCoverage({ logs: 120, choices: 400, seed: 2 });
  expect(rows.map(({ target }) => target)).toEqual(["uniform", "first", "best"]);
  for (const { truth, ips, snips, dr } of rows) {
    expect(truth).toBeGreaterThan(0.2);
    expect(Math.abs(dr.coverage - 0.95)).toBeLessThan(0.06);
    expect(dr.width).toBeLessThan(0.95 * ips.width);
    for (const { bias, biasError, coverage } of [ips, snips, dr]) {
      expect(Math.abs(bias)).toBeLessThan(4 * biasError);
      expect(coverage).toBeGreaterThan(0.87);
    }
  }
});

it("refuses a check of nothing", () => {
  expect(() => checkCoverage({ logs: 1, choices: 10, seed: 1 })).toThrow("logs must be a whole number from 2");
});
