import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHAOS_FAULTS, chaosPlan, describeFault, SMALL_DISK } from "./plan.ts";

const sizes = fc.tuple(fc.nat(1e9), fc.integer({ min: 3, max: 30 }), fc.integer({ min: 10, max: 400 }));

describe("a plan of chaos", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(chaosPlan(4, 20, 180)).toEqual(chaosPlan(4, 20, 180));
    expect(chaosPlan(5, 20, 180)).not.toEqual(chaosPlan(4, 20, 180));
  });

  it("begins every fault in time and in order, and strikes peers that are there", () => {
    fc.assert(
      fc.property(sizes, ([seed, peers, seconds]) => {
        const { faults } = chaosPlan(seed, peers, seconds);
        for (const [k, { kind, atMs, forMs, peers: struck }] of faults.entries()) {
          expect(atMs).toBeGreaterThanOrEqual(k === 0 ? 0 : faults[k - 1]!.atMs);
          expect(atMs).toBeLessThanOrEqual(seconds * 1000);
          expect(forMs).toBeGreaterThan(0);
          for (const peer of struck) expect(peer).toBeLessThan(peers);
          expect(struck.length > 0).toBe(kind === "kill" || kind === "pause" || kind === "disk");
          if (kind === "disk") expect(struck).toEqual([SMALL_DISK]);
        }
      }),
    );
  });

  it("strikes nobody whom another fault still has", () => {
    fc.assert(
      fc.property(sizes, ([seed, peers, seconds]) => {
        const { faults } = chaosPlan(seed, peers, seconds);
        for (const [k, one] of faults.entries()) {
          for (const other of faults.slice(k + 1)) {
            if (other.atMs > one.atMs + one.forMs) continue;
            expect(one.peers.filter((peer) => other.peers.includes(peer))).toEqual([]);
          }
        }
      }),
    );
  });

  it("has every kind where there is time for it, and says so", () => {
    const { faults } = chaosPlan(1, 20, 180);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(CHAOS_FAULTS));
    expect(describeFault({ kind: "kill", atMs: 1500, forMs: 900, peers: [2, 3] })).toBe(
      "   1.5 s  kill -9 of peer 2, peer 3, for 0.9 s",
    );
  });
});
