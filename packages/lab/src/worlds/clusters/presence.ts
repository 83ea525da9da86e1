import { Random } from "@coterie/core";
import type { ClustersConfig, EveryNth } from "./config.ts";

/** Who is there, who acts, and who is new. */
export class Presence {
  readonly #config: ClustersConfig;
  readonly #random: { readonly churn: Random; readonly activity: Random; readonly visits: Random };
  readonly #draw = Random.seeded(0);
  /** By churn alone. */
  readonly #here: Uint8Array;
  readonly #active: Uint8Array;
  /** The chance that each peer acts in a turn. */
  readonly #chances: Float64Array | null;
  readonly #visitors: Float64Array;
  #round = 0;

  /** `random` is the world's. */
  constructor(config: ClustersConfig, random: Random) {
    const { peers, activity } = config;
    this.#config = config;
    const active = random.fork("activity");
    this.#random = { churn: random.fork("churn"), activity: active, visits: random.fork("visits") };
    this.#here = new Uint8Array(peers).fill(1);
    this.#active = new Uint8Array(peers).fill(1);
    this.#chances = activity === undefined ? null : powerLaw(peers, activity.least, active.fork("order"));
    this.#visitors = new Float64Array(peers);
  }

  nextRound(round: number): void {
    this.#round = round;
    const { churn, visits } = this.#config;
    if (churn !== undefined) this.#comeAndGo(churn);
    if (visits !== undefined && round > 1) this.#change(1 / visits.rounds);
  }

  nextTurn(turn: number): void {
    if (this.#chances === null) return;
    const draw = this.#random.activity.forkInto(this.#draw, turn);
    for (let peer = 0; peer < this.#active.length; peer++) {
      this.#active[peer] = draw.uniform() < this.#chances[peer]! ? 1 : 0;
    }
  }

  present(peer: number): boolean {
    const { newcomers, leavers, activity } = this.#config;
    if (activity?.idle === "away" && !this.acts(peer)) return false;
    if (newcomers !== undefined && isOf(newcomers, peer) && this.#round <= newcomers.after) return false;
    if (leavers !== undefined && isOf(leavers, peer) && this.#round > leavers.after) return false;
    return this.#here[peer] === 1;
  }

  acts(peer: number): boolean {
    return this.#active[peer] === 1;
  }

  visitor(peer: number): number {
    return this.#visitors[peer]!;
  }

  #comeAndGo(churn: { readonly leave: number; readonly return: number }): void {
    const draw = this.#random.churn.forkInto(this.#draw, this.#round);
    for (let peer = 0; peer < this.#here.length; peer++) {
      const chance = this.#here[peer] === 1 ? churn.leave : churn.return;
      if (draw.uniform() < chance) this.#here[peer] = 1 - this.#here[peer]!;
    }
  }

  #change(chance: number): void {
    const draw = this.#random.visits.forkInto(this.#draw, this.#round);
    for (let peer = 0; peer < this.#visitors.length; peer++) if (draw.uniform() < chance) this.#visitors[peer]! += 1;
  }
}

/** Every `every`-th peer. */
export const isOf = ({ every }: EveryNth, peer: number): boolean => peer % every === every - 1;

/** chances[k-th of a random order] = max(least, 1/k). */
function powerLaw(peers: number, least: number, random: Random): Float64Array {
  const order = random.shuffle(Int32Array.from({ length: peers }, (_, peer) => peer));
  const chances = new Float64Array(peers);
  order.forEach((peer, k) => {
    chances[peer] = Math.max(least, 1 / (k + 1));
  });
  return chances;
}
