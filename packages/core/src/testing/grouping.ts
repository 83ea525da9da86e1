// Records in groups, and what must hold of them.
import { expect } from "vitest";
import { Evidence } from "../kindred/evidence.ts";
import { Group } from "../kindred/group.ts";
import { Groups } from "../kindred/groups.ts";
import { Population } from "../kindred/population.ts";
import type { Record } from "../kindred/record.ts";
import { relativeGap } from "./same.ts";

/** No groups yet, for a population as `records` show it. */
export function groupsFor(records: readonly Record[], dimension: number): Groups {
  const population = new Population(dimension);
  population.fit(records, 5);
  return new Groups(dimension, population);
}

/** Group sums are those of their members, values those of the sums, and nobody is in a group that is not listed. */
export function checkSums({ list, entries, population, dimension }: Groups): void {
  const evidence = new Evidence(dimension);
  for (const group of list) {
    const members = [...entries.values()].filter((entry) => entry.group === group).map((entry) => entry.record);
    expect(group.size).toBe(members.length);
    expect(members.length).toBeGreaterThan(0);
    const sum = new Group(dimension);
    for (const member of members) sum.add(member, 1);
    expect(relativeGap(group.slot, sum.slot)).toBeLessThan(1e-9);
    expect(relativeGap([group.squares, group.count], [sum.squares, sum.count])).toBeLessThan(1e-9);
    const value = evidence.of(sum.slot, population.prior, population.noise);
    expect(relativeGap([group.value], [value])).toBeLessThan(1e-7);
  }
  for (const { group } of entries.values()) expect(list).toContain(group);
}

/** Who is with whom, by origin, in order. */
export const partition = ({ list, entries }: Groups): string[] =>
  list
    .map((group) => [...entries].filter(([, entry]) => entry.group === group).map(([origin]) => origin))
    .map((origins) => origins.sort((a, b) => Number(a) - Number(b)).join(" "))
    .sort();
