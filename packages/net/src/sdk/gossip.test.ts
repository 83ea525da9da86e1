import { kindred, type Policy } from "@coterie/core";
import { expect, it } from "vitest";
import { read, TestRoom } from "./testing/room.ts";

/** Kindred that always wishes for the same partner. */
const wishingFor = (partner: string): Policy => ({
  ...kindred(),
  create: (...of) => Object.assign(kindred().create(...of), { suggest: () => partner }),
});

const metBy = async (partner: string): Promise<Set<string>> => {
  const room = new TestRoom(wishingFor(partner));
  for (const name of ["a", "b", "c", "d"]) await room.open(name);
  await read(room, 12, () => "arts");
  const met = new Set<string>();
  for (const { peer, event } of room.events)
    if (peer === "a" && event.kind === "exchange" && event.side === "proposed") met.add(event.partner);
  await room.close();
  return met;
};

it("meets whom its policy wishes for, and anybody where that one is not there", async () => {
  expect(await metBy("c")).toEqual(new Set(["c"]));
  expect((await metBy("nobody")).size).toBeGreaterThan(1);
});
