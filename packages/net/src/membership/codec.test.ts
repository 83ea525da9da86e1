import { ProtocolViolation, Writer } from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Notary } from "../identity/signature.ts";
import { genuine } from "../node/hearing.ts";
import { CLAIM_VERSION, decodeClaim, encodeClaim, newsBytes, reader, readNews, signedBy, writeNews } from "./codec.ts";
import type { Claim, News } from "./entry.ts";
import { MEMBERSHIP_LIMITS } from "./limits.ts";
import { idOf, KEY_BYTES, keyOf } from "./name.ts";

const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const word = (most: number): fc.Arbitrary<string> =>
  fc.array(printable, { minLength: 1, maxLength: most }).map((letters) => letters.join(""));
const key = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES }).map(idOf);
/** Of the usual parts, of any letters, and of what looks usual and is not. */
const address = fc.oneof(
  word(MEMBERSHIP_LIMITS.addressLength),
  fc
    .array(
      fc.oneof(
        fc.constantFrom("/ws", "/p2p-circuit", "/webrtc", "/ip4/1.2.3.4", "/ip4/01.2.3.4", "/ip4/256.1.1.1", "/tcp/0"),
        fc.constantFrom(
          "/tcp/70000",
          "/tcp/01",
          "/tcp",
          "/dns4/example.org",
          "/",
          "/ip6/::1",
          "/p2p/nobody",
          "/onion/x",
        ),
        fc.nat(0xffff).map((port) => `/udp/${port}`),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join("")),
  key.map((id) => `/ip4/203.0.113.7/tcp/443/wss/p2p/${id}/p2p-circuit`),
);
const claim: fc.Arbitrary<Claim> = fc.record({
  id: fc.oneof(word(MEMBERSHIP_LIMITS.idLength), key),
  addresses: fc.array(address, { maxLength: MEMBERSHIP_LIMITS.addresses }),
  incarnation: fc.maxSafeNat().map((date) => date % 2 ** 48),
  heartbeat: fc.nat(0xffffffff),
  serves: fc.boolean(),
  leaving: fc.boolean(),
});

function encodeNews(news: readonly News[]): Uint8Array {
  const out = new Writer();
  writeNews(out, news);
  return out.bytes();
}

const newsOf = (one: Claim): News => ({
  ageMs: 20,
  entry: { claim: one, bytes: encodeClaim(one), signature: new Uint8Array(64).fill(3) },
});

/** Reads to the end; anything but a violation is a fault of ours. */
function violates(bytes: Uint8Array): boolean {
  try {
    const from = reader(bytes);
    readNews(from);
    from.end("news");
    return false;
  } catch (error) {
    if (error instanceof ProtocolViolation) return true;
    throw error;
  }
}

describe("claims as bytes", () => {
  it("come back as they went", () => {
    fc.assert(
      fc.property(fc.array(claim, { maxLength: 5 }), (claims) => {
        const news = claims.map(newsOf);
        expect(readNews(reader(encodeNews(news)))).toEqual(news);
        expect(newsBytes(news)).toBe(encodeNews(news).length);
      }),
    );
  });

  it("that came before are not read again, and those that differ in anything are", () => {
    const read = (news: News): News => readNews(reader(encodeNews([news])))[0]!;
    const news = newsOf({ ...plain, heartbeat: 77 });
    const first = read(news);
    expect(read(news).entry).toBe(first.entry);
    expect(read(newsOf({ ...plain, heartbeat: 78 })).entry.claim.heartbeat).toBe(78);
    const other = { ...news, entry: { ...news.entry, signature: new Uint8Array(64).fill(3).fill(4, 63) } };
    expect(read(other).entry.signature[63]).toBe(4);
    // In memory of their own: the message's may be used for something else.
    const bytes = encodeNews([newsOf({ ...plain, heartbeat: 79 })]);
    const [kept] = readNews(reader(bytes));
    bytes.fill(0);
    expect(kept!.entry.bytes).toEqual(encodeClaim({ ...plain, heartbeat: 79 }));
  });

  it("are short: a peer with one address takes 120 bytes, a tab with two through its hub 170", () => {
    const [id, hub] = [idOf(new Uint8Array(KEY_BYTES).fill(7)), idOf(new Uint8Array(KEY_BYTES).fill(200))];
    const sizeOf = (...addresses: string[]): number => encodeNews([newsOf({ ...born, id, addresses })]).length - 1;
    const born = { ...plain, incarnation: 1_780_000_000_000, heartbeat: 1000 };
    expect(sizeOf("/ip4/203.0.113.7/tcp/40001")).toBeLessThanOrEqual(121);
    const through = `/dns4/hub.example.org/tcp/443/wss/p2p/${hub}/p2p-circuit`;
    expect(sizeOf(`${through}/webrtc`, through)).toBeLessThanOrEqual(175);
  });

  it("name a peer by its key, and the key has one name", () => {
    // What libp2p makes of the seed 5, 5, 5, …
    const id = "12D3KooWHFd1gyNYFqxt7ke9FY2VoVVWY2XSPhvL9vg2pB6wQGfa";
    const raw = keyOf(id)!;
    expect(Buffer.from(raw).toString("hex")).toBe("6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1");
    expect(idOf(raw)).toBe(id);
    expect(idOf(new Uint8Array(KEY_BYTES))).toHaveLength(52);
    // Names spelled lately are found by the end of their keys: others with the same end have names of their own.
    const like = Uint8Array.from(raw, (byte, k) => (k === 0 ? byte ^ 1 : byte));
    expect(keyOf(idOf(like))).toEqual(like);
    expect(idOf(raw)).toBe(id);
    for (const other of ["", "a", id.slice(1), `${id.slice(0, -1)}0`, `13D3KooW${id.slice(8)}`])
      expect(keyOf(other)).toBeNull();
    // Spelled as a text it would be another claim of the same peer.
    const out = new Writer();
    for (const byte of [CLAIM_VERSION, 4, id.length, ...new TextEncoder().encode(id), 0, 0, 0, 0, 0, 0, 1, 0])
      out.u8(byte);
    expect(() => decodeClaim(out.bytes())).toThrow(ProtocolViolation);
  });

  it("garbage gives nothing but a violation", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        violates(bytes);
      }),
      { numRuns: 5000 },
    );
  });

  it("so does any cut, and a change that breaks a limit", () => {
    fc.assert(
      fc.property(claim, fc.nat(), fc.nat(255), (one, at, value) => {
        const bytes = encodeNews([newsOf(one)]);
        expect(violates(bytes.subarray(0, at % bytes.length))).toBe(true);
        const changed = bytes.slice();
        changed[at % bytes.length] = value;
        violates(changed);
      }),
      { numRuns: 500 },
    );
    const many = Array.from({ length: MEMBERSHIP_LIMITS.entries + 1 }, (_, k) => newsOf({ ...plain, heartbeat: k }));
    expect(violates(encodeNews(many))).toBe(true);
    for (const wrong of [
      { id: "" },
      { id: "x".repeat(65) },
      { id: "a b" },
      { addresses: ["y".repeat(201)] },
      { addresses: Array.from({ length: 9 }, () => "/a") },
    ]) {
      expect(() => decodeClaim(encodeClaim({ ...plain, ...wrong }))).toThrow(ProtocolViolation);
    }
  });
});

const plain: Claim = { id: "a", addresses: ["/x"], incarnation: 3, heartbeat: 4, serves: true, leaving: false };

describe("entries from others", () => {
  const notary: Notary = {
    sign: async () => new Uint8Array(64).fill(1),
    verify: async (_, __, signature) => signature[0] === 1,
  };

  it("are told apart: genuine ones, forged ones, and those that are not looked at, because they are no news", async () => {
    const own = { entry: await signedBy(notary, plain), ageMs: 5 };
    const [forged, old] = [newsOf({ ...plain, id: "c" }), newsOf({ ...plain, id: "d" })];
    expect(await genuine([own, forged, old], notary, (one) => one !== old)).toEqual({ news: [own], forged: true });
  });
});
