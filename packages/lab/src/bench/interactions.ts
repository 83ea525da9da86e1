import { createFleet, parsePolicy, Random } from "@coterie/core";
import { SphereDrawing } from "../engine/drawing.ts";
import { ClustersWorld } from "../worlds/clusters/world.ts";
import type { BenchLine } from "./measure.ts";

const CONFIG = { kind: "clusters", peers: 50, clusters: 5, dimension: 10, arms: 10, noise: 0.5 } as const;
const ROUNDS = 200;

/** Whole interactions a second, the world's draws included: 50 peers, 10 features, 10 arms. */
export function benchInteractions(seconds: number): BenchLine[] {
  return ["solo", "club"].map((kind) => {
    let best = Number.POSITIVE_INFINITY;
    const until = performance.now() + 1000 * seconds;
    for (let seed = 1; seed <= 3 || performance.now() < until; seed++) {
      const world = new ClustersWorld(CONFIG, seed, SphereDrawing.of);
      const policy = parsePolicy("policy", { kind });
      const fleet = createFleet({ policy, dimension: 10, peers: 50, random: Random.seeded(seed) });
      const from = process.hrtime.bigint();
      for (let round = 0; round < ROUNDS; round++) {
        world.advance();
        fleet.round(world);
      }
      best = Math.min(best, Number(process.hrtime.bigint() - from));
    }
    return { name: `interactions, ${kind}`, value: (1e9 * ROUNDS * CONFIG.peers) / best, unit: "a second" };
  });
}
