import { describe, expect, it } from "vitest";
import { LabRun } from "./run.ts";
import { DEFAULTS, fromHash, type Setting, toHash } from "./setting.ts";

const SMALL: Setting = {
  ...DEFAULTS,
  peers: 12,
  clusters: 3,
  dimension: 4,
  rounds: 150,
  policies: ["random", "solo", "oracle"],
};

describe("a setting", () => {
  it("survives being a link", () => {
    expect(fromHash(toHash(SMALL))).toEqual(SMALL);
    expect(fromHash("")).toEqual(DEFAULTS);
    expect(fromHash("noise=0.25")).toEqual({ ...DEFAULTS, noise: 0.25 });
  });

  it.each([
    ["peers=0", "peers"],
    ["peers=x", "peers"],
    ["noise=-1", "noise"],
    ["peers=4&clusters=5", "clusters"],
    ["policies=", "policies"],
    ["policies=solo,<img>", "policies"],
  ])("that does not fit is refused: %s", (hash, field) => {
    expect(() => fromHash(hash)).toThrow(field);
  });
});

describe("a run", () => {
  const played = (setting: Setting) => {
    const run = new LabRun(setting);
    while (!run.done) run.step();
    return run.checkpoint();
  };

  it("gives the same again, and the order that must be", () => {
    const once = played(SMALL);
    expect(played(SMALL)).toEqual(once);
    const [random, solo, oracle] = once.regret;
    expect(solo).toBeLessThan(0.6 * random);
    expect(oracle).toBeLessThan(0.6 * solo);
    expect(once.bytes).toEqual([0, 0, null]);
    expect(played({ ...SMALL, seed: 2 }).regret).not.toEqual(once.regret);
  });

  it("meets the same world whatever else runs beside it", () => {
    const alone = played({ ...SMALL, policies: ["solo"] });
    expect(alone.regret[0]).toBe(played(SMALL).regret[1]);
  });
});
