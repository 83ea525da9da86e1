import assert from "node:assert/strict";
import { byFleet, playRounds, range } from "../script.ts";
import { each } from "./scenario.ts";

const PEERS = 6;
const ROUNDS = 45;

/** The same seeds and the same partners give the same decisions and the same beliefs as the lab's own fleet has. */
export const keystone = each("keystone", ["dcb", "dccb", "mutual", "kindred"], PEERS, async (stage, policy) => {
  const expected = byFleet(policy, PEERS, ROUNDS);
  const chosen = await playRounds(stage, 1, ROUNDS, range(PEERS));
  assert.deepEqual(chosen, expected.chosen, "the same decisions");
  const estimates = range(PEERS).map((i) => Array.from(stage.peer(i).learner.view.estimate));
  assert.deepEqual(estimates, expected.estimates, "the same beliefs, bit for bit");
  assert.ok(new Set(chosen.flat()).size > 1, "and there was something to decide");
  assert.equal(stage.troubles(), 0);
});
