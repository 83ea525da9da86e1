import type { CentralPolicy } from "../central/centre.ts";
import type { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { CentralFleet } from "./central.ts";
import type { OfferedTurn } from "./offered.ts";
import { PeerFleet } from "./peers.ts";

/** Many peers of one policy in lockstep, round by round: the driver of every simulation. */
export interface Fleet {
  readonly peers: number;
  /** Rounds played. */
  readonly rounds: number;
  /** The arm each peer chose in the last turn; -1 where it was absent or idle. */
  readonly choices: Int32Array;
  /** What each peer was paid for it, whenever it hears of that; 0 where it was absent or idle. */
  readonly rewards: Float64Array;
  readonly traffic: FleetTraffic;
  /** Choices and rewards only: a turn of the round that the next call of `round` ends. */
  turn(offered: OfferedTurn): void;
  /** Plays a round's last turn, often its only one, then the meetings, and ends it. `partners` replaces the draw of who meets whom (a permutation; i itself is alone). */
  round(offered: OfferedTurn, partners?: Int32Array): void;
  /** The estimate from which a peer chooses. Lent. */
  estimate(peer: number): Float64Array;
  /** How many observations that rests on, and how many of them are its own. */
  evidence(peer: number): number;
  own(peer: number): number;
  /** Does `peer` take `other` for its own kind? */
  near(peer: number, other: number): boolean;
}

/** What has been sent so far, as the wire format would send it, by all peers. */
export interface FleetTraffic {
  /** Null for a policy with a centre: nobody says what its traffic would be. */
  bytes: number | null;
  /** How often a peer took in another's statistics. */
  exchanges: number;
}

/** What a fleet is made from. */
export interface FleetConfig {
  readonly policy: Policy | CentralPolicy;
  readonly dimension: number;
  readonly peers: number;
  /** The policy's own draws: partners, and choices where the policy draws them. */
  readonly random: Random;
  /** The true clusters, where they are known; only the oracle looks, in every round anew. */
  readonly clusters?: Int32Array | null;
  /** Rounds after which a reward reaches its learner, before the choices of that round; 0, at once, unless set. */
  readonly late?: number | undefined;
}

/** Makes a fleet of any policy, of peers or with a centre. */
export function createFleet(config: FleetConfig): Fleet {
  const { policy } = config;
  if ("createCentre" in policy) return new CentralFleet(config, policy);
  return new PeerFleet(config, policy);
}
