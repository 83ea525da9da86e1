import type { Arms } from "../bandit/arms.ts";
import { type ChoiceRule, Chooser, parseChoice } from "../bandit/choice.ts";
import { Local } from "../bandit/local.ts";
import { parseRadius, type Radius, radiusAt } from "../bandit/radius.ts";
import { ConfigError } from "../errors.ts";
import { distance, parseThreshold, type Threshold, thresholdAt } from "../gossip/threshold.ts";
import type { Random } from "../numbers/random.ts";
import { atLeast, fields, join } from "../options.ts";
import type { CentralPolicy, Centre } from "./centre.ts";
import { Pool } from "./pool.ts";

/** The options of `sclub`, complete. */
export interface SclubOptions {
  readonly radius: Radius;
  readonly choice: ChoiceRule;
  /** `factor` is the paper's α_θ. */
  readonly threshold: Threshold;
  /** The paper's α_p: how much more often than another a member may be served. */
  readonly frequency: number;
}

export function parseSclub(field: string, value: unknown): SclubOptions {
  const given = fields(field, value, ["radius", "choice", "threshold", "frequency"]);
  const threshold = parseThreshold(join(field, "threshold"), given.threshold);
  if (threshold.kind !== "practical") {
    throw new ConfigError(join(field, "threshold.kind"), threshold.kind, "be practical: SCLUB has no other threshold");
  }
  return {
    radius: parseRadius(join(field, "radius"), given.radius),
    choice: parseChoice(join(field, "choice"), given.choice),
    threshold,
    frequency: given.frequency === undefined ? 2 : atLeast(join(field, "frequency"), given.frequency, 0),
  };
}

/**
 * SCLUB (Li, Chen, Li, Leung, IJCAI 2019): groups of peers that lose a member at a time and grow together again.
 *
 * Phase s = 1, 2, … is of 2^s interactions. At its beginning every group j notes its estimate θ̃ʲ and count T̃ʲ, and no
 * peer is checked. With f as in CLUB's threshold, τ the number of interactions, T counts and p̂ = T/τ (of a group: the
 * mean over its members), the peer i just served, of group j, leaves it and stands alone if
 *
 *     ‖θ̂_i − θ̃ʲ‖ > α_θ (f(T_i) + f(T̃ʲ))   or   |p̂_i − p̂_k| > 2 α_p f(τ) for a k in j;
 *
 * then it is checked. Groups all of whose members are checked join if
 *
 *     ‖θ̂ʲ − θ̂ᵏ‖ < ½ α_θ (f(Tʲ) + f(Tᵏ))   and   |p̂ʲ − p̂ᵏ| < α_p f(τ).
 *
 * α_θ is `threshold.factor` (the analysis takes it of the order R √(d/λ), λ as in the gossip's threshold), α_p is
 * `frequency`. Where all are served equally often, as in a fleet, the second halves of both tests say nothing.
 *
 * What differs from the paper, or is not settled there:
 * - the radius is ours, with CLUB's t; the paper's β is close to our `theory`. The ridge is 1;
 * - "any two groups that satisfy it": here the pair lowest in age, again and again until there is none;
 * - a group that arises within a phase notes its estimate and count then; one that lost a member keeps what it noted;
 * - a peer that is alone cannot leave.
 */
export function sclub(options: Partial<SclubOptions> = {}): CentralPolicy {
  const checked = parseSclub("", options);
  return {
    kind: "sclub",
    options: checked,
    createCentre: (dimension, peers) => new Sclub(dimension, peers, checked),
  };
}

interface Group {
  /** Lower is older. */
  readonly label: number;
  pool: Pool;
  /** θ̃ and T̃. */
  noted: { readonly estimate: Float64Array; readonly count: number };
  /** Since it was last compared with the others, something happened that may let it join one. */
  fresh: boolean;
}

class Sclub implements Centre {
  readonly serving = "in-turn";
  readonly #locals: Local[];
  /** By age. */
  #groups: Group[];
  readonly #groupOf: Group[];
  readonly #checked: Uint8Array;
  readonly #chooser: Chooser;
  readonly #frequency: Threshold;
  #interactions = 0;
  /** The phase ends with this interaction: 2, 6, 14, … */
  #phaseEnd = 2;
  #labels = 0;

  constructor(
    readonly dimension: number,
    readonly peers: number,
    readonly options: SclubOptions,
  ) {
    this.#locals = Array.from({ length: peers }, () => new Local(dimension));
    this.#checked = new Uint8Array(peers);
    this.#chooser = new Chooser(dimension);
    this.#frequency = { kind: "practical", factor: options.frequency };
    const all = this.#group(Array.from({ length: peers }, (_, i) => i));
    this.#groups = [all];
    this.#groupOf = new Array<Group>(peers).fill(all);
  }

  choose(peer: number, arms: Arms, _round: number, random: Random | undefined): number {
    const { ball } = this.#groupOf[peer]!.pool;
    const radius = radiusAt(this.options.radius, this.#interactions + 1, ball.factor);
    return this.#chooser.pick(this.options.choice, ball, radius, arms, random);
  }

  observe(peer: number, vectors: Float64Array, from: number, reward: number): void {
    this.#interactions += 1;
    this.#locals[peer]!.observe(vectors, from, reward);
    const group = this.#groupOf[peer]!;
    group.pool.observe(vectors, from, reward);
    group.fresh = true;
    if (group.pool.members.length > 1 && this.#strays(peer, group)) this.#part(peer, group);
    this.#checked[peer] = 1;
    this.#join();
    if (this.#interactions === this.#phaseEnd) this.#nextPhase();
  }

  close(): void {}

  estimate(peer: number): Float64Array {
    return this.#groupOf[peer]!.pool.ball.estimate;
  }

  evidence(peer: number): number {
    return this.#groupOf[peer]!.pool.sums.count;
  }

  pool(peer: number): number {
    return this.#groupOf[peer]!.label;
  }

  #strays(peer: number, { pool, noted }: Group): boolean {
    const { ball, statistics } = this.#locals[peer]!;
    if (distance(ball.estimate, noted.estimate) > this.#near(statistics.count, noted.count)) return true;
    // |p̂_i − p̂_k| τ = |T_i − T_k|
    const most = this.#interactions * this.#often();
    return pool.members.some((k) => Math.abs(statistics.count - this.#locals[k]!.statistics.count) > most);
  }

  #part(peer: number, group: Group): void {
    const alone = this.#group([peer]);
    this.#groups.push(alone);
    this.#groupOf[peer] = alone;
    group.pool = this.#poolOf(group.pool.members.filter((k) => k !== peer));
  }

  /** Joins checked groups until no two of them are alike. */
  #join(): void {
    const ready = this.#groups.filter(({ pool }) => pool.members.every((k) => this.#checked[k] === 1));
    for (;;) {
      const pair = this.#alike(ready);
      if (pair === null) return;
      const [older, younger] = pair;
      older.pool = this.#poolOf([...older.pool.members, ...younger.pool.members].sort((a, b) => a - b));
      this.#note(older);
      older.fresh = true;
      for (const k of younger.pool.members) this.#groupOf[k] = older;
      this.#groups = this.#groups.filter((group) => group !== younger);
      ready.splice(ready.indexOf(younger), 1);
    }
  }

  /** The oldest two of `ready` that satisfy the test, or null. Two to which nothing happened are not tested again. */
  #alike(ready: readonly Group[]): [Group, Group] | null {
    const waiting = new Set<Group>();
    for (let a = 0; a < ready.length; a++) {
      for (let b = a + 1; b < ready.length; b++) {
        const [j, k] = [ready[a]!, ready[b]!];
        if (!j.fresh && !k.fresh) continue;
        const [one, other] = [j.pool, k.pool];
        const gap = distance(one.ball.estimate, other.ball.estimate);
        if (!(gap < this.#near(one.sums.count, other.sums.count) / 2)) continue;
        const rates = one.sums.count / one.members.length - other.sums.count / other.members.length;
        if (Math.abs(rates) < (this.#interactions * this.#often()) / 2) return [j, k];
        // Held apart by frequencies alone, whose test grows milder by itself: τ f(τ) rises.
        waiting.add(j);
      }
    }
    for (const group of ready) group.fresh = waiting.has(group);
    return null;
  }

  #nextPhase(): void {
    this.#phaseEnd = 2 * this.#phaseEnd + 2;
    this.#checked.fill(0);
    for (const group of this.#groups) this.#note(group);
  }

  /** α_θ (f(n) + f(m)). */
  #near(n: number, m: number): number {
    return thresholdAt(this.options.threshold, n, m, 0, this.dimension);
  }

  /** 2 α_p f(τ). */
  #often(): number {
    return thresholdAt(this.#frequency, this.#interactions, this.#interactions, 0, this.dimension);
  }

  #group(members: readonly number[]): Group {
    const pool = this.#poolOf(members);
    const group = { label: this.#labels++, pool, noted: { estimate: new Float64Array(), count: 0 }, fresh: true };
    this.#note(group);
    return group;
  }

  #note(group: Group): void {
    const { ball, sums } = group.pool;
    group.noted = { estimate: ball.estimate.slice(), count: sums.count };
  }

  /** Summed anew from the members, never by subtraction: rounding does not pile up. */
  #poolOf(members: readonly number[]): Pool {
    return new Pool(members, this.#locals, this.dimension);
  }
}
