import type { Arms } from "../bandit/arms.ts";
import { Ball } from "../bandit/ball.ts";
import { type ChoiceRule, Chooser } from "../bandit/choice.ts";
import { type BallOptions, parseBallOptions } from "../bandit/options.ts";
import { type Radius, radiusAt } from "../bandit/radius.ts";
import { Statistics } from "../bandit/statistics.ts";
import { ConfigError } from "../errors.ts";
import type { Random } from "../numbers/random.ts";
import type { CentralPolicy, Centre } from "./centre.ts";

/** One ball for all peers (the paper's CB-InstSharing). */
export function pooled(options: Partial<BallOptions> = {}): CentralPolicy {
  const checked = parseBallOptions("", options);
  return {
    kind: "pooled",
    options: checked,
    createCentre: (dimension, peers) => new Pools(dimension, new Int32Array(peers), checked),
  };
}

/** One ball for each true cluster: the floor of regret, because it is told what the others must find out. */
export function oracle(options: Partial<BallOptions> = {}): CentralPolicy {
  const checked = parseBallOptions("", options);
  return {
    kind: "oracle",
    options: checked,
    createCentre: (dimension, _peers, clusters) => {
      if (clusters === null)
        throw new ConfigError("policy", "oracle", "be one that needs no clusters, because this world has none");
      return new Pools(dimension, clusters, checked);
    },
  };
}

/**
 * Peers of one pool share sums at once; a turn's observations count from the next turn on. `poolOf` is read anew each
 * time: an observation counts for the pool in which its peer is when it comes.
 */
class Pools implements Centre {
  readonly serving = "together";
  readonly #pools: { readonly sums: Statistics; readonly ball: Ball; fresh: boolean }[] = [];
  readonly #chooser: Chooser;
  readonly #radius: Radius;
  readonly #choice: ChoiceRule;

  constructor(
    dimension: number,
    readonly poolOf: Int32Array,
    { radius, choice }: BallOptions,
  ) {
    for (const pool of poolOf) {
      while (this.#pools.length <= pool) {
        this.#pools.push({ sums: new Statistics(dimension), ball: new Ball(dimension), fresh: true });
      }
    }
    this.#chooser = new Chooser(dimension);
    this.#radius = radius;
    this.#choice = choice;
  }

  choose(peer: number, arms: Arms, round: number, random: Random | undefined): number {
    const { ball } = this.#of(peer);
    return this.#chooser.pick(this.#choice, ball, radiusAt(this.#radius, round, ball.factor), arms, random);
  }

  observe(peer: number, vectors: Float64Array, from: number, reward: number): void {
    const pool = this.#of(peer);
    pool.sums.add(vectors, from, reward);
    pool.fresh = false;
  }

  close(): void {
    for (const pool of this.#pools) {
      if (!pool.fresh) pool.ball.refresh(pool.sums.slot);
      pool.fresh = true;
    }
  }

  /** Pools keep no account of single peers. */
  renew(): void {}

  estimate(peer: number): Float64Array {
    return this.#of(peer).ball.estimate;
  }

  evidence(peer: number): number {
    return this.#of(peer).sums.count;
  }

  pool(peer: number): number {
    return this.poolOf[peer]!;
  }

  #of(peer: number): { readonly sums: Statistics; readonly ball: Ball; fresh: boolean } {
    return this.#pools[this.poolOf[peer]!]!;
  }
}
