import { describe, expect, it } from "vitest";
import { hubVerdicts, rate } from "./verdicts.ts";
import type { HubSample, Overview } from "./watch.ts";

const EMPTY: Overview = {
  self: "hub",
  addresses: [],
  rooms: [],
  members: 0,
  connections: 0,
  reservations: 0,
  circuits: 0,
  relayedBytes: 0,
  introductions: 0,
  violations: {},
};
const look = (at: number, more: Partial<Overview> = {}): HubSample => ({ at, overview: { ...EMPTY, ...more } });
const states = (looks: HubSample[]): string[] => hubVerdicts(looks).map(({ state }) => state);

describe("what there is to say about a hub", () => {
  it("waits where nobody is there, and says nothing before it was seen", () => {
    expect(hubVerdicts([]).map(({ answer }) => answer)).toEqual(["…", "…", "…", "…"]);
    expect(hubVerdicts([]).map(({ question }) => question)).toEqual(
      hubVerdicts([look(0)]).map(({ question }) => question),
    );
    expect(states([look(0)])).toEqual(["wait", "wait", "wait", "good"]);
  });

  it("is good where peers meet and are relayed, bad where somebody breaks the rules", () => {
    const rooms = [{ name: null, digest: "d", members: 2 }];
    const busy = { rooms, members: 2, circuits: 1, relayedBytes: 4000, introductions: 3, violations: { flood: 2 } };
    const verdicts = hubVerdicts([look(0), look(2, busy)]);
    expect(verdicts.map(({ state }) => state)).toEqual(["good", "good", "good", "bad"]);
    expect(verdicts.map(({ answer }) => answer)).toEqual([
      "2 peers in 1 room",
      "1.5 introductions a second",
      "2.0 kB/s on 1 line",
      "2 violations",
    ]);
    expect(verdicts[3]?.detail).toBe("flood 2");
  });

  it("says whom it had no space for", () => {
    const [, , , odd] = hubVerdicts([look(0, { overloads: { roomsPerPeer: 3 } })]);
    expect(odd).toMatchObject({ state: "bad", answer: "3 refused for want of space", detail: "roomsPerPeer 3" });
  });

  it("does not count backwards where the hub was started anew", () => {
    expect(rate([look(0, { relayedBytes: 500 }), look(1)], "relayedBytes")).toBe(0);
  });
});
