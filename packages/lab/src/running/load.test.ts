import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createWorld } from "../worlds/create.ts";
import { cellsOf } from "./cells.ts";
import { loadExperiment } from "./load.ts";
import { parseExperiment } from "./parse.ts";
import { runCell } from "./runCell.ts";

const folder = mkdtempSync(join(tmpdir(), "coterie-modules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Always the last arm: without a line of core, as a module may be that lives far from it. */
const LAST = `
const view = { estimate: [0], active: new Float64Array(3), evidence: 0, own: 0, buffered: 0, pruned: new Set() };
const learner = { choose: ({ count }) => count - 1, observe() {}, settle() {}, close() {}, catchUp() {}, resize() {},
  forget() {}, near: () => false, write() {}, read() {}, view };
const parts = { pairing: "none", delivery: "none", codec: null, propensity: "certain", slots: 0, ownClock: true };
export default (options) => {
  if ("colour" in options) throw Object.assign(new Error(), { name: "ConfigError", field: "colour", value: 1, bound: "not be there" });
  if ("fall" in options) throw new TypeError("it fell");
  return { kind: "last", options, ...parts, create: () => learner, ...options.changed };
};`;

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return `./${name}`;
};
file("last.mjs", LAST);

const world = { kind: "clusters", peers: 2, clusters: 1, dimension: 1, arms: 3, noise: 0 };
const load = (...policies: object[]) =>
  loadExperiment({ name: "e", worlds: [world], policies, rounds: 4, seeds: [1] }, folder);

describe("a policy of a module", () => {
  it("is named like any other, and plays", async () => {
    const experiment = await load(
      { kind: "random" },
      { module: "./last.mjs" },
      { module: "./last.mjs", name: "again" },
    );
    expect(experiment.policies.map(({ name, module }) => [name, module])).toEqual([
      ["random", undefined],
      ["last", "./last.mjs"],
      ["again", "./last.mjs"],
    ]);
    expect(Object.keys(experiment.modules!.digests)).toEqual(["./last.mjs"]);
    const cell = cellsOf(experiment)[1]!;
    const { row } = runCell(cell, await createWorld(cell.world.config, 1), { checkpoints: 1, clock: () => 0 });
    expect(row).toMatchObject({ policy: "last", kind: "last", sentBytes: 0 });
  });

  const given = (changed: object) => [{ module: "./last.mjs", changed }] as const;
  it.each<[string, readonly object[], RegExp]>([
    ["a missing file", [{ module: "./none.mjs" }], /^policies\[0\]\.module must be a JavaScript module .*ENOENT/],
    ["a path that is none", [{ module: 7 }], /^policies\[0\]\.module must be a non-empty text/],
    [
      "what does not parse",
      [{ module: file("bad.mjs", "export default (") }],
      /must be a module that can be loaded \(/,
    ],
    ["no default export", [{ module: file("no.mjs", "export const a = 1;") }], /have a function as its default export/],
    [
      "a kind beside it",
      [{ kind: "solo", module: "./last.mjs" }],
      /^policies\[0\]\.kind must not be combined with module/,
    ],
    [
      "an option it refuses",
      [{ module: "./last.mjs", colour: 1 }],
      /^policies\[0\]\.colour must not be there, but is 1/,
    ],
    [
      "a fault of its own",
      [{ module: "./last.mjs", fall: 1 }],
      /make a policy of these options, but is "TypeError: it fell"/,
    ],
    ["a kind that is built in", given({ kind: "dcb" }), /^policies\[0\]\.module: kind must differ from the kinds of/],
    ["no learner", given({ create: 1 }), /^policies\[0\]\.module: create must be a function/],
    ["an unknown pairing", given({ pairing: "tango" }), /^policies\[0\]\.module: pairing must be one of permutation/],
    ["a missing field", given({ ownClock: undefined }), /^policies\[0\]\.module: ownClock must be true or false/],
    ["meetings without a codec", given({ pairing: "calls" }), /^policies\[0\]\.module: codec must be an OfferCodec/],
  ])("is refused for %s, by place", async (_, policies, sentence) => {
    await expect(load(...policies)).rejects.toThrow(sentence);
  });

  it("is not made where nobody loaded it", () => {
    const document = { name: "e", worlds: [world], policies: [{ module: "./last.mjs" }], rounds: 1, seeds: [1] };
    expect(() => parseExperiment(document)).toThrow("policies[0].module must be loaded first");
  });
});
