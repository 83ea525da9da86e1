import type { Arms, Policy, Random } from "@coterie/core";
import { chooseArm, scoreArms } from "@coterie/core/internal";
import type { Offered } from "../features/menu.ts";
import type { PeerHost } from "../host/host.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import type { Clock } from "./clock.ts";
import { type Belief, beliefOf, type Explained } from "./explain.ts";
import { explore, type Picked, propensitiesOf } from "./explore.ts";
import type { ScoredArm } from "./inspect.ts";
import type { DecisionLog } from "./log.ts";
import { only, rank } from "./ranking.ts";
import type { Listed, Settling } from "./settling.ts";

export interface ChoicesConfig {
  readonly host: PeerHost;
  readonly settling: Settling;
  readonly policy: Policy;
  readonly floor: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: DecisionLog;
  /** How many members are in the neighbourhood. */
  readonly neighbours: () => number;
}

/** A choice as numbers. */
export interface Decision extends Explained {
  readonly id: ChoiceId;
  readonly index: number;
  readonly propensity: number | null;
  /** When nobody can pay it any more; one of a slate may be shown until the last moment, and waits from then on. */
  readonly expires: number;
}

/** A choice of the app's that waits for its reward. */
export interface Watching {
  readonly id: ChoiceId;
  readonly would: number;
  readonly expires: number;
}

/** Choosing: at once, from what the peer knows now. Every choice waits for its reward from then on. */
export class Choices {
  readonly #config: ChoicesConfig;
  readonly #draws: Random;
  #belief: Belief | null = null;
  #pictured = -1;

  constructor(config: ChoicesConfig) {
    this.#config = config;
    this.#draws = config.random.fork("choices");
  }

  decide(menu: Offered): Decision {
    const { host, floor, policy } = this.#config;
    const { arms, places } = menu;
    const best = chooseArm(host.peer, arms, this.#draws);
    const pick = explore(best, arms.count, floor, policy, this.#draws);
    const decision = this.#decide(this.#armOf(arms, pick.arm), places?.[pick.arm] ?? pick.arm, pick);
    this.#logged(menu, decision.id, pick);
    return decision;
  }

  /**
   * The best `most`, then the best of the rest, and so on. With a floor, each place is drawn for itself: a propensity is that
   * of an item at its place, given those above it. `slated`: nobody has seen them yet.
   */
  decideTop(menu: Offered, most: number, slated = false): Decision[] {
    const { host, floor, policy, log } = this.#config;
    const { dimension } = host.peer.config;
    const { arms, places, items, unit } = menu;
    const best = rank(host.peer, arms, this.#draws);
    const left = Array.from({ length: arms.count }, (_, arm) => arm);
    const decisions: Decision[] = [];
    while (decisions.length < most && left.length > 0) {
      const pick = explore(best(left), left.length, floor, policy, this.#draws);
      const arm = left[pick.arm];
      const listed = { slate: decisions[0]?.id, place: slated ? decisions.length : null };
      const decision = this.#decide(this.#armOf(arms, arm), places?.[arm] ?? arm, pick, listed);
      // All that is left is copied only where somebody writes it down.
      if (log.active) {
        const at = left.map((each) => places?.[each] ?? each);
        const rest = { arms: only(arms, left, dimension), places: at, items, unit };
        this.#logged(rest, decision.id, pick, listed.slate);
      }
      decisions.push(decision);
      left.splice(pick.arm, 1);
    }
    return decisions;
  }

  /** What the peer thinks of each item of a menu; nothing waits for a reward because of it. */
  score({ arms, places }: Offered): ScoredArm[] {
    const { host, policy } = this.#config;
    const { learner, round } = host.peer;
    const scores = policy.propensity === "certain" ? scoreArms(host.peer, arms) : null;
    const picture = this.#look();
    return Array.from({ length: arms.count }, (_, k) => {
      const arm = this.#armOf(arms, k);
      const spread = learner.view.spread?.(arm, 0, round) ?? null;
      return { index: places?.[k] ?? k, score: scores?.[k] ?? null, arm, spread, picture };
    });
  }

  /** What the app chose, to be rewarded later, and what this peer would have chosen. */
  watch(menu: Offered, chosen: number, propensities: readonly number[] | null): Watching {
    const { host, settling, log, clock } = this.#config;
    const { arms, places } = menu;
    const would = chooseArm(host.peer, arms, this.#draws);
    const { id, expires } = settling.await(this.#armOf(arms, chosen));
    if (log.active) log.chose({ ...menu, id, at: clock.now(), chosen, propensities, would });
    return { id, would: places?.[would] ?? would, expires };
  }

  /** A choice that waits from now on. */
  #decide(arm: Float64Array, index: number, { propensity, explored }: Picked, listed?: Listed): Decision {
    const { host, settling } = this.#config;
    const { learner, round } = host.peer;
    const { id, expires } = settling.await(arm, listed);
    // One arm's now is cheap; a copy of all it comes from, to tell it later, is not.
    const spread = learner.view.spread?.(arm, 0, round) ?? null;
    return { id, index, propensity, expires, explored, arm, spread, picture: this.#look() };
  }

  #logged(menu: Offered, id: ChoiceId, pick: Picked, slate?: ChoiceId): void {
    const { log, clock, floor, policy } = this.#config;
    if (!log.active) return;
    const propensities = propensitiesOf(pick, menu.arms.count, floor, policy);
    log.chose({ ...menu, id, at: clock.now(), chosen: pick.arm, propensities, slate });
  }

  #armOf(arms: Arms, at: number): Float64Array {
    const { dimension } = this.#config.host.peer.config;
    return arms.values.slice(at * dimension, (at + 1) * dimension);
  }

  #look(): Belief {
    const { host, neighbours, policy } = this.#config;
    if (this.#belief === null || this.#pictured !== host.changes) {
      this.#belief = beliefOf(policy, host.peer.learner.view, neighbours);
      this.#pictured = host.changes;
    }
    return this.#belief;
  }
}
