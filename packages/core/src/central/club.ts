import type { Arms } from "../bandit/arms.ts";
import { type ChoiceRule, Chooser, parseChoice } from "../bandit/choice.ts";
import { Local } from "../bandit/local.ts";
import { parseRadius, type Radius, radiusAt } from "../bandit/radius.ts";
import { ConfigError } from "../errors.ts";
import { distance, parseThreshold, type Threshold, thresholdAt } from "../gossip/threshold.ts";
import type { Random } from "../numbers/random.ts";
import { fields, join } from "../options.ts";
import type { CentralPolicy, Centre } from "./centre.ts";
import { Graph } from "./graph.ts";
import { Pool } from "./pool.ts";

/** The options of `club`, complete. */
export interface ClubOptions {
  readonly radius: Radius;
  readonly choice: ChoiceRule;
  readonly threshold: Threshold;
}

export function parseClub(field: string, value: unknown): ClubOptions {
  const given = fields(field, value, ["radius", "choice", "threshold"]);
  const threshold = parseThreshold(join(field, "threshold"), given.threshold);
  if (threshold.kind !== "practical") {
    throw new ConfigError(join(field, "threshold.kind"), threshold.kind, "be practical: CLUB has no other threshold");
  }
  return {
    radius: parseRadius(join(field, "radius"), given.radius),
    choice: parseChoice(join(field, "choice"), given.choice),
    threshold,
  };
}

/** CLUB (Gentile, Li, Zappella, ICML 2014): a graph that loses edges; peers of one component share at once. */
export function club(options: Partial<ClubOptions> = {}): CentralPolicy {
  const checked = parseClub("", options);
  return {
    kind: "club",
    options: checked,
    createCentre: (dimension, peers) => new Club(dimension, peers, checked),
  };
}

class Club implements Centre {
  readonly serving = "in-turn";
  readonly #locals: readonly Local[];
  readonly #graph: Graph;
  /** The connected component of each peer. */
  readonly #poolOf: Pool[];
  readonly #chooser: Chooser;
  #interactions = 0;

  constructor(
    readonly dimension: number,
    peers: number,
    readonly options: ClubOptions,
  ) {
    this.#locals = Array.from({ length: peers }, () => new Local(dimension));
    this.#graph = Graph.complete(peers);
    const everybody = Array.from({ length: peers }, (_, i) => i);
    this.#poolOf = new Array<Pool>(peers).fill(new Pool(everybody, this.#locals, dimension));
    this.#chooser = new Chooser(dimension);
  }

  choose(peer: number, arms: Arms, _round: number, random: Random | undefined): number {
    const { ball } = this.#poolOf[peer]!;
    const radius = radiusAt(this.options.radius, this.#interactions + 1, ball.factor);
    return this.#chooser.pick(this.options.choice, ball, radius, arms, random);
  }

  observe(peer: number, vectors: Float64Array, from: number, reward: number): void {
    this.#interactions += 1;
    this.#locals[peer]!.observe(vectors, from, reward);
    const pool = this.#poolOf[peer]!;
    pool.observe(vectors, from, reward);
    if (this.#loseEdges(peer)) this.#split(pool);
  }

  close(): void {}

  estimate(peer: number): Float64Array {
    return this.#poolOf[peer]!.ball.estimate;
  }

  evidence(peer: number): number {
    return this.#poolOf[peer]!.sums.count;
  }

  pool(peer: number): number {
    return this.#poolOf[peer]!.members[0]!;
  }

  /** Cuts every edge of `peer` to one whose estimate lies beyond the threshold. True if there was any. */
  #loseEdges(peer: number): boolean {
    const mine = this.#locals[peer]!;
    let lost = false;
    for (const other of this.#poolOf[peer]!.members) {
      if (!this.#graph.has(peer, other)) continue;
      const theirs = this.#locals[other]!;
      const [n, m] = [mine.statistics.count, theirs.statistics.count];
      const threshold = thresholdAt(this.options.threshold, n, m, 0, this.dimension);
      if (distance(mine.ball.estimate, theirs.ball.estimate) <= threshold) continue;
      this.#graph.cut(peer, other);
      lost = true;
    }
    return lost;
  }

  /** What was one component may have fallen apart; sums are made anew only then. */
  #split(old: Pool): void {
    const parts = this.#graph.parts(old.members);
    if (parts.length === 1) return;
    for (const members of parts) {
      const pool = new Pool(members, this.#locals, this.dimension);
      for (const member of members) this.#poolOf[member] = pool;
    }
  }
}
