import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Neighbourhood, sameDigest } from "./neighbourhood.ts";

/** A neighbourhood from which these were pruned, in this order. */
function without(...peers: string[]): Neighbourhood {
  const near = new Neighbourhood();
  for (const peer of peers) near.prune(peer);
  return near;
}

const alike = (a: Neighbourhood, b: Neighbourhood): boolean => sameDigest(a.digest, b.digest);

describe("a neighbourhood", () => {
  it("behaves as the set of those pruned, and its digest tells sets apart whatever their history", () => {
    const ids = fc.constantFrom("0", "1", "2", "10", "01", "", "0,1", "é", "peer-a", "peer-b");
    const history = fc.array(fc.record({ peer: ids, forgive: fc.boolean() }), { maxLength: 30 });
    const play = (events: { peer: string; forgive: boolean }[]): [Neighbourhood, Set<string>] => {
      const [near, pruned] = [new Neighbourhood(), new Set<string>()];
      for (const { peer, forgive } of events) {
        if (forgive) near.forgive(peer);
        else near.prune(peer);
        if (forgive) pruned.delete(peer);
        else pruned.add(peer);
        expect(near.has(peer)).toBe(forgive);
      }
      expect(near.pruned).toEqual(pruned);
      return [near, pruned];
    };
    const told = fc.property(history, history, (one, other) => {
      const [near, pruned] = play(one);
      const [far, lost] = play(other);
      const same = [...pruned].sort().join("|") === [...lost].sort().join("|") && pruned.size === lost.size;
      expect(alike(near, far)).toBe(same);
      expect(alike(near, without(...[...pruned].sort().reverse()))).toBe(true);
    });
    fc.assert(told, { seed: 3, numRuns: 1000 });
  });

  it("has another digest for each of very many sets", () => {
    const digests = new Set<string>();
    const all = Array.from({ length: 300 }, (_, i) => `${i}`);
    for (const a of all) for (const b of all) if (a < b) digests.add(without(a, b).digest.join());
    for (const a of all) digests.add(without(a).digest.join());
    digests.add(without().digest.join());
    expect(digests.size).toBe((300 * 299) / 2 + 300 + 1);
  });

  it("differs in every lane of the digest, so that no lane is a copy of another", () => {
    const ids = Array.from({ length: 2000 }, (_, i) => `peer ${i}`);
    for (let lane = 0; lane < 4; lane++) {
      expect(new Set(ids.map((id) => without(id).digest[lane])).size).toBeGreaterThan(1997);
      const equal = ids.filter((id) => without(id).digest[lane] === without(id).digest[(lane + 1) % 4]);
      expect(equal.length).toBe(0);
    }
  });
});
