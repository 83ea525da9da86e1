import { type Choice, parseChoice } from "../bandit/choice.ts";
import { type Pairing, parsePairing } from "../gossip/pairing.ts";
import { atLeast, between, fields, flag, join, whole } from "../options.ts";

/** One set of defaults for everything; nothing is meant to be tuned to a world. */
export interface KindredOptions {
  readonly choice: Choice;
  readonly pairing: Pairing;
  /** Standard deviations added to the mean in a choice; for a draw (thompson), how many it deviates by. */
  readonly explore: number;
  /** Records kept at most. */
  readonly view: number;
  /** Records sent at most, each way, in an exchange. */
  readonly budget: number;
  /** A peer publishes anew when what it has seen has grown by this factor. */
  readonly growth: number;
  /** Meet likely kin every other time, and ask others for those like oneself; without it partners are drawn at random. */
  readonly seek: boolean;
  /** Put the records into groups that share a θ; without it nobody has kin. */
  readonly groups: boolean;
  /** Learn what peers in general are like; without it θ ~ N(0, I) and the noise is 1. */
  readonly population: boolean;
  /** Believe others only as far as one's own observations bear them out. */
  readonly guard: boolean;
}

const FIELDS = ["choice", "pairing", "explore", "view", "budget", "growth", "seek", "groups", "population", "guard"];

export function parseKindred(field: string, value: unknown): KindredOptions {
  const given = fields(field, value, FIELDS);
  const at = (name: string): string => join(field, name);
  const on = (name: string): boolean => (given[name] === undefined ? true : flag(at(name), given[name]));
  return {
    choice: parseChoice(at("choice"), given.choice),
    pairing: parsePairing(at("pairing"), given.pairing, "matching"),
    explore: given.explore === undefined ? 0.5 : atLeast(at("explore"), given.explore, 0),
    view: given.view === undefined ? 128 : whole(at("view"), given.view, 1, 4096),
    budget: given.budget === undefined ? 32 : whole(at("budget"), given.budget, 1, 4096),
    growth: given.growth === undefined ? 1.1 : between(at("growth"), given.growth, 1, 100),
    seek: on("seek"),
    groups: on("groups"),
    population: on("population"),
    guard: on("guard"),
  };
}
