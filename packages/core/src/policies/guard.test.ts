import { describe, expect, it } from "vitest";
import { armsFrom } from "../bandit/arms.ts";
import { Ball } from "../bandit/ball.ts";
import { Local } from "../bandit/local.ts";
import { Random } from "../numbers/random.ts";
import { initialPeer, step } from "../peer/peer.ts";
import { dccb } from "./dccb.ts";
import { DccbGuard } from "./dccbGuard.ts";

const ARMS = armsFrom(
  [
    [1, 0],
    [0, 1],
  ],
  2,
);
const OPTIONS = { radius: { kind: "practical", alpha: 0.3 }, choice: "optimistic" } as const;

/** Somebody who has seen that the first arm pays and the second does not. */
function seen(times: number): Local {
  const local = new Local(2);
  for (let k = 0; k < times; k++) {
    local.observe(ARMS.values, 0, 0.8);
    local.observe(ARMS.values, 2, -0.8);
  }
  return local;
}

function ballWith(estimate: readonly number[]): Ball {
  const ball = new Ball(2);
  ball.estimate.set(estimate);
  return ball;
}

describe("a guard", () => {
  it("lets pass what lies within the peer's own ball, and sets aside what does not", () => {
    const guard = new DccbGuard(seen(20), OPTIONS);
    expect(guard.choose(ballWith([0.75, -0.75]), ARMS, 40, undefined)).toBeNull();
    expect(guard.aside).toBe(false);
    expect(guard.choose(ballWith([-0.5, 0.5]), ARMS, 40, undefined)).toBe(0);
    expect(guard.aside).toBe(true);
    // And back.
    expect(guard.choose(ballWith([0.75, -0.75]), ARMS, 40, undefined)).toBeNull();
  });

  it("measures in the widths of that ball: the distance is √((a − b)ᵀ A (a − b)), whichever way it lies", () => {
    const random = Random.seeded(5);
    for (let k = 0; k < 200; k++) {
      const local = new Local(3);
      for (let n = random.below(30); n > 0; n--) {
        local.observe(
          random.normals(new Float64Array(3)).map((v) => v / 4),
          0,
          random.normal(),
        );
      }
      const estimate = random.normals(new Float64Array(3));
      const [g, difference] = [local.statistics.slot, estimate.map((v, i) => v - local.ball.estimate[i]!)];
      const gram = [
        [1 + g[0]!, g[1]!, g[3]!],
        [g[1]!, 1 + g[2]!, g[4]!],
        [g[3]!, g[4]!, 1 + g[5]!],
      ];
      let square = 0;
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) square += difference[i]! * gram[i]![j]! * difference[j]!;
      const ball = new Ball(3);
      ball.estimate.set(estimate);
      const asideAt = (alpha: number): boolean => {
        const guard = new DccbGuard(local, { radius: { kind: "practical", alpha }, choice: "optimistic" });
        guard.choose(ball, armsFrom([[1, 0, 0]], 3), 1, undefined);
        return guard.aside;
      };
      // α √ln 2 is the radius in the first round.
      const edge = Math.sqrt(square) / Math.sqrt(Math.LN2);
      expect([asideAt(edge * 0.999), asideAt(edge * 1.001)]).toEqual([true, false]);
    }
  });

  it("knows nothing before the peer has seen anything, and does not stand in the way", () => {
    expect(new DccbGuard(new Local(2), OPTIONS).choose(ballWith([0, 0]), ARMS, 1, undefined)).toBeNull();
  });

  it("shows what choices rest on: while it sets aside, the peer's own alone", () => {
    const peer = (guard: boolean) =>
      initialPeer({
        id: "a",
        dimension: 2,
        peers: 2,
        policy: dccb({ delay: { rounds: 2 }, threshold: { kind: "practical", factor: 100 }, guard }),
      });
    const liar = peer(false);
    const [guarded, plain] = [peer(true), peer(false)];
    for (let round = 0; round < 30; round++) {
      for (const one of [guarded, plain]) {
        step(one, { kind: "observe", arm: Float64Array.of(1, 0), reward: 0.8 });
        step(one, { kind: "observe", arm: Float64Array.of(0, 1), reward: -0.8 });
      }
      for (let k = 0; k < 4; k++) {
        step(liar, { kind: "observe", arm: Float64Array.of(1, 0), reward: -1 });
        step(liar, { kind: "observe", arm: Float64Array.of(0, 1), reward: 1 });
      }
      const offer = liar.learner.copyOffer();
      for (const one of [guarded, plain]) {
        step(one, { kind: "meet", partner: "liar", offer });
        step(one, { kind: "settle" });
      }
      for (const one of [guarded, plain, liar]) step(one, { kind: "close" });
    }
    // Twice mixed, a slot is three quarters the liar's.
    expect(step(plain, { kind: "choose", arms: ARMS })).toEqual([{ kind: "chosen", arm: 1 }]);
    expect(step(guarded, { kind: "choose", arms: ARMS })).toEqual([{ kind: "chosen", arm: 0 }]);
    const { view } = guarded.learner;
    expect(view.aside).toBe(1);
    expect(view.evidence).toBe(60);
    expect(view.estimate[0]).toBeGreaterThan(0.7);
    expect(plain.learner.view.aside).toBeUndefined();
  });
});
