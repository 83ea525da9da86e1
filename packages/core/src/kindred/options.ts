import { type ChoiceRule, parseChoice } from "../bandit/choice.ts";
import { parseBatch } from "../gossip/batch.ts";
import type { Pairing } from "../gossip/pairing.ts";
import { atLeast, between, fields, flag, join, oneOf, whole } from "../options.ts";

/** Who meets whom; "calls" is not for policies that average, which meet once a round. */
export type Meeting = Exclude<Pairing, "neighbours"> | "calls";

/** One set of defaults for everything; nothing is meant to be tuned to a world. */
export interface KindredOptions {
  readonly choice: ChoiceRule;
  readonly pairing: Meeting;
  /** Standard deviations added to the mean in a choice; for a draw (thompson), how many it deviates by. */
  readonly explore: number;
  /** Records kept at most. */
  readonly view: number;
  /** Records sent at most, each way, in an exchange. */
  readonly budget: number;
  /** A peer publishes anew when what it has seen has grown by this factor. */
  readonly growth: number;
  /** And when it has made at least so many observations since (gossip/batch.ts); off when left out. */
  readonly batch?: number;
  /** Meet likely kin every other time, and ask others for those like oneself; without it partners are drawn at random. */
  readonly seek: boolean;
  /** Call two others, not one, in each of the first rounds (schedule.ts), where a simulation counts calls by rounds. On when left out. */
  readonly early?: boolean;
  /** Put the records into groups that share a θ; without it nobody has kin. */
  readonly groups: boolean;
  /** Learn what peers in general are like; without it θ ~ N(0, I) and the noise is 1. */
  readonly population: boolean;
  /** Learn in which directions tastes differ most (lowRank.ts); without it they differ alike in all. On when left out. */
  readonly components?: boolean;
  /** Learn in which features tastes differ most (relevance.ts); without it they differ alike in all. On when left out. */
  readonly relevance?: boolean;
  /** Members of a group may be similar, not the same (groupSpread.ts); without it they share one θ. On when left out. */
  readonly similar?: boolean;
  /** Estimate θ from recent observations where tastes are found to drift (drift.ts); without it from all. On when left out. */
  readonly drift?: boolean;
  /** Learn how noisy the rewards of each peer are (noises.ts); without it all are alike. On when left out. */
  readonly noises?: boolean;
  /** Where own rewards took two values, their variance follows from their mean (rewardLikelihood.ts). On when left out. */
  readonly clicks?: boolean;
  /** Believe others only as far as one's own observations bear them out. */
  readonly guard: boolean;
  /** Strangers may be here who invent peers: weigh no record far above others, and doubt them all sooner. Off when left out. */
  readonly wary?: boolean;
}

/** Records may come from anybody, in any order, twice: any way to meet will do. */
const MEETINGS: readonly Meeting[] = ["calls", "matching", "permutation", "asynchronous"];

const FIELDS = [
  "choice",
  "pairing",
  "explore",
  "view",
  "budget",
  "growth",
  "batch",
  "seek",
  "early",
  "groups",
  "population",
  "components",
  "relevance",
  "similar",
  "drift",
  "noises",
  "clicks",
  "guard",
  "wary",
];

export function parseKindred(field: string, value: unknown): KindredOptions {
  const given = fields(field, value, FIELDS);
  const at = (name: string): string => join(field, name);
  const on = (name: string): boolean => (given[name] === undefined ? true : flag(at(name), given[name]));
  return {
    choice: parseChoice(at("choice"), given.choice),
    pairing: given.pairing === undefined ? "calls" : oneOf(at("pairing"), given.pairing, MEETINGS),
    explore: given.explore === undefined ? 0.5 : atLeast(at("explore"), given.explore, 0),
    view: given.view === undefined ? 128 : whole(at("view"), given.view, 1, 4096),
    budget: given.budget === undefined ? 32 : whole(at("budget"), given.budget, 1, 4096),
    growth: given.growth === undefined ? 1.05 : between(at("growth"), given.growth, 1, 100),
    ...(given.batch === undefined ? {} : { batch: parseBatch(at("batch"), given.batch) }),
    seek: on("seek"),
    groups: on("groups"),
    population: on("population"),
    // Named only where they are given: rooms and stores made before there were such options agree with theirs.
    ...(given.early === undefined ? {} : { early: on("early") }),
    ...(given.components === undefined ? {} : { components: on("components") }),
    ...(given.relevance === undefined ? {} : { relevance: on("relevance") }),
    ...(given.similar === undefined ? {} : { similar: on("similar") }),
    ...(given.drift === undefined ? {} : { drift: on("drift") }),
    ...(given.noises === undefined ? {} : { noises: on("noises") }),
    ...(given.clicks === undefined ? {} : { clicks: on("clicks") }),
    guard: on("guard"),
    ...(given.wary === undefined ? {} : { wary: on("wary") }),
  };
}
