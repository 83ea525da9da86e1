import type { Random } from "@coterie/core";
import { exp } from "@coterie/core/internal";
import type { ClustersConfig, WorldRewards } from "./config.ts";

/** The expected reward of an arm with x·θ = score. */
export function expectedReward(rewards: WorldRewards | undefined, score: number): number {
  if (rewards === undefined || rewards.kind === "gaussian") return score;
  if (rewards.link === "linear") return Math.min(1, Math.max(0, rewards.base + rewards.slope * score));
  return 1 / (1 + exp(-(rewards.offset + rewards.slope * score)));
}

/** What an arm with this expected reward pays a peer. */
export type Pay = (peer: number, mean: number, draw: Random) => number;

export function payOf({ rewards, noise, noises }: ClustersConfig): Pay {
  if (rewards?.kind === "clicks") return (_peer, mean, draw) => (draw.uniform() < mean ? 1 : 0);
  if (noises !== undefined) return (peer, mean, draw) => mean + noises[peer % noises.length]! * draw.normal();
  return (_peer, mean, draw) => mean + noise * draw.normal();
}
