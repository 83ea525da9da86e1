import type { Arms } from "../bandit/arms.ts";
import { Ball } from "../bandit/ball.ts";
import { type Choice, Chooser, parseChoice } from "../bandit/choice.ts";
import { Local } from "../bandit/local.ts";
import { parseRadius, type Radius, radiusAt } from "../bandit/radius.ts";
import { Statistics } from "../bandit/statistics.ts";
import { ConfigError } from "../errors.ts";
import { distance, parseThreshold, type Threshold, thresholdAt } from "../gossip/threshold.ts";
import { addScaled } from "../numbers/packed.ts";
import type { Random } from "../numbers/random.ts";
import { fields, join } from "../options.ts";
import type { CentralPolicy, Centre } from "./centre.ts";

export interface ClubOptions {
  readonly radius: Radius;
  readonly choice: Choice;
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

/** Peers connected with one another, and the sums over them. */
interface Component {
  readonly label: number;
  readonly members: readonly number[];
  readonly sums: Statistics;
  readonly ball: Ball;
}

class Club implements Centre {
  readonly serving = "in-turn";
  readonly #locals: Local[];
  /** Row-major peers × peers: 1 where there is still an edge. Symmetric, no loops. */
  readonly #edges: Uint8Array;
  readonly #componentOf: Component[];
  readonly #chooser: Chooser;
  #interactions = 0;

  constructor(
    readonly dimension: number,
    readonly peers: number,
    readonly options: ClubOptions,
  ) {
    this.#locals = Array.from({ length: peers }, () => new Local(dimension));
    this.#edges = new Uint8Array(peers * peers).fill(1);
    for (let i = 0; i < peers; i++) this.#edges[i * peers + i] = 0;
    const all = this.#component(Array.from({ length: peers }, (_, i) => i));
    this.#componentOf = new Array<Component>(peers).fill(all);
    this.#chooser = new Chooser(dimension);
  }

  choose(peer: number, arms: Arms, _round: number, random: Random | undefined): number {
    const { ball } = this.#componentOf[peer]!;
    const radius = radiusAt(this.options.radius, this.#interactions + 1, ball.factor);
    return this.#chooser.pick(this.options.choice, ball, radius, arms, random);
  }

  observe(peer: number, vectors: Float64Array, from: number, reward: number): void {
    this.#interactions += 1;
    this.#locals[peer]!.observe(vectors, from, reward);
    const { sums, ball } = this.#componentOf[peer]!;
    sums.add(vectors, from, reward);
    ball.include(sums.slot, vectors, from);
    if (this.#loseEdges(peer)) this.#split(this.#componentOf[peer]!);
  }

  close(): void {}

  estimate(peer: number): Float64Array {
    return this.#componentOf[peer]!.ball.estimate;
  }

  evidence(peer: number): number {
    return this.#componentOf[peer]!.sums.count;
  }

  pool(peer: number): number {
    return this.#componentOf[peer]!.label;
  }

  #loseEdges(peer: number): boolean {
    const mine = this.#locals[peer]!;
    let lost = false;
    for (const other of this.#componentOf[peer]!.members) {
      if (this.#edges[peer * this.peers + other] === 0) continue;
      const theirs = this.#locals[other]!;
      const threshold = thresholdAt(
        this.options.threshold,
        mine.statistics.count,
        theirs.statistics.count,
        0,
        this.dimension,
      );
      if (distance(mine.ball.estimate, theirs.ball.estimate) <= threshold) continue;
      this.#edges[peer * this.peers + other] = 0;
      this.#edges[other * this.peers + peer] = 0;
      lost = true;
    }
    return lost;
  }

  /** Finds the connected parts of what was one component; sums are made anew only if it fell apart. */
  #split(old: Component): void {
    const left = new Set(old.members);
    for (const first of old.members) {
      if (!left.delete(first)) continue;
      const reached = [first];
      for (let k = 0; k < reached.length; k++) {
        const row = reached[k]! * this.peers;
        for (const other of left) {
          if (this.#edges[row + other] === 0) continue;
          left.delete(other);
          reached.push(other);
        }
      }
      if (reached.length === old.members.length) return;
      const part = this.#component(reached.sort((a, b) => a - b));
      for (const member of part.members) this.#componentOf[member] = part;
    }
  }

  #component(members: readonly number[]): Component {
    const sums = new Statistics(this.dimension);
    const ball = new Ball(this.dimension);
    for (const member of members) {
      const { statistics } = this.#locals[member]!;
      addScaled(sums.slot, 0, statistics.slot, 0, sums.slot.length, 1);
      sums.count += statistics.count;
    }
    ball.refresh(sums.slot);
    return { label: members[0]!, members, sums, ball };
  }
}
