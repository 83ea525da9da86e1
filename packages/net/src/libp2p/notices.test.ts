import { ProtocolViolation } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { encodeClaim } from "../membership/codec.ts";
import { decodeNotices, encodeNotices, type Notice } from "./notices.ts";
import { Outbox } from "./outbox.ts";

const place = { room: "ab".repeat(32), fit: `keyed ${"cd".repeat(32)}` };
const other = { ...place, fit: "open" };
function notice(peer: string, at = place): Notice {
  const claim = {
    id: peer,
    addresses: ["/ip4/192.0.2.1/tcp/1"],
    incarnation: 7,
    heartbeat: 9,
    serves: true,
    leaving: false,
  };
  const entry = { claim, bytes: encodeClaim(claim), signature: new Uint8Array(64).fill(3) };
  return { place: at, peer, news: { entry, ageMs: 50 } };
}

describe("notices between hubs", () => {
  it("come out as they went in", () => {
    const all = [notice("x"), { place: other, peer: "gone", news: null }, notice("y", other)];
    expect(decodeNotices(encodeNotices(all))).toEqual(all);
    expect(decodeNotices(encodeNotices([]))).toEqual([]);
  });

  it("are refused where they are cut off, too many, or of no place", () => {
    const bytes = encodeNotices([notice("x")]);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeNotices(bytes.subarray(0, length))).toThrow(ProtocolViolation);
    }
    expect(() => decodeNotices(encodeNotices(Array.from({ length: 65 }, (_, k) => notice(`x${k}`))))).toThrow(
      "notices must be at most 64",
    );
    expect(() => decodeNotices(Uint8Array.of(0, 1, 0, 0))).toThrow("notice.place must be below 0");
  });

  it("wait in turn, each guest once, and of one that was never told nobody hears that it is gone", () => {
    const outbox = new Outbox();
    for (const peer of ["a", "b", "c", "a"]) outbox.put(place, peer, true);
    outbox.put(place, "b", false);
    expect(outbox.take(1).map(({ peer }) => peer)).toEqual(["a"]);
    outbox.put(place, "a", false);
    expect(outbox.take(9).map(({ peer, here }) => [peer, here])).toEqual([
      ["c", true],
      ["a", false],
    ]);
    outbox.put(place, "a", false);
    expect(outbox.take(9)).toEqual([]);
  });
});
