import { multiaddr } from "@multiformats/multiaddr";
import { describe, expect, it } from "vitest";
import { ArrivalLimit } from "./arrivals.ts";
import { ARRIVALS_AT_ONCE, ARRIVALS_PER_SECOND } from "./limits.ts";

const come = (arrivals: ArrivalLimit, address: string, times: number, now: number): number => {
  let admitted = 0;
  for (let k = 0; k < times; k++) if (arrivals.admits(multiaddr(address), now)) admitted += 1;
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
});
