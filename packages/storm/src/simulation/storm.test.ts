import { describe as about, expect, it } from "vitest";
import { mutantOf } from "./mutants/index.ts";
import { describe } from "./plan/fault.ts";
import { planOf } from "./plan/plan.ts";
import { shrink } from "./shrink.ts";
import { storm } from "./storm.ts";

const SMALL = { peers: 6, rounds: 40 };
/** The command's own test plays 200 rooms of 20 peers and 200 rounds. */
const MIDDLE = { peers: 8, rounds: 60 };

about("a storm", { timeout: 300_000 }, () => {
  it("is a function of its seed: the same one, the same trace", async () => {
    for (const seed of [1, 6]) {
      const [one, two] = [await storm(planOf(seed, SMALL)), await storm(planOf(seed, SMALL))];
      expect(two).toEqual(one);
      expect((await storm(planOf(seed + 100, SMALL))).hash).not.toBe(one.hash);
    }
  });

  it("breaks no promise of the shipped peers", async () => {
    const met = { policies: new Set<string>(), crashes: 0, repairs: 0, lost: 0, rewards: 0, weighed: 0, compared: 0 };
    for (let seed = 1; seed <= 40; seed++) {
      const { failure, policy, counts } = await storm(planOf(seed, MIDDLE));
      expect(failure, `seed ${seed}`).toBeNull();
      met.policies.add(policy);
      for (const name of ["crashes", "repairs", "lost", "rewards", "weighed", "compared"] as const)
        met[name] += counts[name];
    }
    // It did storm, and it did look.
    expect(met.policies).toEqual(new Set(["dcb", "dccb", "dccb-two", "kindred"]));
    expect(met.crashes).toBeGreaterThan(200);
    expect(met.repairs).toBeGreaterThan(4);
    expect(met.lost).toBeGreaterThan(2000);
    expect(met.rewards).toBeGreaterThan(12_000);
    expect(met.weighed).toBeGreaterThan(24);
    expect(met.compared).toBeGreaterThan(4000);
  });

  it("knows that a lost reward came back although the peer died before it said so", async () => {
    // Peer 6 loses a record, is told a reward of before again, and crashes between its write and its answer.
    const { failure, counts } = await storm(planOf(60_011, { peers: 14, rounds: 36 }));
    expect(failure).toBeNull();
    expect(counts.repairs).toBeGreaterThan(0);
  });

  it("that fails is told as the fewest faults that still fail", async () => {
    const mutant = mutantOf("no-deduplication");
    const plan = planOf(1, SMALL);
    const story = await shrink(plan, "mass", mutant);
    expect(story.outcome.failure?.check).toBe("mass");
    expect(story.plan.faults.length).toBeLessThan(plan.faults.length);
    expect(story.plan.faults.map(describe).join("\n")).not.toBe("");
    // None of them can be left out.
    for (const fault of story.plan.faults) {
      const faults = story.plan.faults.filter((other) => other !== fault);
      expect((await storm({ ...story.plan, faults }, mutant)).failure?.check).not.toBe("mass");
    }
  });
});
