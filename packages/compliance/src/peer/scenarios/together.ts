import assert from "node:assert/strict";
import { fit, massOf, playRounds, range, tasteOf } from "../script.ts";
import type { Stage } from "../stage.ts";
import { each, type Scenario } from "./scenario.ts";

const join = each("join", ["dccb", "kindred"], 3, async (stage) => {
  await playRounds(stage, 1, 8, range(3));
  const newcomer = await stage.join();
  for (const index of range(4)) assert.equal(stage.peer(index).peers, 4, `peer ${index} counts everybody`);
  const before = range(3).map((i) => stage.peer(i).learner.view.own);
  await playRounds(stage, 9, 24, range(4));
  assert.equal(stage.peer(newcomer).learner.view.own, 16);
  assert.deepEqual(
    range(3).map((i) => stage.peer(i).learner.view.own),
    before.map((own) => own + 16),
    "nobody counts another's observations as its own",
  );
  assert.ok(stage.peer(newcomer).learner.view.evidence > 16, "the newcomer borrows");
  assert.equal(stage.troubles(), 0);
});

const exchange: Scenario[] = [
  ...each("exchange", ["waiting"], 4, async (stage) => {
    await playRounds(stage, 1, 1, []);
    for (const index of range(4)) await stage.observe(index, Float64Array.of(0.5, index / 8, 0, 0), index / 4);
    await stage.turn(range(4), []);
    const before = massOf(stage, range(4));
    await stage.turn([], [[0, 1]]);
    close(massOf(stage, range(4)), before, "mass is conserved");
    close(massOf(stage, [0]), massOf(stage, [1]), "both have the mean of both");
    assert.notDeepEqual(massOf(stage, [2]), massOf(stage, [3]), "and nobody else has changed");
    assert.equal(stage.troubles(), 0);
  }),
  ...each("exchange", ["kindred"], 2, async (stage) => {
    await playRounds(stage, 1, 1, []);
    for (const index of range(2)) {
      for (let k = 0; k < 9; k++) await stage.observe(index, Float64Array.of(0.5, k / 18, 0, 0), 0.3);
    }
    await stage.turn(range(2), [[0, 1]]);
    await stage.turn(range(2), []);
    for (const index of range(2)) {
      assert.deepEqual(
        [...(stage.peer(index).learner.view.lenders?.().keys() ?? [])],
        [stage.peer(1 - index).config.id],
      );
    }
    assert.equal(stage.troubles(), 0);
  }),
];

const prune = each("prune", ["dccb"], 6, async (stage) => {
  await playRounds(stage, 1, 80, range(6));
  for (const a of range(6)) {
    for (const b of range(6)) {
      if (a === b) continue;
      const near = stage.peer(a).learner.near(stage.name(b));
      assert.equal(near, tasteOf(a) === tasteOf(b), `whether ${b} is of ${a}'s kind`);
    }
    assert.ok(fit(stage, a) > 0.9, `peer ${a} knows its taste`);
  }
  assert.equal(stage.troubles(), 0);
});

/** Everybody who comes, goes, or stays away for a while leaves the others as sound as they were. */
const churn = each("churn", ["mutual", "kindred"], 5, async (stage) => {
  let present = range(5);
  for (let round = 1; round <= 30; round++) {
    if (round % 10 === 4) present = await leaving(stage, present, round);
    if (round % 10 === 7) present = [...present, await stage.join()];
    const away = present[round % present.length];
    await playRounds(stage, round, round, round % 3 === 0 ? present.filter((index) => index !== away) : present);
  }
  assert.equal(present.length, 5);
  for (const index of present) {
    assert.equal(stage.peer(index).peers, present.length, `peer ${index} counts who is there`);
    assert.ok(stage.peer(index).learner.view.estimate.every(Number.isFinite));
  }
  for (const index of present.slice(0, 2)) assert.ok(fit(stage, index) > 0.7, `peer ${index} knows its taste`);
  assert.equal(stage.troubles(), 0);
});

async function leaving(stage: Stage, present: readonly number[], round: number): Promise<number[]> {
  const leaver = present[round % present.length]!;
  await stage.leave(leaver);
  return present.filter((index) => index !== leaver);
}

function close(found: readonly number[], expected: readonly number[], what: string): void {
  found.forEach((value, k) => {
    assert.ok(Math.abs(value - expected[k]!) < 1e-9, `${what}: ${value} and ${expected[k]}`);
  });
}

export const together: readonly Scenario[] = [...join, ...exchange, ...prune, ...churn];
