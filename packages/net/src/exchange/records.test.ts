import { initialPeer, kindred, type Policy, type ProtocolViolation, Reader, step, Writer } from "@coterie/core";
import { type KindredOffer, type PeerRecord, publish } from "@coterie/core/internal";
import { describe, expect, it } from "vitest";
import { createExchange, type Exchange } from "./exchange.ts";
import { decodeAnswer, decodeProposal, encodeAnswer } from "./message.ts";
import { encodeProofs } from "./proofs.ts";

const limits = { dimension: 2, most: 1024, reward: 1 };

/** `seen` observations of an origin, as if it had signed them. */
function record(origin: string, version = 1, seen = 10): PeerRecord {
  const sums = { slot: Float64Array.of(seen / 2, 0, seen / 2, seen / 4, 0), squares: seen / 4, count: seen };
  return { ...publish(origin, version, sums), signature: new Uint8Array(64) };
}

function member(id: string, policy: Policy = kindred(), observes = 0, peers = 3): Exchange {
  const peer = initialPeer({ id, dimension: 2, policy, peers });
  for (let k = 0; k < observes; k++) step(peer, { kind: "observe", arm: Float64Array.of(0.6, 0.6), reward: 0.5 });
  return createExchange({ peer, agreement: "room", limits })!;
}

let calls = 0;
const nextId = (): string => (calls++).toString(16).padStart(32, "0");

/** What a partner answers that may say anything. */
function says(
  proposal: Uint8Array,
  from: string,
  records: readonly PeerRecord[],
  proofs: Uint8Array[] = [],
): Uint8Array {
  const greeting = { peer: from, due: true, worst: 0, least: 0, salt: 0, wants: new Map(), profile: null };
  const offer: KindredOffer = { policy: "kindred", dimension: 2, greeting, recordsFor: () => records };
  const frames = [...kindred().codec!.encode(offer, offer), ...proofs];
  return encodeAnswer({ id: decodeProposal(proposal).id, round: 1, verdict: "mix", reason: "", frames });
}

function hear(exchange: Exchange, from: string, records: readonly PeerRecord[], proofs: Uint8Array[] = []) {
  const { proposal } = exchange.propose(from, nextId());
  try {
    return exchange.conclude(exchange.arrive(says(proposal, from, records, proofs)));
  } catch (error) {
    exchange.unanswered(false);
    throw error;
  }
}

/** Whom `asked` tells of when somebody new asks it. */
function passesOn(asked: Exchange, reader = "reader"): string[] {
  const { proposal } = member(reader).propose("asked", nextId());
  return asked
    .answer(reader, proposal)
    .lacked.map(({ origin }) => origin)
    .sort();
}

const violation = (act: () => unknown): ProtocolViolation => {
  try {
    act();
  } catch (error) {
    return error as ProtocolViolation;
  }
  throw new Error("nothing was refused");
};

const many = (count: number): PeerRecord[] => Array.from({ length: count }, (_, k) => record(`invented ${k}`));

describe("records that a partner sends", () => {
  it("come with a greeting that asks for nothing: whoever answers wants nothing of the one who asked", () => {
    const asked = member("asked", kindred(), 3);
    hear(asked, "other", [record("somebody")]);
    const { proposal } = member("reader").propose("asked", nextId());
    const answered = asked.answer("reader", proposal);
    const { frames } = decodeAnswer(answered.answer(answered.lacked));
    const { codec } = kindred();
    const said = (codec!.decode(frames, limits) as KindredOffer).greeting;
    expect([said.peer, said.due, said.wants.size, said.profile]).toEqual(["asked", true, 0, null]);
    const { frames: asks } = decodeProposal(asked.propose("reader", nextId()).proposal);
    expect((codec!.decode(asks, limits) as KindredOffer).greeting.wants.size).toBe(1);
  });

  it("are at most as many as the room's budget", () => {
    const exchange = member("me", kindred({ budget: 8 }));
    const tooMany = violation(() => hear(exchange, "b", many(9)));
    expect(tooMany.reason).toBe("too-long");
    expect(tooMany.message).toBe("records must be at most 8, the room's budget, but is 9");
    expect(hear(exchange, "b", many(8)).taken).toHaveLength(8);
  });
});

describe("a wary peer", () => {
  const wary = kindred({ wary: true });

  it("takes of each partner a quarter of the room that it has not met, and any number of those it has met", () => {
    const exchange = member("me", wary, 0, 8);
    const [first, second] = ["invented 0", "invented 1"];
    expect(hear(exchange, "liar", [record("liar"), ...many(20)]).taken).toEqual(["liar", first, second]);
    expect(hear(exchange, "liar", many(20).slice(2)).taken).toEqual([]);
    // The same one again, with more to tell; and another partner has places of its own.
    expect(hear(exchange, "liar", [record(first, 2, 40)]).taken).toEqual([first]);
    expect(hear(exchange, "b", [record("b"), record("invented 7")]).taken).toEqual(["b", "invented 7"]);
    // Whoever calls was met.
    exchange.answer("c", member("c").propose("me", nextId()).proposal);
    expect(hear(exchange, "liar", [record("c"), record("b", 2)]).taken).toEqual(["c", "b"]);
    expect(hear(member("me"), "liar", many(20)).taken).toHaveLength(20);
  });

  it("holds no more that it has not met than are left of the room; whoever brought most loses first", () => {
    const exchange = member("me", wary, 0, 8);
    hear(exchange, "liar", many(20));
    hear(exchange, "b", [record("honest")]);
    for (const peer of ["c", "d"]) expect(hear(exchange, peer, []).expired).toEqual([]);
    expect(hear(exchange, "e", []).expired).toEqual(["invented 0"]);
    // One place is left for a newcomer, however many are met.
    expect(hear(exchange, "honest", []).expired).toEqual([]);
    expect(hear(exchange, "f", []).expired).toEqual([]);
    expect(hear(exchange, "liar", many(20)).taken).toEqual(["invented 1"]);
    // In a room of seven there is none: everybody is soon met.
    const small = member("me", wary, 0, 7);
    for (const peer of ["b", "c", "d", "e", "f", "liar"]) hear(small, peer, []);
    expect(hear(small, "liar", many(20)).taken).toEqual([]);
  });

  it("passes on what it holds while it has met few of the room; then only its own and those it has met", () => {
    const exchange = member("me", wary, 5, 16);
    hear(exchange, "b", [record("b"), record("unmet")]);
    expect(passesOn(exchange)).toEqual(["b", "me", "unmet"]);
    for (const peer of ["c", "d"]) hear(exchange, peer, []);
    expect(passesOn(exchange)).toEqual(["b", "me"]);
    hear(exchange, "unmet", [record("unmet", 2, 20)]);
    expect(passesOn(exchange)).toEqual(["b", "me", "unmet"]);
  });

  it("forgets an origin that is not met in time, and remembers across a snapshot whom it met", () => {
    const exchange = member("me", wary, 0, 8);
    hear(exchange, "b", [record("b"), record("unmet")]);
    const out = new Writer();
    exchange.write(out);
    const again = member("me", wary, 0, 8);
    again.read(new Reader(out.bytes(), () => new Error("short")));
    const expired = Array.from({ length: 70 }, () => hear(again, "b", []).expired ?? []).flat();
    expect(expired).toEqual(["unmet"]);
    const news = [record("b", 2), ...many(3)];
    expect(hear(again, "c", news).taken).toEqual(["b", "invented 0", "invented 1"]);
  });
});

describe("an origin that signs two records with one version", () => {
  const [one, other] = [record("cheat", 3, 10), record("cheat", 3, 30)];

  it("is dropped by whoever holds one and gets the other, and never taken again", () => {
    const exchange = member("me");
    hear(exchange, "b", [one, record("b")]);
    const concluded = hear(exchange, "c", [other, record("c")]);
    expect([concluded.caught, concluded.taken]).toEqual([["cheat"], ["c"]]);
    expect(concluded.records.map(({ kind }) => kind)).toEqual(["flight", "landed", "caught"]);
    expect(hear(exchange, "d", [record("cheat", 9, 90)])).toMatchObject({ taken: [], caught: [] });
    // The same record twice proves nothing, nor does a newer version.
    const honest = member("me");
    for (const each of [one, one, record("cheat", 4, 12)]) expect(hear(honest, "b", [each]).caught).toEqual([]);
  });

  it("is dropped by others who hold a record of it, as soon as they ask; across restarts too", () => {
    const exchange = member("me");
    hear(exchange, "b", [one]);
    const { records } = hear(exchange, "c", [other]);
    const restarted = member("me");
    for (const each of records) restarted.restore(each);
    const out = new Writer();
    restarted.write(out);
    const loaded = member("me");
    loaded.read(new Reader(out.bytes(), () => new Error("short")));
    for (const knows of [exchange, restarted, loaded]) {
      const holder = member("holder");
      hear(holder, "b", [record("cheat", 7, 70), record("b")]);
      const { proposal } = holder.propose("me", nextId());
      const answer = knows.answer("holder", proposal).answer([]);
      expect(holder.arrive(answer).proofs).toHaveLength(1);
      expect(holder.conclude(holder.arrive(answer)).caught).toEqual(["cheat"]);
      // Who holds nothing of it is told nothing, and keeps no proof that somebody sends all the same.
      expect(hear(member("other"), "b", [], [encodeProofs([[one, other]], 2)]).caught).toEqual([]);
      const stranger = member("stranger").propose("me", nextId()).proposal;
      expect(decodeAnswer(knows.answer("stranger", stranger).answer([])).frames).toHaveLength(2);
    }
  });

  it("is not proved by two versions, by one record twice, or by half a proof", () => {
    const exchange = member("me");
    for (const pair of [[one, record("cheat", 4, 30)], [one, one], [one, record("else", 3)], [one]] as PeerRecord[][]) {
      const frame = encodeProofs([pair as unknown as [PeerRecord, PeerRecord]], 2);
      expect(violation(() => hear(exchange, "b", [], [frame])).field).toBe("proofs[0]");
    }
  });
});
