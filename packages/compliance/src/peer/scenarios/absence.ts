import assert from "node:assert/strict";
import { byFleet, fit, massOf, playRound, playRounds, range } from "../script.ts";
import { linksOf } from "../stage.ts";
import { each, type Scenario } from "./scenario.ts";

/** Everybody dies once between any two steps of a round, and the run is the one in which nobody died. Kindred peers do not die right after a meeting. */
const crash = each("crash between any two steps", ["dcb", "dccb", "mutual", "kindred"], 4, async (stage, policy) => {
  const [peers, rounds] = [4, 14];
  const expected = byFleet(policy, peers, rounds).chosen;
  const chosen: number[][] = [];
  let [steps, crashes] = [0, 0];
  for (let round = 1; round <= rounds; round++) {
    const step = async (after: string): Promise<void> => {
      steps += 1;
      // Records that came wait for the next write: they come again, but not in the same round.
      if (after === "meeting" && policy.delivery !== "once") return;
      // Three crashes a round, at other steps and of other peers in each.
      if ((steps * 7 + round) % 4 !== 0) return;
      crashes += 1;
      await stage.crash(steps % peers);
    };
    chosen.push(await playRound(stage, round, range(peers), step));
  }
  assert.deepEqual(chosen, expected);
  assert.ok(crashes > 25, `${crashes} crashes`);
  assert.equal(stage.troubles(), 0);
});

/** A peer that dies while its proposal is on its way finds out what became of it: no mass is lost, none counts twice. */
const death = each("a death while asking", ["waiting"], 4, async (stage) => {
  await playRounds(stage, 1, 6, range(4));
  for (let k = 0; k < 8; k++) {
    const before = massOf(stage, range(4));
    const [asker, partner] = [k % 4, (k + 1 + (k >> 2)) % 4];
    await linksOf(stage).dieAsking(asker, partner);
    await stage.turn([], [[asker, partner]]);
    massOf(stage, range(4)).forEach((mass, i) => {
      assert.ok(Math.abs(mass - before[i]!) < 1e-9, `death ${k}: mass ${i} was ${before[i]} and is ${mass}`);
    });
    await playRounds(stage, 7 + k, 7 + k, range(4));
  }
  assert.equal(stage.troubles(), 0);
});

const late = each("late joiner", ["mutual", "kindred"], 4, async (stage, policy) => {
  await playRounds(stage, 1, 30, range(4));
  const newcomer = await stage.join();
  await playRounds(stage, 31, 60, [...range(4), newcomer]);
  const { view } = stage.peer(newcomer).learner;
  assert.equal(view.own, 30);
  assert.ok(view.evidence > 1.5 * view.own, `it knows what the others know: ${view.evidence} observations`);
  if (policy.delivery === "once") assert.equal(stage.peer(newcomer).round, stage.peer(0).round, "it is in their round");
  for (const index of range(4)) assert.ok(fit(stage, index) > 0.9, `peer ${index} knows its taste all the same`);
  assert.equal(stage.troubles(), 0);
});

/** A day at the usual pace is 8,640 rounds; what matters is that everything it held is long overtaken. */
const back = each("return after a day offline", ["dccb", "kindred"], 4, async (stage, policy) => {
  await playRounds(stage, 1, 12, range(4));
  const others = [0, 1, 3];
  await playRounds(stage, 13, 120, others);
  const before = others.map((index) => fit(stage, index));
  await stage.crash(2);
  assert.equal(stage.peer(2).learner.view.own, 12, "it has what it had");
  await playRounds(stage, 121, 140, range(4));
  const { view } = stage.peer(2).learner;
  assert.equal(view.own, 32);
  assert.ok(view.evidence > view.own, "it learns from the others again");
  assert.ok(fit(stage, 2) > 0.9, "it knows its taste");
  if (policy.delivery === "once") assert.equal(stage.peer(2).round, stage.peer(0).round, "it is in their round");
  others.forEach((index, k) => {
    assert.ok(fit(stage, index) > before[k]! - 0.02, `peer ${index} was ${before[k]} and is ${fit(stage, index)}`);
  });
  assert.equal(stage.troubles(), 0);
});

export const absence: readonly Scenario[] = [...crash, ...death, ...late, ...back];
