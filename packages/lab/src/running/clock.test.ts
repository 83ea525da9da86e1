import { expect, it } from "vitest";
import { secondsUsed } from "./clock.ts";

it("goes forward with what the thread does, and no faster than the wall's clock", () => {
  const [wall, before] = [performance.now(), secondsUsed()];
  let sum = 0;
  while (performance.now() - wall < 20) sum += Math.sqrt(sum + 1);
  const used = secondsUsed() - before;
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThanOrEqual((performance.now() - wall) / 1000 + 1e-3);
});
