import { describe, expect, it } from "vitest";
import { armsFrom } from "../bandit/arms.ts";
import { PeerFleet } from "../fleet/peers.ts";
import { ANY_RANK } from "../kindred/greeting.ts";
import type { KindredOptions } from "../kindred/options.ts";
import { type PeerRecord, publish } from "../kindred/record.ts";
import { Random } from "../numbers/random.ts";
import { initialPeer, type Peer, step } from "../peer/peer.ts";
import { fromSnapshot, snapshot } from "../peer/snapshot.ts";
import { look, recordOf, type Seen, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { smallWorld } from "../testing/small-world.ts";
import { playTwoKinds } from "../testing/two-kinds.ts";
import { decodeRecords, encodeRecords } from "../wire/records.ts";
import { kindred } from "./kindred.ts";
import type { KindredOffer } from "./kindredOffer.ts";
import { solo } from "./solo.ts";

describe("kindred among two clusters", () => {
  it("borrows almost only from its own", () => {
    const [peers, dimension, rounds] = [12, 4, 100];
    const policy = kindred();
    const fleet = new PeerFleet({ policy, dimension, peers, random: Random.seeded(5) }, policy);
    const world = smallWorld({ seed: 3, peers, dimension, arms: 6, clusters: 2 });
    for (let round = 1; round <= rounds; round++) fleet.round(world(round));
    fleet.members.forEach(({ learner }, i) => {
      const lenders = [...learner.view.lenders!()];
      const sum = (kind: number): number =>
        lenders.filter(([id]) => Number(id) % 2 === kind).reduce((total, [, count]) => total + count, 0);
      expect(sum((i + 1) % 2)).toBeLessThan(0.02 * sum(i % 2));
      // Twice what it has seen itself at least, of the five others of its cluster: whoever has little left to learn asks rarely.
      expect(sum(i % 2)).toBeGreaterThan(2 * rounds);
      expect(learner.view.evidence).toBeCloseTo(rounds + sum(0) + sum(1), 6);
    });
  });

  const ROUNDS = 160;
  const alone = playTwoKinds(solo(), ROUNDS).regret;

  it("loses less than a peer alone", () => {
    expect(playTwoKinds(kindred(), ROUNDS).regret).toBeLessThan(0.7 * alone);
  });

  it.each(["seek", "groups", "population", "components", "relevance", "noises", "clicks", "guard"])(
    "plays without %s",
    (part) => {
      expect(playTwoKinds(kindred({ [part]: false }), ROUNDS).regret).toBeLessThan(1.5 * alone);
    },
  );
});

const D = 4;
const THETA = [0.6, -0.4, 0.5, 0.2];

/** Arms within the unit ball. */
function inBall(random: Random, theta: number[], count: number, noise: number): Seen {
  const { arms, rewards } = look(random, theta, count, noise);
  const lengths = arms.map((x) => Math.max(1, Math.hypot(...x)) * (1 + 1e-9));
  return {
    arms: arms.map((x, k) => x.map((value) => value / lengths[k])),
    rewards: rewards.map((r, k) => r / lengths[k]),
  };
}

const honest = range(6).map((i) => recordOf(`friend ${i}`, 1, inBall(Random.seeded(i + 1), THETA, 30, 0.5), D));

/** Mean distance from the truth of a peer that has seen `count` rewards and holds these records, which came by wire. */
const distance = (records: PeerRecord[], count: number): number =>
  range(6).reduce((sum, draw) => sum + distanceOf(records, count, 100 + draw) / 6, 0);

function distanceOf(records: PeerRecord[], count: number, seed: number): number {
  const { view } = holding(records, count, seed).learner;
  return Math.hypot(...THETA.map((value, i) => value - view.estimate[i]));
}

/** A peer that has seen `count` rewards and holds these records, which came by wire. */
function holding(
  records: PeerRecord[],
  count: number,
  seed: number,
  options = {},
  pay = (reward: number) => reward,
): Peer {
  const limits = { dimension: D, most: 100, reward: Number.POSITIVE_INFINITY };
  const received = decodeRecords(encodeRecords(records, D), limits);
  const offer: KindredOffer = {
    policy: "kindred",
    dimension: D,
    greeting: { peer: "partner", due: true, worst: ANY_RANK, least: 0, salt: 0, wants: new Map(), profile: null },
    recordsFor: () => received,
  };
  const peer = initialPeer({ id: "me", dimension: D, policy: kindred(options), peers: 10 });
  const { arms, rewards } = inBall(Random.seeded(seed), THETA, count, 0.5);
  arms.forEach((x, k) => {
    step(peer, { kind: "observe", arm: Float64Array.from(x), reward: pay(rewards[k]) });
    step(peer, { kind: "meet", partner: "partner", offer });
    step(peer, { kind: "settle" });
    step(peer, { kind: "close" });
  });
  return peer;
}

const greetingOf = ({ learner }: Peer): KindredOffer["greeting"] => (learner.offer() as KindredOffer).greeting;

describe("kindred where rewards are clicks", () => {
  /** Records of peers whose rewards differ in how noisy they are. */
  const uneven = range(12).map((i) =>
    recordOf(`peer ${i}`, 1, inBall(Random.seeded(i + 1), THETA, 40, i % 2 === 0 ? 0.05 : 0.8), D),
  );
  const estimate = (options: object, pay?: (reward: number) => number): Float64Array =>
    holding(uneven, 60, 3, options, pay).learner.view.estimate;

  it("takes all peers for equally noisy: the variance of a click follows from its mean", () => {
    const click = (reward: number): number => (reward > 0 ? 1 : 0);
    expect(estimate({}, click)).toEqual(estimate({ noises: false }, click));
    expect(estimate({ clicks: false }, click)).not.toEqual(estimate({ noises: false }, click));
    // Other rewards are no clicks from the third on.
    const off = (options: object): number =>
      Math.max(...estimate({}).map((x, i) => Math.abs(x - estimate(options)[i])));
    expect(100 * off({ clicks: false })).toBeLessThan(off({ noises: false }));
  });
});

describe("kindred in a room where peers come and go", () => {
  it("asks for everything while it holds fewer records than there are others", () => {
    const peer = holding(honest, 80, 1);
    const next = (): void => {
      step(peer, { kind: "settle" });
      step(peer, { kind: "close" });
    };
    const asks = (rounds: number): number => {
      let wide = 0;
      for (const _ of range(rounds)) {
        next();
        if (greetingOf(peer).worst === ANY_RANK) wide += 1;
      }
      return wide;
    };
    // Nobody has come or gone: how many others there are does not matter.
    expect(asks(10)).toBeLessThan(3);
    step(peer, { kind: "leave", partner: "friend 0" });
    expect(asks(10)).toBe(10);
    // "me", and five friends.
    for (const _ of range(3)) step(peer, { kind: "leave", partner: "somebody" });
    expect(asks(10)).toBeLessThan(3);
  });
});

describe("kindred whose taste changes", () => {
  const seen = (theta: number[], count: number): Seen => inBall(Random.seeded(40), theta, count, 0.3);
  const observe = (peer: Peer, { arms, rewards }: Seen): void => {
    arms.forEach((x, k) => {
      step(peer, { kind: "observe", arm: Float64Array.from(x), reward: rewards[k] });
      step(peer, { kind: "settle" });
      step(peer, { kind: "close" });
    });
  };
  const published = (peer: Peer): PeerRecord => {
    const to = { peer: "reader", due: true, worst: ANY_RANK, least: 0, salt: 0, wants: new Map(), profile: null };
    return (peer.learner.offer() as KindredOffer).recordsFor(to).find(({ origin }) => origin === "me")!;
  };
  const opposite = THETA.map((value) => -value);
  const off = ({ learner: { view } }: Peer, theta: number[]): number =>
    Math.hypot(...theta.map((value, i) => value - view.estimate[i]));

  it("finds that out, learns anew and publishes a new era; the same bits from a snapshot", () => {
    const peer = initialPeer({ id: "me", dimension: D, policy: kindred(), peers: 1 });
    observe(peer, seen(THETA, 300));
    const before = published(peer);
    expect(before.era).toBe(0);
    observe(peer, seen(opposite, 20));
    const copy = fromSnapshot(peer.config, snapshot(peer));
    for (const each of [peer, copy]) observe(each, seen(opposite, 130));
    expect(snapshot(copy)).toEqual(snapshot(peer));
    const after = published(peer);
    expect(after.era).toBeGreaterThan(0);
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.count).toBeLessThan(before.count);
    expect(peer.learner.view.own).toBeLessThan(200);
    expect(off(peer, opposite)).toBeLessThan(0.4);
  });

  it("starts anew when it is told, and is less sure then", () => {
    const peer = initialPeer({ id: "me", dimension: D, policy: kindred(), peers: 1 });
    observe(peer, seen(THETA, 300));
    const [x, old] = [Float64Array.of(0.5, 0.5, 0.5, 0.5), published(peer)];
    const sure = peer.learner.view.spread!(x, 0, 1);
    step(peer, { kind: "change" });
    expect([peer.learner.view.own, peer.learner.view.evidence]).toEqual([0, 0]);
    expect(peer.learner.view.spread!(x, 0, 1)).toBeGreaterThan(2 * sure);
    // Nothing has been seen of the new taste, so there is nothing to publish.
    expect(published(peer)).toBe(old);
    observe(peer, seen(opposite, 1));
    expect(published(peer)).toMatchObject({ era: 1, version: old.version + 1, count: 1 });
  });
});

describe("kindred that may have lost what it published", () => {
  const greeting = { peer: "reader", due: true, worst: ANY_RANK, least: 0, salt: 0, wants: new Map(), profile: null };
  const published = (peer: Peer): PeerRecord | undefined =>
    (peer.learner.offer() as KindredOffer).recordsFor(greeting).find(({ origin }) => origin === "me");
  const observe = (peer: Peer, count: number): void => {
    const { arms, rewards } = inBall(Random.seeded(7), THETA, count, 0.3);
    arms.forEach((x, k) => void step(peer, { kind: "observe", arm: Float64Array.from(x), reward: rewards[k] }));
  };
  const create = (options: Partial<KindredOptions> = {}): Peer =>
    initialPeer({ id: "me", dimension: D, policy: kindred(options), peers: 1 });

  it("publishes all of it anew, above the version it is told, and goes on from there", () => {
    const peer = create({ growth: 1.01 });
    observe(peer, 20);
    step(peer, { kind: "renew", version: 1000 });
    expect(published(peer)).toMatchObject({ version: 1001, count: 20 });
    const copy = fromSnapshot(peer.config, snapshot(peer));
    for (const each of [peer, copy]) observe(each, 1);
    expect([published(peer)!.version, published(copy)!.version]).toEqual([1002, 1002]);
    // Never back.
    step(peer, { kind: "renew", version: 3 });
    expect(published(peer)!.version).toBe(1003);
  });

  it("holds back what its batch holds back", () => {
    const peer = create({ batch: 8 });
    observe(peer, 10);
    expect(published(peer)).toMatchObject({ version: 1, count: 8 });
    step(peer, { kind: "renew", version: 50 });
    expect(published(peer)).toMatchObject({ version: 51, count: 8 });
  });

  it("remembers the version before it has seen anything", () => {
    const peer = create();
    step(peer, { kind: "renew", version: 50 });
    expect(published(peer)).toBeUndefined();
    observe(peer, 1);
    expect(published(peer)!.version).toBe(51);
  });

  it("goes on from its heritage alone: what it has seen, its era and its version", () => {
    const old = create();
    observe(old, 40);
    step(old, { kind: "change" });
    observe(old, 30);
    const heritage = old.learner.heritage!();
    const peer = create();
    peer.learner.inherit!(heritage);
    expect(peer.learner.view.own).toBe(30);
    expect(Math.hypot(...THETA.map((value, i) => value - peer.learner.view.estimate[i]))).toBeLessThan(0.4);
    expect(published(peer)).toMatchObject({ era: 1, count: 30, version: published(old)!.version + 1 });
    expect(peer.learner.heritage!()).toEqual({ ...heritage, version: heritage.version + 1 });
  });
});

describe("kindred that has learnt", () => {
  /** In how many of the next ten rounds an exchange is due. */
  const due = (peer: Peer): number => {
    let rounds = 0;
    for (const _ of range(10)) {
      step(peer, { kind: "settle" });
      step(peer, { kind: "close" });
      if (greetingOf(peer).due) rounds += 1;
    }
    return rounds;
  };

  it("calls others less the more it knows", () => {
    const plenty = range(6).map((i) => recordOf(`friend ${i}`, 1, inBall(Random.seeded(i + 1), THETA, 4000, 0.5), D));
    // Round 40, so an exchange is due every third round.
    expect(due(holding(honest, 40, 1))).toBeGreaterThanOrEqual(3);
    const sure = holding(plenty, 40, 1);
    expect(due(sure)).toBeLessThanOrEqual(1);
    // Until somebody comes whose record it lacks.
    for (const _ of range(3)) step(sure, { kind: "join", partner: "somebody" });
    expect(due(sure)).toBeGreaterThanOrEqual(3);
  });
});

const published = ({ learner }: Peer): number | undefined => {
  const newcomer = kindred().create(D, 1, "newcomer").offer() as KindredOffer;
  return (learner.offer() as KindredOffer).recordsFor(newcomer.greeting).find(({ origin }) => origin === "me")?.count;
};

describe("kindred between two closes", () => {
  /** Regret of 60 choices alone among ten arms, on average over forty worlds. */
  const regret = (closes: boolean): number =>
    range(40).reduce((sum, seed) => sum + regretOf(Random.seeded(seed), closes) / 40, 0);

  function regretOf(random: Random, closes: boolean): number {
    const peer = initialPeer({ id: "me", dimension: D, policy: kindred(), peers: 10 });
    let lost = 0;
    for (const _ of range(60)) {
      const { arms, rewards } = inBall(random, THETA, 10, 0);
      const [effect] = step(peer, { kind: "choose", arms: armsFrom(arms, D) });
      const arm = effect?.kind === "chosen" ? effect.arm : -1;
      step(peer, { kind: "reward", reward: rewards[arm] + 0.3 * random.normal() });
      lost += Math.max(...rewards) - rewards[arm];
      if (closes) step(peer, { kind: "close" });
    }
    return lost;
  }

  it("learns as well as if it closed a round after each choice", () => {
    const closing = regret(true);
    expect(regret(false)).toBeLessThan(1.1 * closing);
    expect(closing).toBeGreaterThan(0);
  });

  it("has published before the meeting of the same round, as far as growth and batch allow", () => {
    const counts = (options: Partial<KindredOptions>): (number | undefined)[] => {
      const peer = initialPeer({ id: "me", dimension: D, policy: kindred(options), peers: 10 });
      const { arms, rewards } = inBall(Random.seeded(1), THETA, 9, 0.5);
      return arms.map((x, k) => {
        step(peer, { kind: "observe", arm: Float64Array.from(x), reward: rewards[k] });
        return published(peer);
      });
    };
    expect(counts({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(counts({ growth: 2 })).toEqual([1, 2, 2, 4, 4, 4, 4, 8, 8]);
    expect(counts({ batch: 4 })).toEqual([undefined, undefined, undefined, 4, 4, 4, 4, 8, 8]);
  });
});

describe("kindred alone with a fixed menu", () => {
  const ITEMS = 6;
  const menu = armsFrom(
    range(ITEMS).map((k) => range(ITEMS).map((i) => (i === k ? 1 : 0))),
    ITEMS,
  );
  /** How often the best of six items is among the last 500 of 2,000 choices. */
  function best(chances: readonly [number, number], seed: number): number {
    const random = Random.seeded(seed);
    const peer = initialPeer({ id: "me", dimension: ITEMS, policy: kindred(), peers: 1 });
    // Not the first item, which ties would favour.
    const good = 1 + random.below(ITEMS - 1);
    let found = 0;
    for (const n of range(2000)) {
      const [effect] = step(peer, { kind: "choose", arms: menu });
      const arm = effect?.kind === "chosen" ? effect.arm : -1;
      const reward = random.uniform() < chances[arm === good ? 0 : 1] ? 1 : 0;
      step(peer, { kind: "reward", reward });
      step(peer, { kind: "close" });
      if (n >= 1500 && arm === good) found += 1;
    }
    return found;
  }

  const seeds = range(20).map((k) => k + 1);

  it("does not stay with a worse item that is clicked often", () => {
    for (const seed of seeds) expect(best([0.6, 0.2], seed), `seed ${seed}`).toBeGreaterThan(400);
  });

  it("does not stay with a worse item that is clicked rarely, unless the best one was hardly ever clicked", () => {
    // In about one run of two hundred the best item's first two hundred tries pay as little as the others' do.
    const late = seeds.filter((seed) => best([0.1, 0.03], seed) <= 250);
    expect(late.length, `late: ${late}`).toBeLessThanOrEqual(1);
  });
});

describe("kindred that is restored", () => {
  it("goes on as it would have, to the bit", () => {
    const peer = holding(honest, 25, 3);
    const again = fromSnapshot(peer.config, snapshot(peer));
    const { arms, rewards } = inBall(Random.seeded(9), THETA, 30, 0.5);
    for (const one of [peer, again]) {
      arms.forEach((x, k) => {
        step(one, { kind: "observe", arm: Float64Array.from(x), reward: rewards[k] });
        // Some rounds have several observations.
        if (k % 3 === 0) step(one, { kind: "close" });
      });
    }
    expect(again.learner.view.estimate).toEqual(peer.learner.view.estimate);
    expect(snapshot(again)).toEqual(snapshot(peer));
  });

  it("goes on to the bit wherever in a round it was restored", () => {
    const { arms, rewards } = inBall(Random.seeded(9), THETA, 40, 0.5);
    const live = (one: Peer, from: number, to: number): void => {
      for (let k = from; k < to; k++) {
        step(one, { kind: "observe", arm: Float64Array.from(arms[k]), reward: rewards[k] });
        if (k % 5 === 4) step(one, { kind: "close" });
      }
    };
    for (const cut of range(20)) {
      const peer = holding(honest, 3, 3);
      live(peer, 0, cut);
      const again = fromSnapshot(peer.config, snapshot(peer));
      for (const one of [peer, again]) live(one, cut, cut + 20);
      expect(snapshot(again), `after ${cut}`).toEqual(snapshot(peer));
    }
  });
});

describe("kindred that puts off what an exchange brings", () => {
  /** Four peers that choose, meet, forget and close as the seed has it; each goes on as `then` has it after every step. */
  function play(seed: number, then: (peer: Peer) => Peer): { peers: Peer[]; chosen: number[] } {
    const random = Random.seeded(seed);
    const policy = kindred({ view: 3 });
    const peers = range(4).map((i) => initialPeer({ id: `${i}`, dimension: D, policy, peers: 4 }));
    const chosen: number[] = [];
    const { arms, rewards } = inBall(Random.seeded(seed + 100), THETA, 240, 0.5);
    arms.forEach((arm, k) => {
      const [one, other] = [peers[k % 4]!, peers[(k + 1 + random.below(3)) % 4]!];
      const what = random.below(10);
      const offer = other.learner.offer();
      if (what < 3) step(one, { kind: "observe", arm: Float64Array.from(arm), reward: rewards[k] });
      else if (what < 7) step(one, { kind: "meet", partner: other.config.id, offer });
      else if (what === 7)
        chosen.push(one.learner.choose(armsFrom(arms.slice(k % 200, (k % 200) + 5), D), k, undefined));
      else if (what === 8 && k % 7 === 0) step(one, { kind: "forget", partner: other.config.id });
      else {
        step(one, { kind: "settle" });
        step(one, { kind: "close" });
      }
      peers[k % 4] = then(one);
    });
    return { peers, chosen };
  }

  it("comes to the same bits as one that is restored after every step", () => {
    for (const seed of range(2)) {
      const [one, other] = [
        play(seed, (peer) => peer),
        play(seed, (peer) => fromSnapshot(peer.config, snapshot(peer))),
      ];
      expect(one.chosen).toEqual(other.chosen);
      expect(new Set(one.chosen).size).toBeGreaterThan(1);
      for (const [i, peer] of one.peers.entries()) expect(snapshot(peer), `${i}`).toEqual(snapshot(other.peers[i]!));
      expect([...one.peers[0]!.learner.view.lenders!().keys()].length).toBeGreaterThan(0);
    }
  });
});

const negated = (record: PeerRecord, origin: string): PeerRecord =>
  publish(origin, 1, { ...record, slot: record.slot.map((value, k) => (k < (D * (D + 1)) / 2 ? value : -value)) });

const LIES: { [name: string]: PeerRecord[] } = {
  "moments negated": [negated(honest[0], "liar")],
  "a thousand invented observations": [
    recordOf("liar", 1, inBall(Random.seeded(50), [-0.9, 0.9, -0.9, 0.9], 1000, 0.01), D),
  ],
  "rewards a hundred times too large": [
    recordOf(
      "liar",
      1,
      inBall(
        Random.seeded(51),
        THETA.map((value) => -100 * value),
        1000,
        1,
      ),
      D,
    ),
  ],
  "as many liars as friends": range(6).map((i) => negated(honest[i], `liar ${i}`)),
};

describe("kindred among liars", () => {
  it("is nearer to the truth with friends than alone", () => {
    expect(distance(honest, 25)).toBeLessThan(0.7 * distance([], 25));
  });

  it.each(Object.keys(LIES))("is not much worse than alone: %s", (name) => {
    const lies = LIES[name];
    for (const count of [10, 25, 80]) {
      const alone = distance([], count);
      expect(distance(lies, count)).toBeLessThan(1.3 * alone + 0.05);
      expect(distance([...honest, ...lies], count)).toBeLessThan(1.1 * alone + 0.05);
    }
  });

  it("is nearly as good with friends and one liar as with friends", () => {
    const misled = distance([...honest, ...LIES["moments negated"]], 80);
    expect(misled).toBeLessThan(1.3 * distance(honest, 80) + 0.02);
  });

  it("says how far it sets others aside, also after a restart", () => {
    for (const seed of range(3)) {
      const among = (records: PeerRecord[]): Peer => holding(records, 80, seed);
      expect(among(honest).learner.view.aside).toBeLessThan(0.05);
      const misled = among(LIES["a thousand invented observations"]);
      expect(misled.learner.view.aside).toBeGreaterThan(0.3);
      const again = fromSnapshot(misled.config, snapshot(misled));
      expect(again.learner.view.aside).toBe(misled.learner.view.aside);
    }
  });

  it("keeps its numbers whatever a record claims that the wire lets pass", () => {
    const arm = [0.9, -0.3, -0.3, -0.1].map((x) => x * 30_000);
    const slot = sumsOf({ arms: [arm], rewards: [1] }, D).slot;
    const poison = publish("poison", 1, { slot, count: 1e9, squares: 1e9 });
    expect(distance([...honest, poison], 25)).toBeLessThan(1.1 * distance([], 25) + 0.05);
    expect(distance([poison], 25)).toBeLessThan(1.3 * distance([], 25) + 0.05);
  });
});
