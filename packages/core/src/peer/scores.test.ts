import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { dcb } from "../policies/dcb.ts";
import { dccb } from "../policies/dccb.ts";
import { kindred } from "../policies/kindred.ts";
import { roundRobin } from "../policies/roundRobin.ts";
import { solo } from "../policies/solo.ts";
import { initialPeer, type Peer, scoreArms, step } from "./peer.ts";

const DIMENSION = 5;
const POLICIES = [
  solo(),
  solo({ choice: "thompson" }),
  dcb({ delay: { rounds: 1 } }),
  dccb({ delay: { rounds: 1 }, guard: true }),
  roundRobin(),
  kindred(),
  kindred({ choice: "thompson" }),
];

function vector(random: Random): Float64Array {
  const x = random.normals(new Float64Array(DIMENSION));
  const length = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  return x.map((value) => (0.9 * value) / length);
}

function lived(policy: (typeof POLICIES)[number], random: Random): Peer {
  const peer = initialPeer({ id: "a", dimension: DIMENSION, policy, peers: 1 });
  for (let round = 0; round < 30; round++) {
    const arm = vector(random);
    step(peer, { kind: "observe", arm, reward: arm[0]! });
    step(peer, { kind: "settle" });
    step(peer, { kind: "close" });
  }
  return peer;
}

describe("scores", () => {
  it.each(POLICIES.map((policy) => [policy.kind, policy.propensity, policy] as const))(
    "of %s (%s) are highest where it chooses, with the same draws, and change nothing",
    (_kind, _propensity, policy) => {
      const random = Random.seeded(17);
      const peer = lived(policy, random);
      for (let k = 0; k < 50; k++) {
        const count = 1 + (k % 9);
        const values = new Float64Array(count * DIMENSION);
        for (let arm = 0; arm < count; arm++) values.set(vector(random), arm * DIMENSION);
        const scores = scoreArms(peer, { count, values }, Random.seeded(k))!;
        expect(scoreArms(peer, { count, values }, Random.seeded(k))).toEqual(scores);
        const [effect] = step(peer, { kind: "choose", arms: { count, values }, random: Random.seeded(k) });
        expect(effect).toEqual({ kind: "chosen", arm: scores.indexOf(Math.max(...scores)) });
      }
    },
  );

  it("are refused for arms that are none", () => {
    const peer = lived(solo(), Random.seeded(1));
    expect(() => scoreArms(peer, { count: 2, values: new Float64Array(5) })).toThrow("arms.values");
  });
});
