import { type PeerId, Random } from "@coterie/core";
import { expect, it } from "vitest";
import type { Life } from "./journal.ts";
import { MeetingPartners } from "./meetingPartners.ts";
import { Scores } from "./scores.ts";

const OTHERS = ["b", "c", "d", "e", "f"];

/** Whom a peer among five others draws in so many ticks. */
function drawn(scores: Scores, ticks: number): Set<PeerId> {
  const config = { alive: () => OTHERS, age: () => null, admits: () => true, sources: () => [], wary: () => true };
  const learner = { near: () => true };
  const life = (): Life => ({ peer: { learner } }) as unknown as Life;
  const partners = new MeetingPartners({ ...config, scores, open: () => true }, life, () => false);
  partners.random = Random.seeded(1);
  return new Set(Array.from({ length: ticks }, (_, k) => partners.draw(k)!));
}

/** Everybody has answered; then some fall silent, three times in a row. */
function scoresAfter(silent: readonly PeerId[], proven = OTHERS): Scores {
  const scores = new Scores();
  for (const peer of proven) scores.answered(peer, []);
  for (const peer of [...silent, ...silent, ...silent]) scores.silent(peer, []);
  return scores;
}

it("whoever falls silent is left alone", () => {
  expect(drawn(scoresAfter(["b"]), 100)).toEqual(new Set(["c", "d", "e", "f"]));
});

it("after an outage a peer does not stay with the one that it still hears", () => {
  expect(drawn(scoresAfter(["c", "d", "e", "f"]), 100)).toEqual(new Set(OTHERS));
});

it("nor where the others left exchanges without an end", () => {
  const scores = scoresAfter(["c", "d", "e", "f"]);
  for (const peer of ["c", "d", "e", "f"]) scores.abandoned(peer);
  expect(drawn(scores, 100)).toEqual(new Set(OTHERS));
});

it("names that never answered are left alone, however many", () => {
  expect(drawn(scoresAfter(["c", "d", "e", "f"], ["b"]), 100)).toEqual(new Set(["b"]));
});
