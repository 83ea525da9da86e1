import { expect, it } from "vitest";
import type { Result } from "../results/types.ts";
import { cellsOf } from "./cells.ts";
import { parseExperiment } from "./parse.ts";
import { TimeLeft } from "./timeLeft.ts";

const world = { kind: "clusters", peers: 2, clusters: 1, dimension: 2, arms: 2, noise: 0 };
const cells = cellsOf(
  parseExperiment({
    name: "e",
    worlds: [world],
    policies: [{ kind: "solo" }, { kind: "kindred" }],
    rounds: 1,
    seeds: [1, 2, 3],
  }),
);
const done = (policy: string, secondsPerRun: number) =>
  ({ row: { world: "clusters", policy, secondsPerRun } }) as unknown as Result;

it("says nothing while a policy has finished nothing: cheap runs tell nothing of dear ones", () => {
  const time = new TimeLeft(cells, []);
  expect(time.seconds(1)).toBeNull();
  for (let k = 1; k <= 3; k++) time.finished(done("solo", 1), k);
  expect(time.seconds(3)).toBeNull();
  time.finished(done("kindred", 100), 103);
  // Two of 100 s each are left, and a second's work takes a second.
  expect(time.seconds(103)).toBeCloseTo(200);
  expect(time.seconds(150)).toBeCloseTo(153);
  expect(time.seconds(1000)).toBe(0);
});

it("counts threads and a busy machine by what was worked off in how long", () => {
  const time = new TimeLeft(cells, []);
  time.finished(done("solo", 1), 0.5);
  time.finished(done("kindred", 9), 20); // 10 s of work in 20 s
  expect(time.seconds(20)).toBeCloseTo((2 * 1 + 2 * 9) * 2);
});

it("takes the costs of a run that is gone on with, but not its speed", () => {
  const time = new TimeLeft(
    cells.filter(({ seed }) => seed > 1),
    [done("solo", 1), done("kindred", 9)],
  );
  expect(time.seconds(1)).toBeNull();
  time.finished(done("solo", 1), 1);
  expect(time.seconds(1)).toBeCloseTo(1 + 2 * 9);
});
