import { policyKinds } from "@coterie/core";
import { cellsOf, createWorld, parseExperiment, runCell } from "@coterie/lab";
import { describe, expect, it } from "vitest";
import { captionOf } from "./caption.ts";
import finished from "./finished.json" with { type: "json" };
import { FINISHED_POINTS, roundedRun } from "./finished.ts";
import { ABOUT } from "./policies.ts";
import { PRESETS, presetOf } from "./presets.ts";
import { LabRun, playAll, type RunSums } from "./run.ts";
import { checkSetting, DEFAULTS, experimentOf, fromHash, type Setting, toHash } from "./setting.ts";

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
    for (const { name, setting } of PRESETS) expect(presetOf(fromHash(toHash(setting)))?.name).toBe(name);
    expect(presetOf(SMALL)).toBeNull();
  });

  it.each([
    ["peers=0", "peers"],
    ["peers=x", "peers"],
    ["noise=-1", "noise"],
    ["peers=4&clusters=5", "clusters"],
    ["policies=", "policies"],
    ["policies=solo,<img>", "policies"],
    ["peers=", "peers must be a whole number"],
    ["items=3&arms=10", "items"],
    ["moves=5&clusters=1", "moves"],
    ["peers=4&liars=4", "liars"],
  ])("that does not fit is refused: %s", (hash, field) => {
    expect(() => fromHash(hash)).toThrow(field);
  });
});

describe("a field that was left empty", () => {
  it("is named, with its bounds", () => {
    expect(() => checkSetting({ ...DEFAULTS, peers: Number.NaN })).toThrow("peers must be a number from 1 to 400");
  });
});

describe("the runs that come with the page", () => {
  const runs = finished as unknown as Record<string, RunSums[]>;

  it.each(PRESETS)("$name: is a whole run of its setting, and its caption says what it shows", ({ name, setting }) => {
    const points = runs[name];
    expect(points.at(-1)?.round).toBe(setting.rounds);
    for (const point of points) expect(point.regret.length).toBe(setting.policies.length);
    const caption = captionOf(setting, points).join(" ");
    const honest = setting.peers - setting.liars;
    const [solo, kindred] = (["solo", "kindred"] as const).map(
      (kind) => points.at(-1)!.regret[setting.policies.indexOf(kind)] / honest,
    );
    const change = Math.round(100 * Math.abs(1 - kindred / solo));
    const than = kindred < solo ? "less" : "more";
    expect(caption).toContain(
      `kindred has ${change} % ${than} regret than learning alone (${kindred.toFixed(1)} against`,
    );
    expect(caption.includes("tastes changed")).toBe(setting.moves > 0);
  });

  it("are what the command makes: solo, which nothing can change, gives the same numbers again", () => {
    const { name, setting } = PRESETS[0];
    const alone = roundedRun(playAll({ ...setting, policies: ["solo"] }, FINISHED_POINTS));
    const place = setting.policies.indexOf("solo");
    expect(alone.map(({ round, regret }) => [round, regret[0]])).toEqual(
      runs[name].map(({ round, regret }) => [round, regret[place]]),
    );
  });

  it("every policy is explained", () => {
    expect(Object.keys(ABOUT).sort()).toEqual([...policyKinds].sort());
  });
});

describe("liars", () => {
  it("are not counted, harm who pools with everybody, and nobody who learns alone", () => {
    const policies = ["solo", "pooled"] as const;
    const [with5, without] = [5, 0].map((liars) =>
      playAll({ ...SMALL, clusters: 1, liars, policies }, 1)[0].regret.map((sum) => sum / (12 - liars)),
    );
    expect(with5[0] / without[0]).toBeGreaterThan(0.6);
    expect(with5[0] / without[0]).toBeLessThan(1.6);
    expect(with5[1] / without[1]).toBeGreaterThan(3);
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
    // A catalogue and a change of tastes: they too are the lab's own.
    const more = { items: 12, arms: 6, moves: 30 };
    const setting: Setting = {
      ...SMALL,
      ...more,
      rounds: 60,
      policies: ["random", "solo", "dccb", "kindred", "oracle"],
    };
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
