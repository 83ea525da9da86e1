import { cellsOf, createWorld, parseExperiment, runCell } from "@coterie/lab";
import { describe, expect, it } from "vitest";
import { LabRun } from "./run.ts";
import { DEFAULTS, experimentOf, fromHash, type Setting, toHash } from "./setting.ts";

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

  it("has the curves that coterie run gives for the same setting, bit for bit", async () => {
    const setting: Setting = { ...SMALL, rounds: 60, policies: ["random", "solo", "dccb", "kindred", "oracle"] };
    const run = new LabRun(setting);
    const points = Array.from({ length: setting.rounds }, () => {
      run.step();
      return run.checkpoint();
    });
    const cells = cellsOf(parseExperiment(experimentOf(setting)));
    expect(cells.length).toBe(setting.policies.length);
    for (const [k, cell] of cells.entries()) {
      const world = await createWorld(cell.world.config, cell.seed);
      const { checkpoints } = runCell(cell, world, { checkpoints: setting.rounds, clock: () => 0 });
      expect(checkpoints.map(({ round, regret, reward, sentBytes }) => [round, regret, reward, sentBytes])).toEqual(
        points.map(({ round, regret, reward, bytes }) => [round, regret[k], reward[k], bytes[k]]),
      );
    }
  });
});
