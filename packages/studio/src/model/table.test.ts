import { expect, it } from "vitest";
import { joined } from "../testing/run.ts";
import { groupsOf } from "./groups.ts";
import { NetworkModel } from "./network.ts";
import { columnsOf, rowsOf, sortRows, tableCsv } from "./table.ts";

function network(): NetworkModel {
  const model = new NetworkModel();
  model.apply({ at: 0, joined: [joined(0), joined(1), { ...joined(2), name: '=HYPERLINK("x")' }] });
  model.apply({ at: 1, earned: [0, 0.5, 0, 0, 0, 1, 0.9, 0, 0, 0], pool: [0, 1, 1, 5, 1, 0, 1, 5] });
  return model;
}

const columns = columnsOf("kindred");
const column = (name: string) => columns.find((one) => one.name === name)!;

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
  const csv = tableCsv(rowsOf(model, groupsOf(model), ""), columns);
  const line = csv.split("\n")[3];
  expect(line).toContain(`"'=HYPERLINK(""x"")"`);
  expect(csv.trimEnd().split("\n").length).toBe(4);
});

it("has a column of the buffer only under policies that have one", () => {
  const names = (policy: string): string[] => columnsOf(policy).map(({ name }) => name);
  expect(names("dccb")).toContain("Buffer");
  expect(names("kindred")).toEqual(names("dccb").filter((name) => name !== "Buffer"));
});
