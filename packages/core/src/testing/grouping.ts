// Records in groups, and what must hold of them.

import { expect } from "vitest";
import { EntryColumns } from "../kindred/entryColumns.ts";
import { Evidence } from "../kindred/evidence.ts";
import { Group, GroupEntry } from "../kindred/group.ts";
import { Grouping } from "../kindred/grouping.ts";
import { Groupings } from "../kindred/groupings.ts";
import { Population } from "../kindred/population.ts";
import type { PeerRecord } from "../kindred/record.ts";
import { allOf } from "../work.ts";

export function fittedTo(
  records: readonly PeerRecord[],
  dimension: number,
  population = new Population(dimension),
): Population {
  allOf(population.fitting(records, 5));
  return population;
}

/** No groups yet, for a population as `records` show it. */
export const groupingsFor = (records: readonly PeerRecord[], dimension: number): Groupings =>
  new Groupings(dimension, fittedTo(records, dimension));

export const columnsFor = ({ slot }: PeerRecord): EntryColumns =>
  new EntryColumns((Math.sqrt(9 + 8 * slot.length) - 3) / 2);

/** A record in no group, whose value is still to be found. */
export function entryOf(record: PeerRecord, columns = columnsFor(record)): GroupEntry {
  const entry = new GroupEntry(record, columns);
  entry.weigh(1);
  return entry;
}

/** One grouping in which these records are together. */
export function arranged(parts: readonly (readonly PeerRecord[])[], population: Population): [Grouping, GroupEntry[]] {
  const dimension = population.mean.length;
  const columns = new EntryColumns(dimension);
  const grouping = new Grouping(0, columns, population);
  const evidence = new Evidence(dimension);
  const entries: GroupEntry[] = [];
  for (const records of parts) {
    const group = new Group();
    for (const record of records) {
      const entry = entryOf(record, columns);
      evidence.value(entry, population.even);
      entry.valued = true;
      entry.groups[0] = group;
      group.join(entry);
      entries.push(entry);
    }
    grouping.push(group);
    grouping.value(group);
  }
  return [grouping, entries];
}

/** Sums are those of the members to the bit, values those of the sums, and each record is in one group of each grouping. */
export function checkGrouping({ list, index, population }: Grouping, entries: readonly GroupEntry[]): void {
  const evidence = new Evidence(population.mean.length);
  for (const group of list) {
    expect(group.size).toBeGreaterThan(0);
    const anew = new Group();
    for (const member of group.members) {
      expect(member.groups[index] === group).toBe(true);
      anew.join(member);
    }
    expect(group.slot).toEqual(anew.slot);
    expect([group.weighted, group.count, group.key]).toEqual([anew.weighted, anew.count, anew.key]);
    expect(group.value).toBe(evidence.of(anew.slot, population.even.prior, population.even.noise));
  }
  const members = list.flatMap((group) => group.members);
  expect(members.length).toBe(entries.length);
  expect(new Set(members)).toEqual(new Set(entries));
}

export function checkSums(groupings: Groupings): void {
  const { all, entries } = groupings;
  groupings.refresh();
  for (const grouping of all) checkGrouping(grouping, [...entries.values()]);
}

/** Who is with whom, by origin, in order. */
export const partition = ({ list }: Grouping): string[] =>
  list
    .map(({ members }) => members.map(({ record }) => record.origin))
    .map((origins) => origins.sort((a, b) => Number(a) - Number(b)).join(" "))
    .sort();
