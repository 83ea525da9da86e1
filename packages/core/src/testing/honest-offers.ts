import type { OfferedTurn } from "../fleet/offered.ts";
import { PeerFleet } from "../fleet/peers.ts";
import { Random } from "../numbers/random.ts";
import type { Offer, Policy } from "../peer/learner.ts";
import { partnersFor } from "./partners.ts";

export interface HonestRun {
  readonly policy: Policy;
  readonly world: (round: number) => OfferedTurn;
  readonly peers: number;
  readonly dimension: number;
  readonly rounds: number;
}

/** What the peers of a real run would send: a copy of each one's offer before each round. */
export function honestOffers({ policy, world, peers, dimension, rounds }: HonestRun): Offer[] {
  const fleet = new PeerFleet({ policy, dimension, peers, random: Random.seeded(1) }, policy);
  const partners = partnersFor(policy, peers, 2);
  const offers: Offer[] = [];
  for (let round = 1; round <= rounds; round++) {
    fleet.round(world(round), partners(round));
    for (const { learner } of fleet.members) offers.push(learner.copyOffer());
  }
  return offers;
}
