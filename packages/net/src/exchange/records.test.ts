import { initialPeer, kindred, type Policy, type ProtocolViolation, Reader, step, Writer } from "@coterie/core";
import { type KindredOffer, publish, type Record } from "@coterie/core/internal";
import { describe, expect, it } from "vitest";
import { createExchange, type Exchange } from "./exchange.ts";
import { decodeAnswer, decodeProposal, encodeAnswer } from "./message.ts";
import { encodeProofs } from "./proofs.ts";

const limits = { dimension: 2, most: 1024, reward: 1 };

/** `seen` observations of an origin, as if it had signed them. */
function record(origin: string, version = 1, seen = 10): Record {
  const sums = { slot: Float64Array.of(seen / 2, 0, seen / 2, seen / 4, 0), squares: seen / 4, count: seen };
  return { ...publish(origin, version, sums), signature: new Uint8Array(64) };
}

function member(id: string, policy: Policy = kindred(), observes = 0): Exchange {
  const peer = initialPeer({ id, dimension: 2, policy, peers: 3 });
  for (let k = 0; k < observes; k++) step(peer, { kind: "observe", arm: Float64Array.of(0.6, 0.6), reward: 0.5 });
  return createExchange({ peer, agreement: "room", limits })!;
}

let calls = 0;
const nextId = (): string => (calls++).toString(16).padStart(32, "0");

/** What a partner answers that may say anything. */
function says(proposal: Uint8Array, from: string, records: readonly Record[], proofs: Uint8Array[] = []): Uint8Array {
  const greeting = { peer: from, due: true, worst: 0, least: 0, salt: 0, wants: new Map(), profile: null };
  const offer: KindredOffer = { policy: "kindred", dimension: 2, greeting, recordsFor: () => records };
  const frames = [...kindred().codec!.encode(offer, 8, offer), ...proofs];
  return encodeAnswer({ id: decodeProposal(proposal).id, round: 1, verdict: "mix", reason: "", frames });
}

function hear(exchange: Exchange, from: string, records: readonly Record[], proofs: Uint8Array[] = []) {
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

const many = (count: number): Record[] => Array.from({ length: count }, (_, k) => record(`invented ${k}`));

describe("records that a partner sends", () => {
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

  it("takes one origin that it has not met from each partner at a time, and any number of those it has met", () => {
    const exchange = member("me", wary);
    expect(hear(exchange, "liar", [record("liar"), ...many(20)]).taken).toEqual(["liar", "invented 0"]);
    expect(hear(exchange, "liar", many(20).slice(1)).taken).toEqual([]);
    // The same one again, with more to tell; and somebody else's partner has a place of its own.
    expect(hear(exchange, "liar", [record("invented 0", 2, 40)]).taken).toEqual(["invented 0"]);
    expect(hear(exchange, "b", [record("b"), record("invented 7")]).taken).toEqual(["b", "invented 7"]);
    // Whoever calls was met.
    exchange.answer("c", member("c").propose("me", nextId()).proposal);
    expect(hear(exchange, "liar", [record("c"), record("b", 2)]).taken).toEqual(["c", "b"]);
    expect(hear(member("me"), "liar", many(20)).taken).toHaveLength(20);
  });

  it("passes on what it has seen itself and records of those it has met, and nothing else", () => {
    const exchange = member("me", wary, 5);
    hear(exchange, "b", [record("b"), record("unmet")]);
    expect(passesOn(exchange)).toEqual(["b", "me"]);
    hear(exchange, "unmet", [record("unmet", 2, 20)]);
    expect(passesOn(exchange, "another reader")).toEqual(["b", "me", "unmet"]);
  });

  it("forgets an origin that is not met in time, and remembers across a snapshot whom it met", () => {
    const exchange = member("me", wary);
    hear(exchange, "b", [record("b"), record("unmet")]);
    const out = new Writer();
    exchange.write(out);
    const again = member("me", wary);
    again.read(new Reader(out.bytes(), () => new Error("short")));
    const expired = Array.from({ length: 70 }, () => hear(again, "b", []).expired ?? []).flat();
    expect(expired).toEqual(["unmet"]);
    expect(hear(again, "c", [record("b", 2), record("unmet"), record("other")]).taken).toEqual(["b", "unmet"]);
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
      // Who holds nothing of it is told nothing.
      const stranger = member("stranger").propose("me", nextId()).proposal;
      expect(decodeAnswer(knows.answer("stranger", stranger).answer([])).frames).toHaveLength(2);
    }
  });

  it("is not proved by two versions, by one record twice, or by half a proof", () => {
    const exchange = member("me");
    for (const pair of [[one, record("cheat", 4, 30)], [one, one], [one, record("else", 3)], [one]] as Record[][]) {
      const frame = encodeProofs([pair as unknown as [Record, Record]], 2);
      expect(violation(() => hear(exchange, "b", [], [frame])).field).toBe("proofs[0]");
    }
  });
});
