import { createFleet, dcb, Random } from "@coterie/core";
import { type DcbOffer, type OfferedTurn, type Pairing, PeerFleet } from "@coterie/core/internal";

/** What the weights of one slot came to in one run, by the rounds it had been mixed. */
export interface Spreads {
  /** [age]: mean of (w − 1)² over all holders and origins. */
  readonly all: readonly number[];
  /** [age]: the same over what peers hold of their own observation alone. */
  readonly own: readonly number[];
}

/**
 * The weights with which real DCB peers hold one another's first observation, at ages 0 to `most`.
 *
 * Peer i is offered the axis e_i alone, so entry (i', i') of a slot's gram is the share of the observation of i' in it;
 * |V| times that is the weight w with which `sum` will count it.
 */
export function spreadsByAge(peers: number, pairing: Pairing, most: number, seed: number): Spreads {
  const policy = dcb({ pairing, delay: { rounds: most + 2 } });
  const fleet = createFleet({ policy, dimension: peers, peers, random: Random.seeded(seed).fork("policy") });
  if (!(fleet instanceof PeerFleet)) return { all: [], own: [] };
  const offered = axes(peers);
  const [all, own]: [number[], number[]] = [[], []];
  for (let age = 0; age <= most; age++) {
    fleet.round(offered);
    const squares = squaresOf(fleet);
    all.push(squares.all / peers ** 2);
    own.push(squares.own / peers);
  }
  return { all, own };
}

/** Every peer has one arm, its own axis. */
function axes(peers: number): OfferedTurn {
  const arms = Array.from({ length: peers }, (_, i) => {
    const values = new Float64Array(peers);
    values[i] = 1;
    return { count: 1, values };
  });
  return { arms: (peer) => arms[peer]!, pay: () => 1 };
}

/** Σ (w − 1)² over the oldest slots, which are the first round's while nothing has been promoted. */
function squaresOf(fleet: PeerFleet): { all: number; own: number } {
  let [all, own] = [0, 0];
  fleet.members.forEach(({ learner }, holder) => {
    const { slots } = learner.offer() as DcbOffer;
    const from = slots.offset(0);
    for (let origin = 0; origin < fleet.peers; origin++) {
      const weight = fleet.peers * slots.values[from + (origin * (origin + 1)) / 2 + origin]!;
      all += (weight - 1) ** 2;
      if (origin === holder) own += (weight - 1) ** 2;
    }
  });
  return { all, own };
}
