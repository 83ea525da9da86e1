import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError, ProtocolViolation } from "../errors.ts";
import { Slots } from "../gossip/slots.ts";
import { Random } from "../numbers/random.ts";
import type { DcbOffer } from "../policies/dcb.ts";
import type { DccbOffer } from "../policies/dccb.ts";
import { roundByHand } from "../testing/by-hand.ts";
import { partnersFor } from "../testing/partners.ts";
import { names, refusal } from "../testing/refused.ts";
import { LARGEST_REWARD, smallWorld } from "../testing/small-world.ts";
import { thousands } from "../testing/thousands.ts";
import { SOCIABLE, VARIANTS } from "../testing/variants.ts";
import type { Offer } from "./learner.ts";
import { type Input, initialPeer, type Peer, type PeerConfig, step } from "./peer.ts";
import { snapshot } from "./snapshot.ts";

const PEERS = 3;
const DIMENSION = 3;

/** Peers of one policy in the middle of a life. */
function lived(name: string, rounds = 9): Peer[] {
  const policy = VARIANTS[name]!;
  const config = (id: string): PeerConfig => ({ id, dimension: DIMENSION, policy, peers: PEERS });
  const peers = ["a", "b", "c"].map((id) => initialPeer(config(id)));
  const world = smallWorld({ seed: 4, peers: PEERS, dimension: DIMENSION });
  const limits = { dimension: DIMENSION, most: 100, reward: LARGEST_REWARD };
  const partners = partnersFor(policy, PEERS, 1);
  for (let round = 1; round <= rounds; round++) {
    roundByHand({ peers, limits, choice: Random.seeded(2) }, round, world(round), partners(round));
  }
  return peers;
}

const ALL = Object.keys(VARIANTS);
const COLONY = new Map(ALL.map((name) => [name, lived(name)]));
const anyPeer = fc.constantFrom(...ALL).map((name) => COLONY.get(name)![0]!);

/** Expects an error of this class that names the field, and a state of which not a bit has changed. */
function refused(peer: Peer, input: Input, kind: typeof ConfigError | typeof ProtocolViolation, field: RegExp): void {
  const before = snapshot(peer);
  names(
    refusal(kind, () => step(peer, input)),
    field,
  );
  if (Buffer.compare(snapshot(peer), before) !== 0) throw new Error("the state has changed");
}

const random = Random.seeded(1);
const small = fc.double({ min: -0.5, max: 0.5, noNaN: true });
const arms = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    values: fc.float64Array({
      minLength: count * DIMENSION,
      maxLength: count * DIMENSION,
      min: -0.5,
      max: 0.5,
      noNaN: true,
    }),
  }),
);
const notFinite = fc.constantFrom(Number.NaN, Infinity, -Infinity);

describe("arms", () => {
  it("that are no numbers name arm and feature", () => {
    const property = fc.property(anyPeer, arms, fc.nat(), notFinite, (peer, { count, values }, place, bad) => {
      const at = place % values.length;
      values[at] = bad;
      const field = new RegExp(`^arms\\[${Math.floor(at / DIMENSION)}\\]\\[${at % DIMENSION}\\]$`);
      refused(peer, { kind: "choose", arms: { count, values }, random }, ConfigError, field);
    });
    fc.assert(property, thousands);
  });

  it("outside the unit ball name the arm", () => {
    const size = fc.double({ min: 1.00000001, max: 1e300, noNaN: true });
    const property = fc.property(anyPeer, arms, fc.nat(), size, (peer, { count, values }, place, bad) => {
      const at = place % values.length;
      values[at] = place % 2 ? bad : -bad;
      const field = new RegExp(`^arms\\[${Math.floor(at / DIMENSION)}\\]$`);
      refused(peer, { kind: "choose", arms: { count, values }, random }, ConfigError, field);
    });
    fc.assert(property, thousands);
  });

  it("of too few features, of no number or of a strange number are refused", () => {
    const property = fc.property(anyPeer, arms, fc.nat(), (peer, { count, values }, cut) => {
      const short = values.slice(0, cut % values.length);
      refused(peer, { kind: "choose", arms: { count, values: short }, random }, ConfigError, /^arms\.values$/);
      for (const none of [0, -1, 0.5, Number.NaN, Infinity]) {
        refused(peer, { kind: "choose", arms: { count: none, values }, random }, ConfigError, /^arms\.count$/);
      }
    });
    fc.assert(property, thousands);
  });

  it("observed from elsewhere are checked alike", () => {
    const property = fc.property(anyPeer, small, notFinite, (peer, x, bad) => {
      const see = (arm: Float64Array, reward: number, field: RegExp) =>
        refused(peer, { kind: "observe", arm, reward }, ConfigError, field);
      see(Float64Array.of(x, x), 1, /^observed arm\.values$/);
      see(Float64Array.of(x, x, bad), 1, /^observed arm\[0\]\[2\]$/);
      see(Float64Array.of(x, 1.1, x), 1, /^observed arm\[0\]$/);
      see(Float64Array.of(x, x, x), bad, /^reward$/);
    });
    fc.assert(property, thousands);
  });
});

describe("rewards", () => {
  const reward = (value: unknown): Input => ({ kind: "reward", reward: value as number });

  it("for nothing chosen are refused", () => {
    fc.assert(
      fc.property(anyPeer, small, (peer, value) => refused(peer, reward(value), ConfigError, /^reward$/)),
      thousands,
    );
  });

  it("that are no finite numbers are refused, and the choice goes on waiting", () => {
    const waiting = ALL.map((name) => {
      const peer = lived(name)[0]!;
      step(peer, { kind: "choose", arms: { count: 1, values: Float64Array.of(0.1, 0.2, 0.3) }, random });
      return peer;
    });
    const bad = fc.oneof(notFinite, fc.constantFrom<unknown[]>("1", null, undefined, [1], {}, true, 1n));
    fc.assert(
      fc.property(fc.constantFrom(...waiting), bad, (peer, value) =>
        refused(peer, reward(value), ConfigError, /^reward$/),
      ),
      thousands,
    );
    for (const peer of waiting) expect(() => step(peer, reward(0.5))).not.toThrow();
  });
});

describe("inputs out of place", () => {
  it("of a kind nobody knows are refused", () => {
    const kinds = ["choose", "reward", "observe", "meet", "part", "settle", "close", "change", "join", "leave"];
    const unknown = fc.anything().filter((kind) => !kinds.includes(kind as string));
    const property = fc.property(anyPeer, unknown, (peer, kind) =>
      refused(peer, { kind } as unknown as Input, ConfigError, /^input\.kind$/),
    );
    fc.assert(property, thousands);
  });

  it("of a taste that has changed are refused by policies that cannot start anew", () => {
    for (const name of ALL) {
      const peer = lived(name)[0]!;
      if (peer.config.policy.kind === "kindred") step(peer, { kind: "change" });
      else refused(peer, { kind: "change" }, ConfigError, /^change$/);
    }
  });

  it("that name oneself, or nobody, as the partner are refused", () => {
    const wrong = fc.constantFrom<unknown[]>("a", "", 1, null, undefined, {}, ["b"]);
    const property = fc.property(anyPeer, wrong, (peer, name) => {
      const partner = name as string;
      const offer: Offer = COLONY.get("dcb")![1]!.learner.offer();
      refused(peer, { kind: "meet", partner, offer }, ConfigError, /^partner$/);
      for (const kind of ["part", "join", "leave"] as const) refused(peer, { kind, partner }, ConfigError, /^partner$/);
    });
    fc.assert(property, thousands);
  });

  it("leave nobody behind who is alone", () => {
    for (const policy of Object.values(VARIANTS)) {
      const peer = initialPeer({ id: "a", dimension: DIMENSION, policy, peers: 1 });
      refused(peer, { kind: "leave", partner: "b" }, ConfigError, /^peers$/);
    }
  });

  it.each(SOCIABLE)("%s: a round does not close before its meetings are settled", (name) => {
    const [peer, partner] = lived(name) as [Peer, Peer];
    step(peer, { kind: "meet", partner: "b", offer: partner.learner.offer() });
    refused(peer, { kind: "close" }, ConfigError, /^close$/);
    step(peer, { kind: "settle" });
    step(peer, { kind: "part", partner: "b" });
    refused(peer, { kind: "close" }, ConfigError, /^close$/);
    step(peer, { kind: "settle" });
    step(peer, { kind: "close" });
  });

  it("find no partner in a policy that meets nobody", () => {
    const offer = COLONY.get("dcb")![1]!.learner.offer();
    for (const name of ["random", "solo"]) {
      const peer = COLONY.get(name)![0]!;
      refused(peer, { kind: "meet", partner: "b", offer }, ConfigError, /^meet$/);
      refused(peer, { kind: "part", partner: "b" }, ConfigError, /^meet$/);
    }
  });

  it("need randomness where the policy draws", () => {
    for (const name of ["random", "solo, thompson", "dcb, epoch"]) {
      const values = Float64Array.of(0.1, 0.2, 0.3);
      refused(COLONY.get(name)![0]!, { kind: "choose", arms: { count: 1, values } }, ConfigError, /^random$/);
    }
  });
});

describe("offers that do not fit", () => {
  const meet = (peer: Peer, offer: Offer, field: RegExp) =>
    refused(peer, { kind: "meet", partner: "b", offer }, ProtocolViolation, field);

  it("of another policy are violations", () => {
    for (const name of SOCIABLE) {
      const peer = COLONY.get(name)![0]!;
      for (const other of SOCIABLE) {
        if (VARIANTS[other]!.kind === VARIANTS[name]!.kind) continue;
        meet(peer, COLONY.get(other)![1]!.learner.offer(), /^offer\.policy$/);
      }
      meet(peer, { policy: "none" }, /^offer\.policy$/);
    }
  });

  it("of another dimension are violations", () => {
    for (const name of SOCIABLE) {
      const wide = initialPeer({ id: "b", dimension: DIMENSION + 1, policy: VARIANTS[name]!, peers: PEERS });
      meet(COLONY.get(name)![0]!, wide.learner.offer(), /^offer\.dimension$/);
    }
  });

  it("of another round are violations", () => {
    const shift = fc.integer({ min: -9, max: 9 }).filter((by) => by !== 0);
    // One that shares with anybody near, so that its slots are looked at.
    const names = fc.constantFrom("dcb", "dcb, epoch", "dccb, mutual");
    const property = fc.property(names, shift, (name, rounds) => {
      const [peer, partner] = COLONY.get(name) as [Peer, Peer];
      const offer = { ...partner.learner.copyOffer(), slots: new Slots(DIMENSION) } as DcbOffer | DccbOffer;
      offer.slots.copyFrom((partner.learner.offer() as DcbOffer).slots);
      const { newestRound } = offer.slots;
      offer.slots.newestRound = newestRound + rounds;
      meet(peer, offer, /^offer\.round$/);
    });
    fc.assert(property, thousands);
  });
});

it("a peer is not made from a config out of bounds", () => {
  const good = { id: "a", dimension: 2, policy: VARIANTS.solo!, peers: 2 };
  const made = (field: string, bad: unknown) => () => initialPeer({ ...good, [field]: bad } as PeerConfig);
  for (const bad of ["", 1, null, undefined]) expect(made("id", bad)).toThrow(/^id must be a non-empty text/);
  for (const bad of [0, -1, 1.5, 4097, Number.NaN, "2", null]) {
    expect(made("dimension", bad)).toThrow(/^dimension must be a whole number from 1 to 4096/);
  }
  for (const bad of [0, -1, 1.5, Infinity, "2", null]) {
    expect(made("peers", bad)).toThrow(/^peers must be a whole number of at least 1/);
  }
});
