import { createFleet, parsePolicy, policyKinds, Random } from "@coterie/core";
import { accelerate, type OfferedTurn } from "@coterie/core/internal";
import { afterEach, describe, expect, it } from "vitest";
import { wasmAccelerator } from "./accelerator.ts";

interface Shape {
  readonly peers: number;
  readonly dimension: number;
  readonly arms: number;
  readonly clusters: number;
}

/** Many rounds of few peers, as the choice of an arm is what differs; and fewer of a fleet in which peers part. */
const LONG: Shape = { peers: 2, dimension: 4, arms: 16, clusters: 1 };
/** Kindred has no kernel: it must not be changed by those of others, which some rounds tell. */
const longRounds = (kind: string): number => (kind === "kindred" ? 5_000 : 100_000);
const WIDE: Shape = { peers: 8, dimension: 6, arms: 12, clusters: 2 };
const WIDE_ROUNDS = 100;

/** What is offered in a round, drawn afresh by every call. */
function worldOf({ peers, dimension, arms, clusters }: Shape): () => OfferedTurn {
  const random = Random.seeded(9);
  const thetas = random.normals(new Float64Array(clusters * dimension));
  const values = Array.from({ length: peers }, () => new Float64Array(arms * dimension));
  const pay = new Float64Array(peers * arms);
  const offered: OfferedTurn = {
    arms: (peer) => ({ count: arms, values: values[peer]! }),
    pay: (peer, arm) => pay[peer * arms + arm]!,
  };
  const scale = 1 / Math.sqrt(dimension);
  return () => {
    for (let peer = 0; peer < peers; peer++) {
      const own = values[peer]!;
      const theta = (peer % clusters) * dimension;
      for (let arm = 0, at = 0; arm < arms; arm++) {
        let mean = random.uniform() - 0.5;
        for (let i = 0; i < dimension; i++, at++) {
          own[at] = (2 * random.uniform() - 1) * scale;
          mean += own[at]! * thetas[theta + i]!;
        }
        pay[peer * arms + arm] = mean;
      }
    }
    return offered;
  };
}

function fleetOf(kind: string, { peers, dimension, clusters: count }: Shape) {
  const policy = parsePolicy("policy", { kind });
  const clusters = Int32Array.from({ length: peers }, (_, peer) => peer % count);
  return createFleet({ policy, dimension, peers, random: Random.seeded(5), clusters });
}

/** Plays a fleet with and one without kernels in the same rounds. */
function compare(kind: string, shape: Shape, rounds: number): void {
  const [plain, fast] = [fleetOf(kind, shape), fleetOf(kind, shape)];
  const kernels = wasmAccelerator();
  const next = worldOf(shape);
  for (let round = 1; round <= rounds; round++) {
    const offered = next();
    accelerate(null);
    plain.round(offered);
    accelerate(kernels);
    fast.round(offered);
    for (let peer = 0; peer < shape.peers; peer++) {
      if (plain.choices[peer] !== fast.choices[peer]) expect.fail(`peer ${peer} chose otherwise in round ${round}`);
    }
  }
  for (let peer = 0; peer < shape.peers; peer++) {
    expect(Array.from(fast.estimate(peer))).toEqual(Array.from(plain.estimate(peer)));
  }
}

afterEach(() => void accelerate(null));

describe("decisions with and without kernels", () => {
  it("can run here, and shapes are large enough for the kernels to be used", () => {
    expect(wasmAccelerator()?.name).toBe("wasm-simd128");
    for (const { arms, dimension } of [LONG, WIDE]) {
      expect(arms * dimension).toBeGreaterThanOrEqual(wasmAccelerator()!.leastNumbers);
    }
  });

  it.each(policyKinds.map((kind) => [longRounds(kind), kind] as const))(
    "are the same, bit for bit, in %d rounds of %s",
    { timeout: 600_000 },
    (rounds, kind) => compare(kind, LONG, rounds),
  );

  it.each(policyKinds)("and in a fleet of two clusters of %s", (kind) => {
    compare(kind, WIDE, WIDE_ROUNDS);
  });
});
