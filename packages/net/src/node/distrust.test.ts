import { Random } from "@coterie/core";
import { expect, it } from "vitest";
import { Node } from "./node.ts";
import { Scores } from "./scores.ts";

it("who loses its trust is told once: a peer that is refused, and a prefix whose second name is of no use", () => {
  const scores = new Scores();
  expect(scores.add("foe", "malformed")).toBe(false);
  expect(scores.add("foe", "forged")).toBe(true);
  scores.add("foe", "forged");
  scores.silent("one", ["from 198.51.100", "by foe"]);
  expect(scores.distrusted()).toEqual([{ what: "peer", who: "foe" }]);
  scores.silent("two", ["from 198.51.100"]);
  scores.silent("three", ["from 198.51.100"]);
  expect(scores.distrusted()).toEqual([{ what: "prefix", who: "198.51.100" }]);
  expect(scores.distrusted()).toEqual([]);
});

it("a refused peer is cut off at once", () => {
  const node = new Node(null);
  const config = { self: "a", incarnation: 1, random: Random.seeded(1), bootstrap: [], connections: 4 };
  node.enter({ ...config, mayDial: () => true }, () => 0);
  const connection = { id: "c", peer: "foe", relayed: false, address: "/ip4/198.51.100.1/tcp/1", outbound: false };
  node.step({ kind: "opened", connection }, 0);
  expect(node.step({ kind: "offended", peer: "foe", cause: "malformed", times: 1 }, 1)).toEqual([]);
  expect(node.step({ kind: "offended", peer: "foe", cause: "forged", times: 1 }, 2)).toEqual([
    { kind: "drop", id: "c" },
  ]);
});

it("names of a prefix that answer make up for as many that do not: a whole room may be at one, on a bad network", () => {
  const scores = new Scores();
  const prefix = ["from 198.51.100"] as const;
  for (const peer of ["a", "b", "c"]) scores.answered(peer, prefix);
  for (const name of ["one", "two", "three", "four"]) scores.silent(name, prefix);
  expect([scores.doubted(), scores.trusts("five", prefix)]).toEqual([[], true]);
  scores.silent("five", prefix);
  expect(scores.distrusted()).toEqual([{ what: "prefix", who: "198.51.100" }]);
  // The more answer, the sooner another name of it is tried.
  const resting = scores.rests("six", prefix);
  const alone = new Scores();
  for (const name of ["one", "two"]) alone.silent(name, prefix);
  expect([resting > 0, resting < alone.rests("six", prefix)]).toEqual([true, true]);
  // However many answer, made-up names come to an end; and who answered long ago speaks for nobody.
  for (let k = 0; k < 20; k++) scores.answered(`peer ${k}`, prefix);
  expect(scores.doubted()).toEqual([]);
  for (let k = 0; k < 30; k++) scores.silent(`name ${k}`, prefix);
  expect(scores.doubted()).toEqual(["198.51.100"]);
  const later = new Scores();
  for (let k = 0; k < 20; k++) later.answered(`peer ${k}`, prefix);
  for (let k = 0; k < 200; k++) later.tick();
  later.silent("one", prefix);
  later.tick();
  later.silent("two", prefix);
  expect(later.doubted()).toEqual(["198.51.100"]);
});

it("names of a prefix that answer speak for where they are, not for where whoever brought them is", () => {
  const scores = new Scores();
  for (let k = 0; k < 20; k++) scores.answered(`far ${k}`, ["by foe", "from 198.51.100", `from 203.0.${k}`]);
  for (let k = 0; k < 20; k++) scores.answered(`relayed ${k}`, ["by foe", "from 198.51.100"]);
  for (const name of ["one", "two"]) scores.silent(name, ["from 198.51.100"]);
  expect(scores.doubted()).toEqual(["198.51.100"]);
});

it("what is held against a prefix has a bound: it is forgotten in minutes, however long an attack was", () => {
  const scores = new Scores();
  for (let k = 0; k < 300; k++) scores.silent(`name ${k}`, ["from 198.51.100"]);
  for (let k = 0; k < 200; k++) scores.tick();
  expect(scores.doubted()).toEqual([]);
});

it("an exchange that a peer of a doubted prefix began makes up for one silent name of it, once in a while", () => {
  const scores = new Scores();
  const prefix = ["from 198.51.100"] as const;
  for (const name of ["one", "two", "three", "four"]) scores.silent(name, prefix);
  expect(scores.doubts("from 198.51.100")).toBe(4);
  for (let k = 0; k < 5; k++) scores.proposed("a", prefix);
  scores.proposed("brought", ["by a", "from 198.51.100"]);
  expect(scores.doubts("from 198.51.100")).toBe(3);
  for (const peer of ["b", "c"]) scores.proposed(peer, prefix);
  expect([scores.doubted(), scores.rests("five", prefix)]).toEqual([[], 0]);
});
