import { Pairer } from "../gossip/pairing.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";

/** Partner maps for a run by hand: the ring where the policy asks for it, else permutations and matchings in turn. */
export function partnersFor(policy: Policy, peers: number, seed: number): (round: number) => Int32Array {
  const pairer = new Pairer(peers);
  const random = Random.seeded(seed).fork("partners");
  return (round) => {
    const partners = new Int32Array(peers);
    if (policy.pairing === "ring") return partners.map((_, i) => (i + peers - 1) % peers);
    if (round % 2 === 0) pairer.permutation(partners, random.fork(round));
    else pairer.matching(partners, random.fork(round));
    return partners;
  };
}
