import assert from "node:assert/strict";
import { snapshot } from "@coterie/core";
import { playRounds, range } from "../script.ts";
import { linksOf } from "../stage.ts";
import { each, type Scenario } from "./scenario.ts";

/** Somebody with other terms is told so, hears it, and leaves no trace. */
const refusal = each("refusal", ["dccb", "kindred"], 2, async (stage) => {
  await playRounds(stage, 1, 4, range(2));
  const before = range(2).map((i) => snapshot(stage.peer(i)));
  await linksOf(stage).strange(0);
  assert.deepEqual(
    range(2).map((i) => snapshot(stage.peer(i))),
    before,
  );
  await playRounds(stage, 5, 8, range(2));
  assert.equal(stage.troubles(), 0);
});

/** A message of another version is no message: dropped, counted by its cause, and life goes on. */
const version = each("version mismatch", ["dccb", "kindred"], 2, async (stage) => {
  await playRounds(stage, 1, 4, range(2));
  const links = linksOf(stage);
  const before = snapshot(stage.peer(1));
  const newer = links.proposal(0);
  newer[2]! += 1;
  assert.equal(await links.send(0, 1, newer), false, "it gets no answer");
  assert.deepEqual(snapshot(stage.peer(1)), before);
  assert.deepEqual([...links.violations(1)], [["version", 1]]);
  await playRounds(stage, 5, 8, range(2));
  assert.equal(stage.troubles(), 1);
});

export const strangers: readonly Scenario[] = [...refusal, ...version];
