import { describe, expect, it } from "vitest";
import { peerCompliance, STORIES } from "../compliance.ts";
import { overLibp2p } from "./libp2p.ts";
import { lockstep } from "./lockstep.ts";
import { inMemory } from "./memory.ts";

const DRIVERS = [lockstep, inMemory, overLibp2p];

describe.each(DRIVERS)("peers, $name", (driver) => {
  for (const { name, run } of peerCompliance(driver)) it(name, run);
});

it("every story is played by every driver that has messages, and each that is not names its reason", () => {
  for (const { name, without } of DRIVERS) {
    const left = name === lockstep.name ? ["refusal", "version mismatch", "a death while asking"] : [];
    expect(Object.keys(without), name).toEqual(left);
  }
  for (const { without } of DRIVERS) for (const reason of Object.values(without)) expect(reason).toMatch(/\w+ \w+/);
  expect(STORIES.length).toBeGreaterThan(15);
});

it("a driver cannot go without a story that does not exist", () => {
  expect(() => peerCompliance({ ...lockstep, without: { "no such story": "because" } })).toThrow("no such story");
});
