import { describe, expect, it } from "vitest";
import { lnGamma } from "../numbers/gamma.ts";
import { Random } from "../numbers/random.ts";
import { arranged, fittedTo } from "../testing/grouping.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { agglomerate } from "./agglomerate.ts";
import { Evidence } from "./evidence.ts";
import type { GroupEntry } from "./group.ts";
import { lnPartition } from "./partition.ts";
import type { Population } from "./population.ts";
import type { PeerRecord } from "./record.ts";

const D = 3;

/** Peers 0, 1, 2, … of `kinds` tastes in turn. */
function drawn(seed: number, peers: number, kinds: number, count: number): [GroupEntry[], Population] {
  const random = Random.seeded(seed);
  const tastes = range(kinds).map(() => [...random.normals(new Float64Array(D))]);
  const records: PeerRecord[] = range(peers).map((i) =>
    recordOf(`${i}`, 1, look(random, tastes[i % kinds], count, 0.4), D),
  );
  const population = fittedTo(records, D);
  const [, entries] = arranged(
    records.map((record) => [record]),
    population,
  );
  return [entries, population];
}

const named = (parts: readonly (readonly GroupEntry[])[]): string =>
  parts
    .map((part) => part.map(({ record }) => Number(record.origin)).sort((a, b) => a - b))
    .map((origins) => origins.join(" "))
    .sort()
    .join(" | ");

/** The same with every pair tried, each value found anew from the records. */
function byHand(entries: readonly GroupEntry[], { even: { prior, noise } }: Population): string {
  const evidence = new Evidence(D);
  const worthOf = (part: readonly GroupEntry[]): number =>
    evidence.of(
      part[0].slot.map((_, k) => part.reduce((sum, { slot }) => sum + slot[k], 0)),
      prior,
      noise,
    );
  const weight = (part: readonly GroupEntry[]): number => worthOf(part) + lnGamma(part.length);
  let parts = entries.map((entry) => [entry]);
  let best = { score: -Infinity, parts };
  while (parts.length > 1) {
    const pairs = parts.flatMap((one, i) => parts.slice(0, i).map((other) => ({ one, other })));
    const gains = pairs.map(({ one, other }) => weight([...one, ...other]) - weight(one) - weight(other));
    const { one, other } = pairs[gains.indexOf(Math.max(...gains))];
    parts = [...parts.filter((part) => part !== one && part !== other), [...one, ...other]];
    const sizes = parts.map((part) => part.length);
    const score = lnPartition(sizes, entries.length) + parts.reduce((sum, part) => sum + worthOf(part), 0);
    if (2 * parts.length <= entries.length && score > best.score) best = { score, parts };
  }
  return named(best.parts);
}

describe("best pair first", () => {
  it.each(range(12))("joins as it does by hand where all are near enough to be tried, seed %d", (seed) => {
    const [entries, population] = drawn(seed, 7, 1 + (seed % 3), 4);
    expect(named(agglomerate(entries, new Evidence(D), population.even))).toBe(byHand(entries, population));
  });

  it("finds kinds among many records", () => {
    const [entries, population] = drawn(5, 60, 4, 25);
    const parts = agglomerate(entries, new Evidence(D), population.even);
    expect(parts.flat().length).toBe(60);
    const pure = parts.filter((part) => new Set(part.map(({ record }) => Number(record.origin) % 4)).size === 1);
    expect(pure.flat().length).toBeGreaterThan(54);
    expect(parts.length).toBeLessThan(10);
  });

  it("of one record, or none, makes one group, or none", () => {
    const [entries, population] = drawn(1, 1, 1, 4);
    const evidence = new Evidence(D);
    expect(named(agglomerate(entries, evidence, population.even))).toBe("0");
    expect(agglomerate([], evidence, population.even)).toEqual([]);
  });

  it("keeps each record once, where sums are such as nobody can have seen", () => {
    const [entries, population] = drawn(2, 20, 2, 6);
    for (const k of [3, 8]) {
      entries[k].slot = entries[k].slot.map((value) => -value);
      entries[k].value = -Infinity;
    }
    const parts = agglomerate(entries, new Evidence(D), population.even);
    expect(named([parts.flat()])).toBe(range(20).join(" "));
    expect(parts.filter((part) => part.length === 1).flat()).toEqual(expect.arrayContaining([entries[3], entries[8]]));
  });
});
