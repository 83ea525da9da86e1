import { dcb, initialPeer, kindred, type Peer, type Policy, Random, solo, step } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { createExchange } from "../exchange/exchange.ts";
import { entry } from "../membership/testing/simulation.ts";
import type { HostEvent, MeetingEvent, NodeEffect, NodeEvent } from "./event.ts";
import type { Life } from "./journal.ts";
import { Loss } from "./loss.ts";
import { FORGET_TICKS, SHRINK_TICKS } from "./members.ts";
import { Node } from "./node.ts";
import { Places } from "./places.ts";
import { ReportQueue } from "./reportQueue.ts";

const limits = { dimension: 2, most: 64, reward: 1 };
const average = dcb({ delay: { rounds: 4 } });

function lifeOf(id: string, policy: Policy): Life {
  const peer = initialPeer({ id, dimension: 2, policy, peers: 1 });
  const exchange = createExchange({ peer, agreement: "room", limits, patience: 3 });
  return { peer, exchange, loss: new Loss(), places: new Places(), queue: new ReportQueue() };
}

/** Drivers of some nodes, without a promise anywhere: disks that are done at once, and a wire that may be cut. */
class Hand {
  readonly nodes = new Map<string, Node>();
  readonly peers = new Map<string, Peer>();
  /** What each did, in order. */
  readonly log: string[] = [];
  readonly told: HostEvent[] = [];
  readonly waits: number[] = [];
  outcome: unknown = null;
  cut = false;
  /** Who says nothing to proposals. */
  mute = "";
  readonly asked: string[] = [];
  /** Whether a cut wire is known to be one. */
  unsent = false;
  #calls = 0;
  readonly #replies = new Map<number, Uint8Array>();

  add(name: string, policy: Policy = average): Node {
    const random = Random.seeded(this.nodes.size);
    const life = lifeOf(name, policy);
    const node = new Node({ life, config: { random, admits: () => true } });
    this.nodes.set(name, node);
    this.peers.set(name, life.peer);
    return node;
  }

  sees(name: string, reward: number): void {
    step(this.peers.get(name)!, { kind: "observe", arm: Float64Array.of(0.6, 0.2), reward });
  }

  feed(name: string, event: NodeEvent, now = 0): void {
    for (const effect of this.nodes.get(name)!.step(event, now)) this.#perform(name, effect);
  }

  #perform(name: string, effect: NodeEffect): void {
    if (effect.kind === "write") {
      for (const { kind } of effect.entries) this.log.push(`${name} writes ${kind}`);
      for (const next of effect.then) this.#perform(name, next);
    } else if (effect.kind === "propose") {
      this.log.push(`${name} proposes`);
      const answer = this.#ask(name, effect.to, effect.proposal);
      this.feed(name, answer === undefined ? { kind: "unanswered", unsent: this.unsent } : { kind: "replied", answer });
    } else if (effect.kind === "check") this.feed(name, { kind: "checked", error: null });
    else if (effect.kind === "seal") this.feed(name, { ...effect, kind: "sealed" });
    else if (effect.kind === "reply") {
      this.log.push(`${name} answers`);
      this.#replies.set(effect.call, effect.answer);
    } else if (effect.kind === "tell") this.told.push(effect.event);
    else if (effect.kind === "ticked") this.outcome = effect.outcome;
    else if (effect.kind === "next") this.feed(name, effect.event);
    else if (effect.kind === "tick-in") this.waits.push(effect.ms);
    else this.log.push(`${name}: ${effect.kind}`);
  }

  #ask(from: string, to: string, proposal: Uint8Array): Uint8Array | undefined {
    this.asked.push(to);
    if (this.cut || to === this.mute) return undefined;
    const call = this.#calls++;
    this.feed(to, { kind: "proposal", call, from, proposal });
    return this.#replies.get(call);
  }
}

const start = (tick: { periodMs: number; jitter: number } | null = null): MeetingEvent => ({
  kind: "start",
  tick,
  random: Random.seeded(7),
});

describe("a node that averages", () => {
  it("writes down its proposal before it leaves, and its answer before it is given", () => {
    const hand = new Hand();
    for (const name of ["a", "b"]) hand.add(name);
    hand.feed("a", { kind: "tick", partner: "b" });
    expect(hand.outcome).toBe("mix");
    expect(hand.log).toEqual([
      "a writes close",
      "a writes exchange-flight",
      "a proposes",
      "b writes exchange-answered",
      "b answers",
      "a writes exchange-landed",
    ]);
  });

  it("stands still while it is in doubt, asks again, and gives up in the end", () => {
    const hand = new Hand();
    for (const name of ["a", "b"]) hand.add(name);
    hand.cut = true;
    const verdicts = [];
    for (let k = 0; k < 3; k++) {
      hand.feed("a", { kind: "tick", partner: "b" });
      verdicts.push(hand.outcome);
    }
    expect(verdicts).toEqual(["in-doubt", "in-doubt", null]);
    expect(hand.log.filter((line) => line === "a writes close")).toHaveLength(1);
    expect(hand.log.at(-1)).toBe("a writes exchange-given-up");
    expect(hand.told.map((event) => event.kind === "exchange" && event.verdict)).toEqual([
      "in-doubt",
      "in-doubt",
      "given-up",
    ]);
  });

  it("gives up at once, and counts nothing at risk, where its proposal never left", () => {
    const hand = new Hand();
    for (const name of ["a", "b"]) hand.add(name);
    [hand.cut, hand.unsent] = [true, true];
    hand.feed("a", { kind: "tick", partner: "b" });
    expect(hand.outcome).toBeNull();
    expect(hand.log.at(-1)).toBe("a writes exchange-withdrawn");
    // Once it may have left, it is in doubt, whatever becomes of later tries.
    hand.unsent = false;
    hand.feed("a", { kind: "tick", partner: "b" });
    hand.unsent = true;
    hand.feed("a", { kind: "tick", partner: "b" });
    expect(hand.outcome).toBe("in-doubt");
    hand.cut = false;
    hand.feed("a", { kind: "tick", partner: "b" });
    expect(hand.outcome).toBe("mix");
  });

  it("closes no second round where a partner has taken it along", () => {
    const hand = new Hand();
    for (const name of ["a", "b"]) hand.add(name);
    for (let k = 0; k < 4; k++) hand.feed("b", { kind: "tick", partner: null });
    hand.feed("a", { kind: "tick", partner: "b" });
    expect(hand.outcome).toBe("behind");
    // Now b is a round further.
    hand.feed("b", { kind: "tick", partner: "a" });
    expect(hand.outcome).toBe("mix");
    hand.log.length = 0;
    hand.feed("a", { kind: "tick", partner: null });
    expect(hand.log).toEqual([]);
    hand.feed("a", { kind: "tick", partner: null });
    expect(hand.log).toEqual(["a writes close"]);
  });
});

it("a restart closes its round at its first tick, though it has lived through others since it was made", () => {
  const hand = new Hand();
  const life = lifeOf("a", average);
  hand.nodes.set("a", new Node({ life, config: { random: Random.seeded(1), admits: () => true } }));
  for (let k = 0; k < 3; k++) step(life.peer, { kind: "close" });
  hand.feed("a", start({ periodMs: 100, jitter: 0 }));
  hand.feed("a", { kind: "due" });
  expect(hand.log).toEqual(["a writes close"]);
});

describe("a node that passes records on", () => {
  it("is a newcomer until somebody answers: it calls soon, and closes the round at once", () => {
    const hand = new Hand();
    for (const name of ["a", "b"]) hand.add(name, kindred());
    for (let k = 0; k < 9; k++) hand.sees("b", 0.5);
    hand.feed("b", { kind: "tick", partner: null });
    hand.log.length = 0;
    hand.feed("a", start({ periodMs: 10_000, jitter: 0 }));
    const [first] = hand.waits;
    hand.feed("a", { kind: "joined", peer: "b" });
    expect(hand.waits).toHaveLength(2);
    expect(hand.waits[1]).toBeLessThanOrEqual(Math.min(300, first!));
    hand.feed("a", { kind: "due" });
    expect(hand.log).toEqual([
      "a writes resize",
      "a writes close",
      "a proposes",
      "b answers",
      "a writes exchange-flight",
      "a writes exchange-landed",
      "a writes close",
    ]);
    for (let k = 0; k < 6; k++) hand.feed("a", { kind: "rested" });
    expect(hand.waits.slice(2)).toEqual([2000, 4000, 6000, 8000, 10_000, 10_000]);
  });
});

describe("a node in a room", () => {
  const enter = (node: Node, open = false): void => {
    const config = { self: "a", incarnation: 1, bootstrap: [], connections: 6, mayDial: () => true, open };
    node.enter({ ...config, random: Random.seeded(1) }, () => 0);
  };
  const heardOf = (peer: string): NodeEvent => ({
    kind: "heard",
    from: peer,
    occasion: "gossip",
    news: [{ entry: entry(peer, 1, { addresses: ["/there"] }), ageMs: 0 }],
    told: [],
  });

  it("tells of whoever it hears of in the same step, writes down how many there are with the round, and meets it", () => {
    const hand = new Hand();
    for (const name of ["a", "b"]) hand.add(name);
    enter(hand.nodes.get("a")!);
    hand.feed("a", start());
    hand.feed("a", heardOf("b"));
    expect(hand.log).toEqual(["a: joined"]);
    expect(hand.told.at(-1)).toEqual({ kind: "neighbourhood", members: 1, near: 1 });
    hand.feed("a", { kind: "tick" });
    expect(hand.outcome).toBe("mix");
    // Nothing is known of it, so it is first asked whether it is there.
    expect(hand.log.slice(1, 6)).toEqual([
      ...["a writes resize", "a writes close", "a proposes", "b answers", "a writes exchange-flight"],
    ]);
    hand.log.length = 0;
    hand.feed("a", { kind: "tick" });
    expect(hand.log.slice(0, 3)).toEqual(["a writes close", "a writes exchange-flight", "a proposes"]);
  });

  it("promises nothing to one that does not answer, and draws it less and less, whatever it says in gossip", () => {
    const hand = new Hand();
    for (const name of ["a", "b", "c"]) hand.add(name);
    enter(hand.nodes.get("a")!);
    hand.feed("a", start());
    hand.mute = "c";
    for (let k = 0; k < 100; k++) {
      for (const peer of ["b", "c"]) hand.feed("a", heardOf(peer));
      for (const peer of ["a", "b"]) hand.feed(peer, { kind: "tick", ...(peer === "b" ? { partner: null } : {}) });
    }
    const silences = hand.asked.filter((to) => to === "c").length;
    expect(silences).toBeGreaterThan(1);
    expect(silences).toBeLessThanOrEqual(5);
    expect(hand.nodes.get("a")!.scores.counts.get("unanswered")).toBe(silences);
    expect(hand.log).not.toContain("a writes exchange-given-up");
    // One that answers again is drawn as before.
    hand.mute = "";
    for (let k = 0; k < 200; k++) hand.feed("a", { kind: "tick" });
    const since = hand.asked.slice(-40);
    expect(since.filter((to) => to === "c").length).toBeGreaterThan(8);
  });

  it("meets one that has answered before in place of a stranger that says nothing, where anybody may come", () => {
    for (const [open, met] of [
      [true, ["b", "b", "c", "b"]],
      [false, ["b", "b", "c"]],
    ] as const) {
      const hand = new Hand();
      for (const name of ["b", "c"]) hand.add(name);
      enter(hand.add("a"), open);
      hand.feed("a", start());
      hand.mute = "c";
      for (const peer of ["b", "c"]) hand.feed("a", heardOf(peer));
      hand.feed("a", { kind: "tick", partner: "b" });
      hand.feed("a", { kind: "tick", partner: "c" });
      // Of "b" it was asked first whether it is there.
      expect(hand.asked).toEqual(met);
      expect(hand.outcome).toBe(open ? "mix" : null);
    }
  });

  it("believes that a room is smaller only after a while, and not at all while it sees nobody", () => {
    const hand = new Hand();
    const node = hand.add("a", solo());
    enter(node);
    hand.feed("a", start());
    for (const peer of ["b", "c"]) hand.feed("a", heardOf(peer));
    hand.feed("a", { kind: "tick" });
    const sizes = (): number => hand.log.filter((line) => line === "a writes resize").length;
    expect(sizes()).toBe(1);
    hand.feed("a", { kind: "asking", peer: "c" });
    hand.feed("a", { kind: "failed", peer: "c", work: false });
    for (let k = 1; k < SHRINK_TICKS; k++) hand.feed("a", { kind: "tick" });
    expect(sizes()).toBe(1);
    hand.feed("a", { kind: "tick" });
    expect(sizes()).toBe(2);
    hand.feed("a", { kind: "failed", peer: "b", work: false });
    for (let k = 0; k < 2 * SHRINK_TICKS; k++) hand.feed("a", { kind: "tick" });
    expect(sizes()).toBe(2);
  });

  it("keeps the record of one that has gone, until there was no sign of it for a day", () => {
    const hand = new Hand();
    for (const name of ["a", "b"]) hand.add(name, kindred());
    for (let k = 0; k < 9; k++) hand.sees("b", 0.5);
    hand.feed("b", { kind: "tick", partner: null });
    hand.feed("a", { kind: "joined", peer: "b" });
    hand.feed("a", { kind: "tick", partner: "b" });
    hand.feed("a", { kind: "left", peer: "b" });
    hand.log.length = 0;
    for (let k = 0; k < FORGET_TICKS; k++) hand.feed("a", { kind: "tick", partner: null, close: false });
    expect(hand.log).toEqual([]);
    hand.feed("a", { kind: "tick", partner: null, close: false });
    expect(hand.log).toEqual(["a writes forget"]);
  });
});

it("the same events have the same effects, bit for bit", () => {
  const run = (): unknown => {
    const hand = new Hand();
    for (const name of ["a", "b", "c"]) hand.add(name);
    for (const name of ["a", "b", "c"]) {
      for (const peer of ["a", "b", "c"]) if (peer !== name) hand.feed(name, { kind: "joined", peer });
      hand.feed(name, start({ periodMs: 100, jitter: 0.5 }));
    }
    for (let k = 0; k < 30; k++) {
      const name = ["a", "b", "c"][k % 3]!;
      hand.sees(name, k / 30);
      hand.feed(name, { kind: "due" });
      hand.feed(name, { kind: "rested" });
    }
    return [hand.log, hand.told, hand.waits];
  };
  expect(run()).toEqual(run());
});
