import { dccb, kindred, type Policy, solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { attack } from "./attacks.ts";
import { measureBadStart } from "./badStart.ts";
import { measureBias } from "./bias.ts";
import { measureOrigins } from "./origins.ts";
import { measureRegret } from "./regret.ts";
import { measureTwoFaced } from "./twoFaced.ts";

const INVENTED = { rewards: "0 to 1", claim: "opposite", rounds: 60 } as const;

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

  it("a guard keeps dccb from doing much worse than alone, however many observations a fifth claims", () => {
    const setting = { peers: 15, liars: 0.2, lie: "opposite", rounds: 150, seed: 1 } as const;
    const alone = measureRegret({ ...setting, policy: solo() });
    for (const claims of [1, 50]) {
      expect(measureRegret({ ...setting, claims, policy: dccb({ sharing: "mutual" }) })).toBeGreaterThan(2.5 * alone);
      const guarded = dccb({ sharing: "mutual", guard: true });
      // So few peers and rounds: it takes a part of them to find out.
      expect(measureRegret({ ...setting, claims, policy: guarded })).toBeLessThan(1.3 * alone);
    }
  });

  it("kindred keeps its gain although a fifth lies, because it puts their records into groups of their own", () => {
    const seeds = [1, 2, 3, 4, 5, 6];
    const sum = (policy: Policy): number =>
      seeds.reduce((total, seed) => {
        const setting = { peers: 15, liars: 0.2, lie: "opposite", rounds: 100, seed } as const;
        return total + measureRegret({ ...setting, policy });
      }, 0);
    const alone = sum(solo());
    expect(sum(kindred()) / alone).toBeLessThan(0.82);
    expect(sum(kindred({ groups: false })) / alone).toBeGreaterThan(0.85);
  });

  it("peers that parted after a bad start find together again where prunes can be undone", () => {
    const [never, again] = [undefined, 2].map((forgive) => measureBadStart(forgive, 12, 200, 1).sharing);
    expect(never).toBeLessThan(0.3);
    expect(again).toBeGreaterThan(0.65);
  });

  it("a member that speaks for many costs others little where strangers are weighed, and much where they are not", () => {
    const play = (policy: Policy, origins: number): number =>
      [5, 6].reduce((sum, seed) => sum + measureOrigins({ ...INVENTED, policy, origins, seed }), 0);
    const alone = play(solo(), 0);
    expect(play(kindred(), 20) / alone).toBeGreaterThan(1.3);
    expect(play(kindred({ wary: true }), 20) / alone).toBeLessThan(1.05);
  });

  it("have names", () => {
    expect(() => attack("nothing")).toThrow(
      /^--attack must be one of bias, two-faced, regret, boasts, origins, bad-start, names, silent, third-party, office, all/,
    );
  });
});
