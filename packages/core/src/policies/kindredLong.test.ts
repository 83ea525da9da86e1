import { describe, expect, it } from "vitest";
import type { Arms } from "../bandit/arms.ts";
import { parseKindred } from "../kindred/options.ts";
import { complain } from "../kindred/record.ts";
import { Reader, Writer } from "../numbers/bytes.ts";
import { Random } from "../numbers/random.ts";
import type { Learner } from "../peer/learner.ts";
import { range } from "../testing/play.ts";
import { Kindred, kindred } from "./kindred.ts";
import { LongKindred } from "./kindredLong.ts";
import type { KindredOffer } from "./kindredOffer.ts";

/** More than the coordinates that a peer begins with, few enough that all of them are needed in the end. */
const D = 40;
const OPTIONS = parseKindred("", {});

const plain = (self: string): Learner => new Kindred(self, D, OPTIONS);
const long = (self: string): LongKindred => new LongKindred(self, D, OPTIONS);

function arms(random: Random, count = 6): Arms {
  const values = random.normals(new Float64Array(count * D));
  for (let k = 0; k < values.length; k++) values[k]! /= Math.sqrt(D);
  return { values, count };
}

const copyOf = <T extends Learner>(learner: T, into: T): T => {
  const out = new Writer();
  learner.write(out);
  const from = new Reader(out.bytes(), complain);
  into.read(from);
  from.end("state");
  return into;
};

/** Peers of two kinds choose, observe and exchange with the next one. What each chose, and its estimate in the end. */
class Life {
  readonly chosen: number[] = [];
  readonly #random: Random;
  #round = 0;

  constructor(
    readonly peers: Learner[],
    seed: number,
  ) {
    this.#random = Random.seeded(seed);
    for (const peer of peers) peer.resize(peers.length);
  }

  go(rounds: number): this {
    const { peers } = this;
    for (let left = rounds; left > 0; left--) {
      this.#round += 1;
      for (const [i, peer] of peers.entries()) {
        const menu = arms(this.#random);
        const arm = peer.choose(menu, this.#round, undefined);
        const reward = (i % 2 === 0 ? 3 : -3) * menu.values[arm * D]! + 0.2 * this.#random.normal();
        peer.observe(menu.values, arm * D, reward);
        this.chosen.push(arm);
      }
      for (const [i, peer] of peers.entries()) {
        const other = peers[(i + 1) % peers.length]!;
        if (other !== peer && peer.judge("other", other.offer(), this.#round) === "mix") peer.mixBoth(other);
      }
      for (const peer of peers) {
        peer.settle();
        peer.close(this.#round);
      }
    }
    return this;
  }

  get estimates(): number[] {
    return this.peers.flatMap(({ view }) => [...view.estimate, view.evidence, view.aside!]);
  }
}

const life = (make: (self: string) => Learner, peers: number, seed: number): Life =>
  new Life(
    range(peers).map((i) => make(`peer ${i}`)),
    seed,
  );

const expectClose = (these: readonly number[], those: readonly number[]): void => {
  expect(these.length).toBe(those.length);
  for (const [k, value] of these.entries()) expect(Math.abs(value - those[k]!)).toBeLessThan(1e-8);
};

describe("a peer that keeps to the span of what was seen", () => {
  // With fewer than six records there are no components, which begin with other directions in a span.
  it.each([1, 2, 5])("chooses and believes what one does that reckons in all features: %d peers", (peers) => {
    const rounds = peers === 1 ? 60 : 12;
    const [here, there] = [life(long, peers, peers).go(rounds), life(plain, peers, peers).go(rounds)];
    expect(here.chosen).toEqual(there.chosen);
    expectClose(here.estimates, there.estimates);
  });

  it("and so do many, who find components within the span", () => {
    const here = life(long, 9, 3).go(8);
    expect(here.estimates.every(Number.isFinite)).toBe(true);
    expect(here.peers.map(({ view }) => view.kept!())).toHaveLength(9);
  });

  it("shows the sums that it rests on, and how far its means may be off, in all features", () => {
    const [here, there] = [life(long, 2, 7).go(5), life(plain, 2, 7).go(5)];
    const { values } = arms(Random.seeded(8));
    for (const [i, { view }] of here.peers.entries()) {
      const other = there.peers[i]!.view;
      expectClose([...view.active], [...other.active]);
      expect(view.spread!(values, D, 1)).toBeCloseTo(other.spread!(values, D, 1), 9);
      const scores = [new Float64Array(6), new Float64Array(6)];
      here.peers[i]!.score!({ values, count: 6 }, 1, undefined, scores[0]!);
      there.peers[i]!.score!({ values, count: 6 }, 1, undefined, scores[1]!);
      expectClose([...scores[0]!], [...scores[1]!]);
    }
  });

  it.each([0, 3, 9, 30])("goes on from a snapshot bit for bit, after %d rounds", (rounds) => {
    const one = life(long, 3, 4).go(rounds);
    const other = life(long, 3, 4).go(rounds);
    for (const [i, peer] of other.peers.entries()) other.peers[i] = copyOf(peer, long(`peer ${i}`));
    expect(other.go(9).chosen).toEqual(one.go(9).chosen);
    expect(other.estimates).toEqual(one.estimates);
  });

  it("takes up the state of one that reckoned in all features; the other way round it is refused", () => {
    const before = life(plain, 3, 4).go(5);
    const after = life(long, 3, 4).go(5);
    for (const [i, peer] of before.peers.entries()) after.peers[i] = copyOf<Learner>(peer, long(`peer ${i}`));
    expect(after.go(5).chosen).toEqual(before.go(5).chosen);
    expectClose(after.estimates, before.estimates);
    expect(() => copyOf<Learner>(long("a"), plain("a"))).toThrow("not loaded");
  });

  it("leaves its sums to whoever inherits them, whatever they are told in", () => {
    const one = life(long, 1, 5).go(20).peers[0]!;
    const heritage = one.heritage!();
    const other = life(plain, 1, 5).go(20).peers[0]!.heritage!();
    expectClose([...heritage.slot], [...other.slot]);
    const heir = long("heir");
    heir.inherit(heritage);
    const plainHeir = plain("heir");
    plainHeir.inherit!(heritage);
    expectClose([...heir.view.estimate], [...plainHeir.view.estimate]);
    expect(heir.heritage().version).toBe(plainHeir.heritage!().version);
  });

  it("still asks for its own record after it has made room for more", () => {
    const one = life(long, 1, 6);
    const peer = one.peers[0]!;
    peer.recall!(true);
    one.go(20);
    expect((peer.offer() as KindredOffer).greeting.lost).toBe(true);
  });

  it("is made by the policy only where vectors are long and nothing is drawn", () => {
    expect(kindred().create(D, 1, "a")).toBeInstanceOf(Kindred);
    expect(kindred({ choice: "thompson" }).create(300, 1, "a")).toBeInstanceOf(Kindred);
  });
});
