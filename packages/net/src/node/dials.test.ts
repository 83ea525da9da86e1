import { expect, it } from "vitest";
import type { Hearsay } from "../membership/shares.ts";
import { Dials } from "./dials.ts";
import { DIAL_BUDGET_MS, DIALS_PER_INTRODUCER, MOST_DIALS, MOST_INSIDE, NO_DIAL_MS } from "./limits.ts";

const THERE = "/ip4/192.0.2.1/tcp/443";
const word = (scope: Hearsay["scope"], by: string | null = null): Hearsay => ({
  scope,
  sources: by === null ? [] : [`by ${by}`],
  reached: Number.NEGATIVE_INFINITY,
});
const OUTSIDE = word("everywhere");
const at = (host: string, port = 1) => `/ip4/${host}/tcp/${port}`;

it("nobody outside names hosts inside", () => {
  const dials = new Dials();
  const hosts = ["127.0.0.1", "192.168.1.7", "10.0.0.1", "203.0.113.7"].map((host) => at(host));
  expect(dials.safe(hosts, OUTSIDE, 0)).toEqual(hosts.slice(3));
  expect(dials.safe(hosts, word("network"), 0)).toEqual(hosts.slice(1));
  expect(dials.safe(hosts, word("machine"), 0)).toEqual(hosts);
  // A name that begins like an address inside is none.
  expect(dials.safe(["/dns4/fd.example/tcp/1"], OUTSIDE, 0)).toHaveLength(1);
});

it("a hub in an address is dialled like anybody else, unless there is a connection to it", () => {
  const through = (host: string, hub = "x") => `${at(host)}/p2p/${hub}/p2p-circuit`;
  const dials = new Dials((hub) => hub === "ours");
  expect(dials.safe([through("127.0.0.1"), through("10.0.0.1")], OUTSIDE, 0)).toEqual([]);
  for (let k = 0; k < 300; k++) dials.dialling(dials.safe([through("192.0.2.1", `x${k}`)], OUTSIDE, k), OUTSIDE, k);
  expect(dials.safe([through("192.0.2.1"), THERE], OUTSIDE, 300)).toEqual([]);
  const ours = ["127.0.0.1", "192.0.2.1", "192.0.2.1"].map((host) => through(host, "ours"));
  expect(dials.safe(ours, OUTSIDE, 300)).toEqual(ours);
  dials.dialling(ours, OUTSIDE, 300);
  expect(dials.safe([THERE], OUTSIDE, NO_DIAL_MS + 10)).toEqual([THERE]);
});

it("two on one private network may meet through a hub outside, and few hosts there are tried", () => {
  const dials = new Dials();
  dials.at([at("192.168.1.2"), at("127.0.0.1")]);
  const inside = [at("192.168.1.7"), at("192.168.2.7"), at("127.0.0.1", 22)];
  expect(dials.safe(inside, OUTSIDE, 0)).toEqual(inside.slice(0, 1));
  // Not on the word of somebody else.
  expect(dials.safe(inside, word("everywhere", "q"), 0)).toEqual([]);
  for (let k = 0; k < MOST_INSIDE; k++) dials.dialling([at("192.168.1.9", k)], OUTSIDE, 0);
  expect(dials.safe(inside, OUTSIDE, 1)).toEqual([]);
  dials.spoke(at("192.168.1.9", 0), true);
  expect(dials.safe(inside, OUTSIDE, 1)).toEqual(inside.slice(0, 1));
});

it("a host at which nobody ever answered is dialled so often, whatever the port, and then once in a while", () => {
  const dials = new Dials();
  const ports = [1, 2, 3, 4].map((port) => at("192.0.2.1", port));
  const first = dials.safe(ports, OUTSIDE, 0);
  expect(first).toHaveLength(MOST_DIALS);
  dials.dialling(first, OUTSIDE, 0);
  expect(dials.safe([THERE, at("192.0.2.2")], OUTSIDE, 10)).toEqual([at("192.0.2.2")]);
  expect(dials.safe(ports, OUTSIDE, NO_DIAL_MS)).toHaveLength(1);
  dials.dialling([THERE], OUTSIDE, NO_DIAL_MS);
  expect(dials.safe([THERE], OUTSIDE, NO_DIAL_MS + 10)).toEqual([]);
  // One from which a peer called, or at which one answered, is no third party.
  dials.spoke(THERE, false);
  expect(dials.safe(ports, OUTSIDE, NO_DIAL_MS + 10)).toEqual(ports);
});

it("what one introducer brings is dialled on a budget", () => {
  const dials = new Dials();
  const of = word("everywhere", "q");
  for (let k = 0; k < DIALS_PER_INTRODUCER; k++) {
    expect(dials.affords("by q", 0)).toBe(true);
    dials.dialling([], of, 0);
  }
  expect([dials.affords("by q", 0), dials.affords("by r", 0), dials.thrifty]).toEqual([false, true, true]);
  expect(dials.affords("by q", DIAL_BUDGET_MS)).toBe(true);
});
