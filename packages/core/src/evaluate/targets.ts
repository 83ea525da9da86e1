import { Local } from "../bandit/local.ts";
import { ConfigError } from "../errors.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { initialPeer, step } from "../peer/peer.ts";
import type { LoggedMenu } from "./menu.ts";
import type { LogShape } from "./survey.ts";

/** A policy whose value is asked for. It sees the log in its order: menus when they were shown, rewards when they came. */
export interface Target {
  readonly name: string;
  /** The probability of each item; null where it has nothing to say about this menu, which is then left out. */
  probabilities(menu: LoggedMenu): ArrayLike<number> | null;
  /** A logged choice was paid: x = the arm, `reward` within ±1. */
  learn?(x: Float64Array, reward: number): void;
}

/**
 * A target as callers name it: any item alike (`uniform`); the first one, where items come in the app's own order (`first`);
 * always the item of one name; what a linear model fitted to the first half of the log would choose in the second
 * (`linear`); what a peer in shadow mode would have chosen (`shadow`); a policy of peers, which learns from the log as it
 * goes; or a function of the menu.
 */
export type TargetSpec = "uniform" | "first" | "linear" | "shadow" | { readonly item: string } | Policy | OwnTarget;

/** A policy of the caller's own: probabilities for the items of a menu. */
export interface OwnTarget {
  readonly name: string;
  readonly probabilities: (menu: LoggedMenu) => ArrayLike<number> | null;
}

/** The specs that are one word. */
export const TARGET_NAMES = ["uniform", "first", "linear", "shadow"] as const;

export function createTarget(spec: TargetSpec, shape: LogShape, dimension: number): Target {
  if (spec === "uniform") return { name: spec, probabilities: ({ count }) => new Float64Array(count).fill(1 / count) };
  if (spec === "first") return { name: spec, probabilities: (menu) => only(menu, 0) };
  if (spec === "shadow") return { name: spec, probabilities: (menu) => only(menu, menu.entry.would) };
  if (spec === "linear") return new Linear(dimension, Math.ceil(shape.choices / 2));
  if (typeof spec === "object" && spec !== null) {
    if ("create" in spec) return new Replayed(spec, dimension);
    if ("probabilities" in spec) return spec;
    if ("item" in spec)
      return { name: `item ${spec.item}`, probabilities: (menu) => only(menu, placeOf(menu, spec.item)) };
  }
  throw new ConfigError(
    "target",
    spec,
    `be one of ${TARGET_NAMES.join(", ")}, { item }, a policy or a function's object`,
  );
}

function placeOf({ entry }: LoggedMenu, name: string): number | undefined {
  const place = entry.items.findIndex((item) => item.name === name);
  return place === -1 ? undefined : place;
}

/** 1 for one item, 0 for the others. */
function only({ count }: LoggedMenu, index: number | undefined): Float64Array | null {
  if (index === undefined) return null;
  const out = new Float64Array(count);
  out[index] = 1;
  return out;
}

/** argmax_b x_b · θ̂, with θ̂ from the first choices alone: judged on those that it was not fitted to. */
class Linear implements Target {
  readonly name = "linear";
  readonly #local: Local;
  #left: number;

  constructor(dimension: number, fitted: number) {
    this.#local = new Local(dimension);
    this.#left = fitted;
  }

  probabilities(menu: LoggedMenu): ArrayLike<number> | null {
    if (this.#left-- > 0) return null;
    const { estimate } = this.#local.ball;
    let best = 0;
    let most = -Infinity;
    for (let arm = 0; arm < menu.count; arm++) {
      const score = dot(estimate, menu.values, arm * estimate.length);
      if (score > most) [best, most] = [arm, score];
    }
    return only(menu, best);
  }

  learn(x: Float64Array, reward: number): void {
    if (this.#left > 0) this.#local.observe(x, 0, reward);
  }
}

/**
 * A peer's policy, alone, that is shown the log. It learns from what was logged and not from what it would have chosen
 * itself, so this is what it would have earned at each choice with the log as its past. Where it draws, one draw stands for
 * its distribution: that is as right on average.
 */
class Replayed implements Target {
  readonly name: string;
  readonly #peer;
  readonly #random = Random.seeded(0).fork("evaluate");

  constructor(policy: Policy, dimension: number) {
    this.name = policy.kind;
    this.#peer = initialPeer({ id: "target", dimension, policy, peers: 1 });
  }

  probabilities(menu: LoggedMenu): ArrayLike<number> | null {
    const [effect] = step(this.#peer, { kind: "choose", arms: menu, random: this.#random });
    return only(menu, effect?.kind === "chosen" ? effect.arm : undefined);
  }

  learn(x: Float64Array, reward: number): void {
    step(this.#peer, { kind: "observe", arm: x, reward });
    step(this.#peer, { kind: "close" });
  }
}

/** θ · x, x = values[from .. from+d). */
function dot(theta: Float64Array, values: Float64Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < theta.length; i++) sum += theta[i]! * values[from + i]!;
  return sum;
}
