import {
  dcb,
  fromSnapshot,
  initialPeer,
  kindred,
  type Peer,
  ProtocolViolation,
  Reader,
  snapshot,
  step,
  Writer,
} from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createExchange, type Exchange, type ExchangeRecord } from "./exchange.ts";
import { decodeAnswer, decodeProposal, encodeAnswer, encodeProposal } from "./message.ts";

const limits = { dimension: 2, most: 64, reward: 1 };
const config = (id: string) => ({ id, dimension: 2, policy: dcb({ delay: { rounds: 12 } }), peers: 4 });
const exchangeOf = (peer: Peer): Exchange => createExchange({ peer, agreement: "room", limits })!;

let drawn = 0;
const newId = (): string => (drawn++).toString(16).padStart(32, "0");

/** A peer in `round`, as one that ticked alone for so long. */
function at(id: string, round: number): Peer {
  const peer = initialPeer(config(id));
  if (round > 20) step(peer, { kind: "catch-up", round: round - 20 });
  while (peer.round < round) step(peer, { kind: "close" });
  return peer;
}

const proposalOf = (id: string, round: number): Uint8Array => exchangeOf(at(id, round)).propose("me", newId()).proposal;

/** One turn of our own, which `partner` answers. */
function ask(exchange: Exchange, partner: string, answer: { verdict: "behind" | "keep"; round: number }) {
  const id = newId();
  exchange.propose(partner, id);
  return exchange.conclude(exchange.arrive(encodeAnswer({ id, reason: "", frames: [], ...answer })));
}

describe("a partner that is ahead", () => {
  it("by little is followed", () => {
    const peer = at("me", 100);
    expect(exchangeOf(peer).answer("b", proposalOf("b", 102)).verdict).toBe("mix");
    expect(peer.round).toBe(102);
  });

  it("by far is not, however often it says so, while others are where we are", () => {
    const peer = at("me", 100);
    const exchange = exchangeOf(peer);
    for (let turn = 0; turn < 100; turn++) {
      // Our own proposals go to the liar too, every third of them.
      const behind = turn % 3 === 2 ? ask(exchange, "liar", { verdict: "behind", round: 1_000_000 }) : null;
      if (behind !== null) expect(behind.complaint).toMatchObject({ reason: "leap" });
      else ask(exchange, "honest", { verdict: "keep", round: peer.round });
      const bomb = exchange.answer("liar", proposalOf("liar", 0xffff_fff0));
      expect(bomb.verdict).toBe("refused");
      expect(bomb.complaint).toMatchObject({ name: "ProtocolViolation", reason: "leap" });
      expect(decodeAnswer(bomb.answer([])).reason).toMatch(/ahead/);
      step(peer, { kind: "close" });
    }
    expect(peer.round).toBe(200);
  });

  it("by far is followed after some meetings where nobody is nearer, and nothing is held against it", () => {
    for (const round of [50, 5000, 5_000_000]) {
      const peer = initialPeer(config("me"));
      const exchange = exchangeOf(peer);
      let meetings = 0;
      for (; peer.round < round; meetings++) {
        expect(ask(exchange, `p${meetings % 3}`, { verdict: "behind", round }).complaint).toBeNull();
      }
      expect(peer.round).toBe(round);
      expect(meetings).toBeLessThanOrEqual(Math.log2(round) + 2);
      expect(exchange.answer("b", proposalOf("b", round)).verdict).toBe("mix");
    }
  });

  it("moves us by a bounded number of rounds between two turns of our own, however many messages it sends", () => {
    const peer = at("me", 100);
    const exchange = exchangeOf(peer);
    for (let k = 0; k < 200; k++) exchange.answer("liar", proposalOf("liar", peer.round + 2));
    expect(peer.round).toBeLessThanOrEqual(164);
    ask(exchange, "b", { verdict: "keep", round: peer.round });
    for (let k = 0; k < 200; k++) exchange.answer("liar", proposalOf("liar", peer.round + 2));
    expect(peer.round).toBeLessThanOrEqual(228);
  });

  it("leads nobody away from the others step by step", () => {
    const peer = at("me", 100);
    const exchange = exchangeOf(peer);
    let room = 100;
    for (let turn = 0; turn < 100; turn++) {
      ask(exchange, `honest ${turn % 5}`, { verdict: "keep", round: room });
      exchange.answer("another", proposalOf("another", room));
      for (let k = 0; k < 10; k++) exchange.answer("liar", proposalOf("liar", peer.round + 20));
      step(peer, { kind: "close" });
      room += 1;
    }
    expect(peer.round - room).toBeLessThan(200);
  });

  it("never brings the end of what 32 bits hold, though nobody says otherwise", () => {
    const peer = at("me", 100);
    const exchange = exchangeOf(peer);
    for (let turn = 0; turn < 200; turn++) ask(exchange, "liar", { verdict: "behind", round: 0xffff_ffff });
    expect(peer.round).toBe(100);
    for (let turn = 0; turn < 200; turn++) ask(exchange, "liar", { verdict: "behind", round: 0x7fff_ffff });
    expect(peer.round).toBe(0x7fff_ffff);
    step(peer, { kind: "close" });
    expect(decodeProposal(exchange.propose("b", newId()).proposal).round).toBe(0x8000_0000);
  });

  it("is judged the same when the log is lived through again, from any snapshot", () => {
    const claims = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 4 }), fc.integer({ min: -5, max: 300 })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(claims, fc.nat(40), (list, cut) => {
        const peer = at("me", 100);
        const exchange = exchangeOf(peer);
        const records: ExchangeRecord[] = [];
        const saved = new Writer();
        let before: Uint8Array | null = null;
        for (const [k, [ours, partner, lead]] of list.entries()) {
          if (k === cut % list.length) {
            before = snapshot(peer);
            exchange.write(saved);
            records.length = 0;
          }
          const round = Math.max(30, peer.round + lead);
          if (!ours) records.push(...exchange.answer(`p${partner}`, proposalOf(`p${partner}`, round)).records);
          else {
            const id = newId();
            records.push(...exchange.propose(`p${partner}`, id).records);
            const answer = encodeAnswer({ id, round, verdict: "behind", reason: "", frames: [] });
            records.push(...exchange.conclude(exchange.arrive(answer)).records);
          }
        }
        const again = fromSnapshot(config("me"), before!);
        const relived = exchangeOf(again);
        relived.read(new Reader(saved.bytes(), (_, field) => new Error(field)));
        for (const record of records) relived.restore(record);
        expect(again.round).toBe(peer.round);
        const [mine, theirs] = [new Writer(), new Writer()];
        exchange.write(mine);
        relived.write(theirs);
        expect(theirs.bytes()).toEqual(mine.bytes());
      }),
      { numRuns: 60 },
    );
  });
});

describe("a proposal whose slots are dated otherwise than itself", () => {
  it("is refused before anything changes: no round, no buffer, nothing to write down", () => {
    const peer = at("me", 100);
    const exchange = exchangeOf(peer);
    const said = decodeProposal(proposalOf("b", 101));
    const [before, state] = [snapshot(peer), new Writer()];
    exchange.write(state);
    for (const round of [99, 100, 102, 103, 4000]) {
      const answer = () => exchange.answer("b", encodeProposal({ ...said, round }));
      expect(answer).toThrow(ProtocolViolation);
      expect(answer).toThrow(/^offer\.round must be/);
      expect(snapshot(peer)).toEqual(before);
    }
    const after = new Writer();
    exchange.write(after);
    expect(after.bytes()).toEqual(state.bytes());
    expect(exchange.answer("b", encodeProposal(said)).verdict).toBe("mix");
  });
});

describe("records", () => {
  it("have no round: whoever says `behind` moves nobody", () => {
    const peer = initialPeer({ ...config("me"), policy: kindred() });
    const exchange = exchangeOf(peer);
    for (let turn = 0; turn < 40; turn++) ask(exchange, "liar", { verdict: "behind", round: 2 });
    expect(peer.round).toBe(1);
  });
});
