import { ConfigError, check, type Policy, Random } from "@coterie/core";
import { defineFeatures } from "../features/define.ts";
import type { Features } from "../features/features.ts";
import type { OnBadItem } from "../features/menu.ts";
import type { Context, Crossed, Declared, Item, ScoreParts } from "../features/schema.ts";
import type { NetworkFactory } from "../link/network.ts";
import { memoryStore } from "../store/memory.ts";
import type { StoreFactory } from "../store/store.ts";
import { alone } from "./alone.ts";
import { type Clock, systemClock } from "./clock.ts";
import { DEFAULT_TICK, defaultPolicy } from "./defaults.ts";
import type { PeerEvent } from "./events.ts";
import { type ExploreOptions, parseFloor } from "./explore.ts";
import { type Admits, type PeersOptions, parsePeers } from "./guests.ts";
import { type RewardOptions, Rewards } from "./rewards.ts";
import { drawSeed, freshRandom } from "./seed.ts";

/** The peer's own clock. */
export interface TickOptions {
  /** How long a round of this peer lasts. Ten seconds when left out. */
  readonly periodMs?: number;
  /** Each round is longer or shorter by up to this part of it, so that peers do not fall into step. 0.1 when left out. */
  readonly jitter?: number;
}

/** What a peer is opened with. Only `room` and `features` must be given. */
export interface PeerOptions<S extends Declared> {
  /** Whoever has the same room, features, policy and range of rewards learns together. */
  readonly room: string;
  /**
   * What is known of an item: features by name, or `vectors(d)` for items that are vectors already. With
   * `{ item, context, cross }` also of the situation that a choice is made in.
   */
  readonly features: S;
  /** `skip` leaves out an item that cannot be encoded, with an event, in place of refusing the whole menu. `error` when left out. */
  readonly onBadItem?: OnBadItem;
  readonly policy?: Policy;
  /** How others are reached. Without one the peer learns alone. */
  readonly network?: NetworkFactory;
  /** Whom to have to do with; everybody in the room when left out. */
  readonly peers?: PeersOptions;
  /**
   * Whether strangers may be among them who make up others: then records of peers that nobody has met count little, and no
   * record far more than others (docs/kindred.md). When left out: where the network is open, which it is without a room key.
   */
  readonly wary?: boolean;
  /** Where the peer writes down what it knows. Without one it starts anew each time. */
  readonly store?: StoreFactory;
  readonly reward?: RewardOptions;
  readonly explore?: ExploreOptions;
  /** Decides nothing and learns from what the app decided: see `observe`. */
  readonly shadow?: boolean;
  /** The peer's own clock; false where the app calls `tick` itself. */
  readonly tick?: TickOptions | false;
  /** Hears everything, from the very start. */
  readonly onEvent?: (event: PeerEvent) => void;
  /** Ends the waiting for network and store while the peer is opened. */
  readonly signal?: AbortSignal | undefined;
  /** For tests: the time, and timers. */
  readonly clock?: Clock;
  /** For tests: makes the peer's own draws, names and key repeatable, the key guessable. Every start needs another one. */
  readonly seed?: number;
}

/** Options that are complete and checked. */
export interface Settings<S extends Declared> {
  readonly room: string;
  readonly features: Features<Item<S>, ScoreParts<S>, Context<S>>;
  readonly onBadItem: OnBadItem;
  readonly policy: Policy;
  /** The same, as this peer follows it. */
  readonly warily: Policy;
  readonly network: NetworkFactory;
  readonly admits: Admits | undefined;
  readonly store: StoreFactory;
  readonly rewards: Rewards;
  readonly floor: number;
  readonly shadow: boolean;
  readonly tick: Required<TickOptions> | null;
  readonly onEvent: ((event: PeerEvent) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** The secret of a peer that begins. */
  readonly drawSeed: () => Uint8Array;
}

const FIELDS: readonly (keyof PeerOptions<Declared>)[] = [
  "room",
  "features",
  "onBadItem",
  "policy",
  "network",
  "peers",
  "wary",
  "store",
  "reward",
  "explore",
  "shadow",
  "tick",
  "onEvent",
  "signal",
  "clock",
  "seed",
];

export function parseOptions<const S extends Declared>(options: PeerOptions<S>): Settings<S> {
  check.fields("options", options, FIELDS);
  const { network = alone(), store = memoryStore(), onEvent, signal, clock = systemClock, seed } = options;
  for (const [name, value] of Object.entries({ network, store, onEvent })) {
    if (value !== undefined && typeof value !== "function") throw new ConfigError(name, value, "be a function");
  }
  const policy = parsePolicy(options.policy ?? defaultPolicy());
  const wary = options.wary === undefined ? network.open === true : check.flag("wary", options.wary);
  const random = seed === undefined ? freshRandom() : Random.seeded(seed);
  return {
    room: check.text("room", options.room),
    features: defineFeatures<S>(options.features as S & Crossed<S>),
    onBadItem:
      options.onBadItem === undefined ? "error" : check.oneOf("onBadItem", options.onBadItem, ["error", "skip"]),
    policy,
    // Whom a peer believes is its own matter: peers that differ in it agree all the same.
    warily: wary ? (policy.warily?.() ?? policy) : policy,
    network,
    admits: parsePeers(options.peers),
    store,
    rewards: new Rewards(options.reward),
    floor: parseFloor(options.explore),
    shadow: options.shadow === undefined ? false : check.flag("shadow", options.shadow),
    tick: options.tick === false ? null : parseTick(options.tick),
    onEvent,
    signal,
    clock,
    random,
    drawSeed: () => drawSeed(seed === undefined ? null : random.fork("identity")),
  };
}

function parseTick(options: TickOptions = {}): Required<TickOptions> {
  const { periodMs = DEFAULT_TICK.periodMs, jitter = DEFAULT_TICK.jitter } = check.fields("tick", options, [
    "periodMs",
    "jitter",
  ]);
  const share = check.atLeast("tick.jitter", jitter, 0);
  if (share > 0.5) throw new ConfigError("tick.jitter", jitter, "be at most 0.5");
  // Timers of every engine count in 31 bits.
  return { periodMs: check.whole("tick.periodMs", periodMs, 1, 1_000_000_000), jitter: share };
}

function parsePolicy(policy: Policy): Policy {
  if (typeof policy?.create !== "function")
    throw new ConfigError("policy", policy, "be a policy, such as kindred(), dccb(), dcb() or solo()");
  if (policy.pairing === "ring") {
    throw new ConfigError("policy", policy.kind, "be one whose peers meet in pairs: a ring breaks when a peer leaves");
  }
  return policy;
}
