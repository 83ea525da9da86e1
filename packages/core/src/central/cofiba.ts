import type { Arms } from "../bandit/arms.ts";
import type { Ball } from "../bandit/ball.ts";
import { type ChoiceRule, expectRandom, parseChoice } from "../bandit/choice.ts";
import { Local } from "../bandit/local.ts";
import { parseRadius, type Radius, radiusAt } from "../bandit/radius.ts";
import { ConfigError } from "../errors.ts";
import { parseThreshold, type Threshold } from "../gossip/threshold.ts";
import { ln } from "../numbers/ln.ts";
import type { Random } from "../numbers/random.ts";
import { fields, join, whole } from "../options.ts";
import type { CentralPolicy, Centre } from "./centre.ts";
import { ItemGroups } from "./itemGroups.ts";
import { Sight } from "./sight.ts";

/** The options of `cofiba`, complete. */
export interface CofibaOptions {
  readonly radius: Radius;
  readonly choice: ChoiceRule;
  /** `factor` is the paper's α₂. */
  readonly threshold: Extract<Threshold, { kind: "practical" }>;
  /** How many items are told apart. */
  readonly items: number;
}

/** In the end each item may hold a graph over the peers and sums for each of them. */
const MOST_ITEMS = 1024;

export function parseCofiba(field: string, value: unknown): CofibaOptions {
  const given = fields(field, value, ["radius", "choice", "threshold", "items"]);
  const { threshold = { kind: "practical", factor: 0.5 } } = given;
  const checked = parseThreshold(join(field, "threshold"), threshold);
  if (checked.kind !== "practical") {
    throw new ConfigError(join(field, "threshold.kind"), checked.kind, "be practical: COFIBA has no other threshold");
  }
  return {
    radius: parseRadius(join(field, "radius"), given.radius),
    choice: parseChoice(join(field, "choice"), given.choice),
    threshold: checked,
    items: given.items === undefined ? 1 : whole(join(field, "items"), given.items, 1, MOST_ITEMS),
  };
}

/**
 * COFIBA (Li, Karatzoglou, Gentile, SIGIR 2016): who is alike depends on the item.
 *
 * There is a graph over the items, whose connected parts are the *item groups*, and for each item group a graph over the
 * peers. All are complete at first and lose edges. An arm of item group h is scored for peer i from the sums over i's
 * connected part in h's graph. After i has observed x, of item k and group h, let
 *
 *     N(y) = { j : |y·θ̂_i − y·θ̂_j| <= α₂ √ln(t+1) · (√(yᵀA_i⁻¹y) + √(yᵀA_j⁻¹y)) },   A_j, θ̂_j of j's own observations.
 *
 * In h's graph i loses its edges to all j outside N(x); in the graph of the items k loses its edges to all items y with
 * N(y) ≠ N(x). t is the number of interactions, and the radius takes it as in CLUB. `threshold.factor` is α₂. It does not
 * compare with CLUB's, because the width it multiplies knows the direction: with noise 0.5, 0.3 to 0.5 is to this what 1.5
 * to 2 is to CLUB.
 *
 * The paper's items are a fixed set known beforehand. A peer here is shown vectors, so the items are the first `items`
 * different vectors offered, and a later vector counts as the item nearest to it (the tests and scores still use the
 * vector itself). If there are at most `items` vectors in all, and every one was offered before the first item edge was
 * lost, this is the paper's algorithm. Where each arm is a fresh vector that never returns, items cannot be clustered:
 * with `items: 1`, the default, all arms are one item group for ever, which leaves CLUB with the test above; with more,
 * items are cells of the space, and each cell has to find out anew who is alike.
 *
 * What else differs from the paper, or is not settled there:
 * - an item first offered later begins in the group of the item nearest to it, with edges to all of that group;
 * - when an item group falls apart, its largest part (the one with the oldest item, if two are largest) keeps the graph
 *   over the peers and every other part begins with a complete one;
 * - items part before peers, so that a test with x does not cut the peers of items that it has just parted from x; and
 *   N(x) is as above for the item chosen too, not the neighbours left in the graph;
 * - graphs begin complete; the authors thin them out at random for speed;
 * - `estimate`, `evidence` and `pool` report the item group that was chosen from most often: there is no other single
 *   answer to whom a peer is pooled with;
 * - thompson, which the paper does not have, draws one standard normal vector for all arms of a choice.
 *
 * An interaction costs about d²/2 · (V + items + arms · (1 + d/3)) multiply-adds and items · (V + d · arms) comparisons.
 */
export function cofiba(options: Partial<CofibaOptions> = {}): CentralPolicy {
  const checked = parseCofiba("", options);
  return {
    kind: "cofiba",
    options: checked,
    createCentre: (dimension, peers) => new Cofiba(dimension, peers, checked),
  };
}

class Cofiba implements Centre {
  readonly serving = "in-turn";
  readonly #locals: Local[];
  readonly #groups: ItemGroups;
  readonly #sight: Sight;
  readonly #solved: Float64Array;
  readonly #normals: Float64Array;
  #interactions = 0;

  constructor(
    dimension: number,
    peers: number,
    readonly options: CofibaOptions,
  ) {
    this.#locals = Array.from({ length: peers }, () => new Local(dimension));
    this.#groups = new ItemGroups(options.items, dimension, this.#locals);
    this.#sight = new Sight(this.#groups.catalogue, this.#locals);
    this.#solved = new Float64Array(dimension);
    this.#normals = new Float64Array(dimension);
  }

  choose(peer: number, arms: Arms, _round: number, random: Random | undefined): number {
    const thompson = this.options.choice === "thompson";
    if (thompson) expectRandom(random).normals(this.#normals);
    const d = this.#solved.length;
    let best = 0;
    let bestScore = -Infinity;
    for (let arm = 0; arm < arms.count; arm++) {
      const item = this.#itemOf(arms.values, arm * d);
      const { ball } = this.#groups.of(item).poolOf[peer]!;
      const score = this.#score(ball, arms.values, arm * d, thompson);
      if (score <= bestScore) continue;
      bestScore = score;
      best = arm;
    }
    return best;
  }

  observe(peer: number, vectors: Float64Array, from: number, reward: number): void {
    const item = this.#itemOf(vectors, from);
    this.#interactions += 1;
    this.#locals[peer]!.observe(vectors, from, reward);
    this.#groups.observe(peer, item, vectors, from, reward);
    this.#sight.look(peer);
    const width = this.options.threshold.factor * Math.sqrt(ln(this.#interactions + 1));
    const near = this.#sight.neighbours(peer, vectors, from, width);
    this.#groups.cutItems(item, (other) => this.#sight.sees(peer, other, width, near));
    this.#groups.cutPeers(item, peer, near);
  }

  close(): void {}

  estimate(peer: number): Float64Array {
    return this.#groups.busiest.poolOf[peer]!.ball.estimate;
  }

  evidence(peer: number): number {
    return this.#groups.busiest.poolOf[peer]!.sums.count;
  }

  pool(peer: number): number {
    return this.#groups.busiest.poolOf[peer]!.members[0]!;
  }

  /** x·θ̂ + ρ ‖L⁻¹x‖, or with z ~ N(0, I): x·θ̂ + ρ z·L⁻¹x = x·θ', θ' = θ̂ + ρ L⁻ᵀz. */
  #score(ball: Ball, values: Float64Array, from: number, thompson: boolean): number {
    const solved = ball.factor.forward(this.#solved, values, from);
    const along = thompson ? this.#normals : solved;
    let mean = 0;
    let spread = 0;
    for (let k = 0; k < solved.length; k++) {
      mean += values[from + k]! * ball.estimate[k]!;
      spread += along[k]! * solved[k]!;
    }
    const radius = radiusAt(this.options.radius, this.#interactions + 1, ball.factor);
    return mean + radius * (thompson ? spread : Math.sqrt(spread));
  }

  #itemOf(values: Float64Array, from: number): number {
    const before = this.#groups.catalogue.count;
    const item = this.#groups.itemOf(values, from);
    if (this.#groups.catalogue.count > before) this.#sight.add(item);
    return item;
  }
}
