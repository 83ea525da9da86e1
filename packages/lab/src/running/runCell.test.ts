import { describe, expect, it } from "vitest";
import type { DatasetCatalogue } from "../data/catalogue.ts";
import type { Result } from "../results/types.ts";
import { createWorld } from "../worlds/create.ts";
import { DatasetWorld } from "../worlds/dataset.ts";
import { DatasetInTimeWorld } from "../worlds/datasetInTime.ts";
import { TIMED } from "../worlds/testing/timed.ts";
import { cellsOf } from "./cells.ts";
import { parseExperiment } from "./parse.ts";
import { isCheckpoint, runCell } from "./runCell.ts";

const world = { kind: "clusters", peers: 10, clusters: 2, dimension: 4, arms: 6, noise: 0.2 };

const skeleton = { name: "t", worlds: [world], rounds: 1, seeds: [3] };

async function run(policies: object[], worlds: object[] = [world], rounds = 120): Promise<Result[]> {
  const experiment = parseExperiment({ name: "t", worlds, policies, rounds, seeds: [3], checkpoints: 12 });
  const results: Result[] = [];
  for (const cell of cellsOf(experiment)) {
    const played = await createWorld(cell.world.config, cell.seed, cell.world.rounds);
    results.push(runCell(cell, played, { checkpoints: experiment.checkpoints, clock: () => 0 }));
  }
  return results;
}

describe("a run", () => {
  it("is the same, bit for bit, every time", async () => {
    const policies = [{ kind: "dccb", choice: "thompson" }, { kind: "club" }, { kind: "dcb", pairing: "asynchronous" }];
    expect(await run(policies)).toEqual(await run(policies));
  });

  it("compares with the random policy in the same rounds, where that earns anything", () => {
    const catalogue: DatasetCatalogue = {
      dataset: "made up",
      dimension: 2,
      itemCount: 4,
      features: Float64Array.from([1, 0, 0, 1, -1, 0, 0, -1]),
      itemIds: Int32Array.from([1, 2, 3, 4]),
      peers: [0, 1, 2].map((k) => ({ userId: k, items: Int32Array.from([k]) })),
      zeroRows: 0,
      notes: [],
    };
    const config = { kind: "dataset", dataset: "lastfm", peers: 3, dimension: 2, arms: 3 } as const;
    const policies = parseExperiment({ ...skeleton, policies: [{ kind: "random" }, { kind: "solo" }] }).policies;
    const [random, solo] = policies.map((policy, index) => {
      const cell = { index, policy, seed: 1, world: { name: "w", config, rounds: 200, policies: null } };
      return runCell(cell, new DatasetWorld(config, catalogue, 1), { checkpoints: 5, clock: () => 0 }).row;
    });
    expect(random!.rewardOverRandom).toBe(1);
    expect(solo!.rewardOverRandom).toBe(solo!.reward / random!.reward);
    expect(solo!.rewardOverRandom!).toBeGreaterThan(1.5);
    expect(solo!.regret).toBeNull();
  });

  it("gives no ratio to a random policy that earns nothing but noise", async () => {
    const [solo] = await run([{ kind: "solo" }]);
    expect(solo!.row.rewardOverRandom).toBeNull();
  });

  it("knows what random and the oracle should come to", async () => {
    const [random, oracle, solo, pooled] = (
      await run([{ kind: "random" }, { kind: "oracle" }, { kind: "solo" }, { kind: "pooled" }], [world], 300)
    ).map(({ row }) => row);
    expect(oracle!.regret!).toBeLessThan(solo!.regret!);
    expect(solo!.regret!).toBeLessThan(random!.regret!);
    expect(solo!.regret!).toBeLessThan(pooled!.regret!);
    expect(solo!.sentBytes).toBe(0);
    expect(oracle!.sentBytes).toBeNull();
    // Each observation (x and r) to every other peer, every round.
    expect(pooled!.sentBytes).toBe(300 * 10 * 9 * 8 * 5);
    expect(oracle!.exactAtRound).toBe(1);
    expect(solo!.exactAtRound).toBeNull();
  });

  it("records checkpoints whose last is the row", async () => {
    const [result] = await run([{ kind: "dccb" }]);
    const { row, checkpoints } = result!;
    expect(checkpoints.map(({ round }) => round)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]);
    const last = checkpoints.at(-1)!;
    expect(last).toMatchObject({
      reward: row.reward,
      regret: row.regret,
      sentBytes: row.sentBytes,
      exchanges: row.exchanges,
    });
    // What was gained in each stretch adds up to the whole.
    const stretches = checkpoints.reduce((sum, { regretPerRound }) => sum + 10 * regretPerRound!, 0);
    expect(stretches).toBeCloseTo(row.regret!, 6);
    for (const { pairsRight, pairsWrong, borrowed, disagreement } of checkpoints) {
      expect(pairsRight! + pairsWrong!).toBe(45);
      expect(borrowed).toBeGreaterThanOrEqual(0);
      expect(borrowed).toBeLessThan(1);
      expect(disagreement).toBeGreaterThanOrEqual(0);
    }
  });

  it("finds two clusters that lie far apart, and says from which round on", async () => {
    const far = { ...world, gap: 1.4, noise: 0.05 };
    const policy = { kind: "dccb", threshold: { kind: "practical", factor: 0.5 } };
    const [result] = await run([policy], [far], 400);
    const { exactAtRound } = result!.row;
    expect(exactAtRound).not.toBeNull();
    for (const { round, pairsWrong } of result!.checkpoints) {
      if (round >= exactAtRound!) expect(pairsWrong).toBe(0);
    }
    expect(result!.checkpoints.at(-1)!.pairsWrong).toBe(0);
  });

  it("leaves absent peers out", async () => {
    const churn = { ...world, churn: { leave: 0.3, return: 0.3 } };
    const [here, gone] = await run([{ kind: "dccb", pairing: "permutation" }], [{ ...world, name: "all" }, churn]);
    expect(gone!.row.exchanges).toBeLessThan(here!.row.exchanges);
    expect(Math.abs(gone!.row.reward)).toBeLessThan(Math.abs(here!.row.reward));
  });

  it("counts choices and right ones, every turn of a round and nobody who is idle", async () => {
    const turns = { ...world, name: "turns", turns: 3 };
    const idle = { ...world, name: "idle", activity: { kind: "power", least: 0 } };
    const [all, three, few] = await run([{ kind: "solo" }], [world, turns, idle]);
    expect(all!.checkpoints.at(-1)!.choices).toBe(1200);
    expect(three!.checkpoints.at(-1)!.choices).toBe(3600);
    // Σ 1/k over ten peers is 2.93 choices a round.
    expect(Math.abs(few!.checkpoints.at(-1)!.choices - 120 * 2.93)).toBeLessThan(70);
    const { row, checkpoints } = all!;
    expect(row.rightShare).toBe(checkpoints.at(-1)!.rightChoices! / 1200);
    expect(row.rightShare!).toBeGreaterThan(1.5 / 6);
    expect([row.newcomerRegret, row.stuck]).toEqual([null, null]);
  });

  it("keeps apart what newcomers lose", async () => {
    const [result] = await run([{ kind: "solo" }], [{ ...world, newcomers: { every: 5, after: 60 } }]);
    const { checkpoints, row } = result!;
    expect(checkpoints.filter(({ newcomerRegret }) => newcomerRegret === 0).map(({ round }) => round)).toEqual([
      10, 20, 30, 40, 50, 60,
    ]);
    expect(row.newcomerRegret!).toBeGreaterThan(0);
    expect(row.newcomerRegret!).toBeLessThan(row.regret!);
  });

  it("judges neighbourhoods by the clusters that peers are in now", async () => {
    // Everybody's two clusters lie far apart; when peers move, what was right is wrong.
    const far = { ...world, gap: 1.4, noise: 0.05, jump: { after: 200, share: 0.5 } };
    const policy = { kind: "dccb", threshold: { kind: "practical", factor: 0.5 } };
    const [dccb, oracle] = await run([policy, { kind: "oracle" }], [far], 240);
    expect(dccb!.checkpoints.find(({ round }) => round === 200)!.pairsWrong).toBe(0);
    expect(dccb!.checkpoints.at(-1)!.pairsWrong).toBeGreaterThan(0);
    expect(oracle!.checkpoints.at(-1)!.pairsWrong).toBe(0);
  });

  it("spaces checkpoints evenly, and takes every round where there are few", () => {
    const of = (rounds: number, count: number): number[] =>
      Array.from({ length: rounds }, (_, k) => k + 1).filter((round) => isCheckpoint(round, rounds, count));
    expect(of(5, 100)).toEqual([1, 2, 3, 4, 5]);
    expect(of(10, 3)).toEqual([4, 7, 10]);
    expect(of(1000, 100).length).toBe(100);
  });
});

describe("a run in order of time", () => {
  const config = { kind: "dataset", dataset: "lastfm", peers: 6, dimension: 2, arms: 5, order: "time" } as const;
  const items = TIMED.peers.reduce((sum, peer) => sum + peer.items.length, 0);

  it.each(["random", "solo", "pooled", "club", "dcb", "dccb", "kindred"])(
    "counts the rewards of every turn: %s",
    (kind) => {
      const { policies } = parseExperiment({ ...skeleton, policies: [{ kind }] });
      const rows = [3, 15].map((rounds) => {
        const cell = { index: 0, policy: policies[0]!, seed: 1, world: { name: "w", config, rounds, policies: null } };
        const world = new DatasetInTimeWorld(config, TIMED, 1, rounds);
        return runCell(cell, world, { checkpoints: 3, clock: () => 0 }).row;
      });
      for (const { reward, rewardOverRandom } of rows) {
        // One reward an item at most.
        expect(reward).toBeGreaterThan(items / 5);
        expect(reward).toBeLessThanOrEqual(items);
        if (kind === "random") expect(rewardOverRandom).toBe(1);
        else expect(rewardOverRandom).not.toBeNull();
      }
      // Pooled: each choice (x and r, 8 bytes a number) is told to the five others, in whatever turn it was made.
      if (kind === "pooled") expect(rows.map(({ sentBytes }) => sentBytes)).toEqual([items * 120, items * 120]);
    },
  );
});
