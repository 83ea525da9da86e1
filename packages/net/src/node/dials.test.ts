import { expect, it } from "vitest";
import { Dials } from "./dials.ts";
import { DIAL_BUDGET_MS, DIALS_PER_INTRODUCER, MOST_DIALS, NO_DIAL_MS } from "./limits.ts";

const THERE = "/ip4/192.0.2.1/tcp/443";

it("nobody outside names hosts inside", () => {
  const dials = new Dials();
  const hosts = ["127.0.0.1", "192.168.1.7", "10.0.0.1", "203.0.113.7"].map((host) => `/ip4/${host}/tcp/1`);
  const allowed = (scope: "machine" | "network" | "everywhere") => hosts.map((it) => dials.allows(it, scope, 0));
  expect(allowed("everywhere")).toEqual([false, false, false, true]);
  expect(allowed("network")).toEqual([false, true, true, true]);
  expect(allowed("machine")).toEqual([true, true, true, true]);
  // What goes through a hub is dialled by that hub.
  expect(dials.allows("/ip4/127.0.0.1/tcp/1/p2p/x/p2p-circuit", "everywhere", 0)).toBe(true);
});

it("a host at which nobody ever answered is dialled so often, whatever the port, and later again", () => {
  const dials = new Dials();
  for (let k = 0; k < MOST_DIALS; k++) {
    expect(dials.allows(`/ip4/192.0.2.1/tcp/${k}`, "everywhere", k)).toBe(true);
    dials.dialling([`/ip4/192.0.2.1/tcp/${k}`], null, k);
  }
  expect(dials.allows(THERE, "everywhere", 10)).toBe(false);
  expect(dials.allows("/ip4/192.0.2.2/tcp/443", "everywhere", 10)).toBe(true);
  expect(dials.allows(THERE, "everywhere", NO_DIAL_MS)).toBe(true);
  // One from which a peer called, or at which one answered, is no third party.
  dials.spoke(THERE, false);
  expect(dials.allows(THERE, "everywhere", 10)).toBe(true);
});

it("what one introducer brings is dialled on a budget", () => {
  const dials = new Dials();
  for (let k = 0; k < DIALS_PER_INTRODUCER; k++) {
    expect(dials.affords("q", 0)).toBe(true);
    dials.dialling([], "q", 0);
  }
  expect([dials.affords("q", 0), dials.affords("r", 0), dials.thrifty]).toEqual([false, true, true]);
  expect(dials.affords("q", DIAL_BUDGET_MS)).toBe(true);
});
