import { describe, expect, it } from "vitest";
import { ArrivalLimit } from "./arrivals.ts";
import { ARRIVALS_AT_ONCE, ARRIVALS_DEBT, ARRIVALS_PER_SECOND, DROPPED_COSTS } from "./limits.ts";

const come = (arrivals: ArrivalLimit, address: string, times: number, now: number): number => {
  let admitted = 0;
  for (let k = 0; k < times; k++) if (arrivals.admits(address, now)) admitted += 1;
  return admitted;
};

describe("connections from one address prefix", () => {
  it("are so many at once and then so many a second, whoever else comes", () => {
    const arrivals = new ArrivalLimit();
    expect(come(arrivals, "/ip4/192.0.2.1/tcp/1", 1000, 0)).toBe(ARRIVALS_AT_ONCE);
    expect(come(arrivals, "/ip4/192.0.2.9/tcp/1/ws", 1000, 10_000)).toBe(10 * ARRIVALS_PER_SECOND);
    expect(come(arrivals, "/ip4/192.0.3.1/tcp/1", 1, 10_000)).toBe(1);
    // On one machine, and behind a hub, all have the same address.
    expect(come(arrivals, "/ip4/127.0.0.1/tcp/1", 1000, 0)).toBe(1000);
    const hub = "/ip4/192.0.2.1/tcp/1/p2p/12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN/p2p-circuit";
    expect(come(arrivals, hub, 1000, 0)).toBe(1000);
  });

  it("are fewer where some had to be dropped, and after so long as many as before", () => {
    const arrivals = new ArrivalLimit();
    const [here, there] = ["/ip4/192.0.2.1/tcp/1", "/ip4/192.0.3.1/tcp/1"];
    for (let k = 0; k < 2; k++) arrivals.dropped(here, 0);
    expect(come(arrivals, here, 1000, 0)).toBe(ARRIVALS_AT_ONCE - 2 * DROPPED_COSTS);
    for (let k = 0; k < 1000; k++) arrivals.dropped(here, 0);
    const owed = (1000 * ARRIVALS_DEBT) / ARRIVALS_PER_SECOND;
    expect(come(arrivals, here, 1000, owed)).toBe(0);
    expect(come(arrivals, here, 1000, owed + 1000)).toBe(ARRIVALS_PER_SECOND);
    expect(come(arrivals, there, 1000, 0)).toBe(ARRIVALS_AT_ONCE);
  });
});
