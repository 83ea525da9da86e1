import { PeerFleet } from "../fleet/peers.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { snapshot } from "../peer/snapshot.ts";
import { fingerprint } from "./fingerprint.ts";
import { smallWorld } from "./small-world.ts";

/** What came of a run, short enough to write down and to compare between machines. */
export interface FixedRun {
  readonly choices: string;
  readonly rewards: string;
  readonly snapshots: string;
  readonly sentBytes: number;
}

const PEERS = 8;
const DIMENSION = 5;
const ROUNDS = 150;

/** One run that never changes: the same seed, world and number of rounds for every policy. */
export function fixedRun(policy: Policy): FixedRun {
  const fleet = new PeerFleet({ policy, dimension: DIMENSION, peers: PEERS, random: Random.seeded(2016) }, policy);
  const world = smallWorld({ seed: 48, peers: PEERS, dimension: DIMENSION, arms: 7, clusters: 2 });
  const choices: number[] = [];
  const rewards: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    fleet.round(world(round));
    choices.push(...fleet.choices);
    rewards.push(...fleet.rewards);
  }
  return {
    choices: fingerprint(choices),
    rewards: fingerprint(new Uint8Array(Float64Array.from(rewards).buffer)),
    snapshots: fingerprint(...fleet.members.map(snapshot)),
    sentBytes: fleet.traffic.bytes!,
  };
}
