import { describe, expect, it } from "vitest";
import { armsFrom } from "../bandit/arms.ts";
import { Random } from "../numbers/random.ts";
import { kindred } from "../policies/kindred.ts";
import { solo } from "../policies/solo.ts";
import { range } from "../testing/play.ts";
import type { Policy } from "./learner.ts";
import { meetPair } from "./lockstep.ts";
import { begin, type Input, initialPeer, type Peer, step, work } from "./peer.ts";
import { snapshot } from "./snapshot.ts";

const [PEERS, D, ROUNDS] = [10, 6, 40];

/** Plays a room in which inputs reach a peer by `put`; peers choose, learn, meet and close their rounds, some more often than others. */
function play(policy: Policy, put: (peer: Peer, input: Input) => void): { peers: Peer[]; chosen: number[] } {
  const peers = range(PEERS).map((i) => initialPeer({ id: `${i}`, dimension: D, policy, peers: PEERS }));
  const chosen: number[] = [];
  const random = Random.seeded(7);
  const vector = (): number[] => range(D).map(() => 0.4 * random.normal());
  const tastes = [vector(), vector()];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, peer] of peers.entries()) {
      for (let turn = random.below(4); turn > 0; turn--) {
        const arms = range(5).map(() => vector().map((value) => Math.max(-0.4, Math.min(0.4, value))));
        const [effect] = step(peer, { kind: "choose", arms: armsFrom(arms, D) });
        const arm = effect?.kind === "chosen" ? effect.arm : -1;
        chosen.push(arm);
        const reward = arms[arm]!.reduce((sum, value, k) => sum + value * tastes[i % 2]![k]!, 0.3 * random.normal());
        put(peer, { kind: "observe", arm: Float64Array.from(arms[arm]!), reward: Math.max(-1, Math.min(1, reward)) });
      }
      if (random.below(5) > 0) put(peer, { kind: "close" });
      const other = random.below(PEERS);
      if (other !== i) meetPair(peer, peers[other]!);
    }
  }
  return { peers, chosen };
}

describe("work that is left undone", () => {
  it("changes nothing, whenever it is done and whatever comes in between", () => {
    const whole = play(kindred(), step);
    const random = Random.seeded(3);
    let left = 0;
    const parts = play(kindred(), (peer, input) => {
      expect(begin(peer, input)).toEqual([]);
      for (let most = random.below(60); most > 0 && work(peer); most--) left += 1;
    });
    expect(parts.chosen).toEqual(whole.chosen);
    for (const [i, peer] of parts.peers.entries()) expect(snapshot(peer)).toEqual(snapshot(whole.peers[i]!));
    expect(left).toBeGreaterThan(1000);
  });

  it("is none where nothing takes long", () => {
    const peer = initialPeer({ id: "a", dimension: D, policy: solo(), peers: 2 });
    for (let round = 0; round < 3; round++) {
      begin(peer, { kind: "observe", arm: new Float64Array(D), reward: 1 });
      begin(peer, { kind: "close" });
      expect(work(peer)).toBe(false);
    }
  });

  it("is not begun with an input that is refused", () => {
    const peer = initialPeer({ id: "a", dimension: D, policy: kindred(), peers: 2 });
    expect(() => begin(peer, { kind: "observe", arm: new Float64Array(D), reward: Number.NaN })).toThrow();
    expect(() => begin(peer, { kind: "observe", arm: new Float64Array(1), reward: 0 })).toThrow();
    expect(work(peer)).toBe(false);
  });
});
