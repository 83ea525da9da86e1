import { accelerate, createFleet, type Offered, parsePolicy, policyKinds, Random } from "@coterie/core";
import { afterEach, describe, expect, it } from "vitest";
import { wasmAccelerator } from "./accelerator.ts";

/** COTERIE_KERNEL_ROUNDS=100000 for the long form. */
const ASKED = process.env.COTERIE_KERNEL_ROUNDS;
/** Of the slowest policy fewer, unless asked. */
const roundsOf = (kind: string): number => Number(ASKED ?? (kind === "kindred" ? 60 : 300));
const [PEERS, DIMENSION, ARMS] = [8, 6, 12];

/** Rounds drawn afresh from the seed; two clusters, so that peers part. */
function worldOf(seed: number): () => Offered {
  const random = Random.seeded(seed);
  const thetas = random.fork("theta").normals(new Float64Array(2 * DIMENSION));
  const values = Array.from({ length: PEERS }, () => new Float64Array(ARMS * DIMENSION));
  const pay = new Float64Array(PEERS * ARMS);
  let round = 0;
  return () => {
    round += 1;
    const draw = random.fork(round);
    values.forEach((arms, peer) => {
      for (let k = 0; k < arms.length; k++) arms[k] = (2 * draw.uniform() - 1) / Math.sqrt(DIMENSION);
      for (let arm = 0; arm < ARMS; arm++) {
        let mean = 0.2 * draw.normal();
        for (let i = 0; i < DIMENSION; i++) mean += arms[arm * DIMENSION + i]! * thetas[(peer % 2) * DIMENSION + i]!;
        pay[peer * ARMS + arm] = mean;
      }
    });
    return {
      arms: (peer) => ({ count: ARMS, values: values[peer]! }),
      pay: (peer, arm) => pay[peer * ARMS + arm]!,
    };
  };
}

function fleetOf(kind: string) {
  const policy = parsePolicy("policy", { kind });
  const clusters = Int32Array.from({ length: PEERS }, (_, peer) => peer % 2);
  return createFleet({ policy, dimension: DIMENSION, peers: PEERS, random: Random.seeded(5), clusters });
}

afterEach(() => void accelerate(null));

describe("decisions with and without kernels", () => {
  it("can run here", () => {
    expect(wasmAccelerator()?.name).toBe("wasm-simd128");
    expect(ARMS * DIMENSION).toBeGreaterThanOrEqual(wasmAccelerator()!.leastNumbers);
  });

  it.each(policyKinds)("are the same, bit for bit, in %s", { timeout: 3_600_000 }, (kind) => {
    const [plain, fast] = [fleetOf(kind), fleetOf(kind)];
    const [plainWorld, fastWorld] = [worldOf(9), worldOf(9)];
    for (let round = 1; round <= roundsOf(kind); round++) {
      accelerate(null);
      plain.round(plainWorld());
      accelerate(wasmAccelerator());
      fast.round(fastWorld());
      for (let peer = 0; peer < PEERS; peer++) {
        if (plain.choices[peer] !== fast.choices[peer]) expect.fail(`peer ${peer} chose otherwise in round ${round}`);
      }
    }
    for (let peer = 0; peer < PEERS; peer++) {
      expect(Array.from(fast.estimate(peer))).toEqual(Array.from(plain.estimate(peer)));
    }
  });
});
