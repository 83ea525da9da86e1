import { dccb, solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { attack } from "./attacks.ts";
import { measureBias } from "./bias.ts";
import { measureRegret } from "./regret.ts";
import { measureTwoFaced } from "./twoFaced.ts";

describe("attacks", { timeout: 120_000 }, () => {
  it("a liar that never moves owns a matured slot, and clipping takes it away from it", () => {
    const few = { peers: 40, liars: 1, seed: 1 };
    expect(measureBias({ ...few, liars: 0 }).liars).toBe(0);
    const [open, clipped] = [measureBias(few).liars, measureBias({ ...few, clip: 2 }).liars];
    expect(open).toBeGreaterThan(0.3);
    expect(clipped).toBeLessThan(open / 4);
  });

  it("a two-faced liar stops sharing where neighbourhoods must be equal, and not where they need not", () => {
    expect(measureTwoFaced("equal", 12, 60, 1)).toBeLessThan(0.6);
    expect(measureTwoFaced("mutual", 12, 60, 1)).toBe(1);
  });

  it("regret is that of the honest, the same for the same seed", () => {
    const setting = { peers: 12, liars: 0.2, lie: "opposite", rounds: 40, seed: 3 } as const;
    const alone = measureRegret({ ...setting, policy: solo() });
    expect(measureRegret({ ...setting, policy: solo() })).toBe(alone);
    // Nobody hears the liars.
    expect(measureRegret({ ...setting, lie: "anything", policy: solo() })).toBe(alone);
    expect(measureRegret({ ...setting, policy: dccb() })).not.toBe(alone);
  });

  it("have names", () => {
    expect(() => attack("nothing")).toThrow(/^--attack must be one of bias, two-faced, regret, all/);
  });
});
