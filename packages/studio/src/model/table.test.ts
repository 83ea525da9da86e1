import { expect, it } from "vitest";
import { joined } from "../testing/run.ts";
import { groupsOf } from "./groups.ts";
import { NetworkModel } from "./network.ts";
import { COLUMNS_OF_TABLE, rowsOf, sortRows, tableCsv } from "./table.ts";

function network(): NetworkModel {
  const model = new NetworkModel();
  model.apply({ at: 0, joined: [joined(0), joined(1), { ...joined(2), name: '=HYPERLINK("x")' }] });
  model.apply({ at: 1, earned: [0, 0.5, 0, 0, 0, 1, 0.9, 0, 0, 0], pool: [0, 1, 1, 5, 1, 0, 1, 5] });
  return model;
}

const column = (name: string): number => COLUMNS_OF_TABLE.findIndex((one) => one.name === name);

it("rows are found and sorted", () => {
  const model = network();
  const all = rowsOf(model, groupsOf(model), "");
  expect(all.length).toBe(3);
  expect(rowsOf(model, groupsOf(model), "ID-1").map(({ peer }) => peer)).toEqual([1]);
  // Both are of the group that is named after Peer 0.
  expect(rowsOf(model, groupsOf(model), "peer 0").map(({ peer }) => peer)).toEqual([0, 1]);
  expect(sortRows([...all], column("Reward"), true).map(({ peer }) => peer)).toEqual([1, 0, 2]);
  expect(sortRows([...all], column("Reward"), false).map(({ peer }) => peer)).toEqual([2, 0, 1]);
});

it("a name cannot become a formula or break a line of CSV", () => {
  const model = network();
  const csv = tableCsv(rowsOf(model, groupsOf(model), ""));
  const line = csv.split("\n")[3];
  expect(line).toContain(`"'=HYPERLINK(""x"")"`);
  expect(csv.trimEnd().split("\n").length).toBe(4);
});
