import { ProtocolViolation, Writer } from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Notary } from "../identity/signature.ts";
import {
  decodeClaim,
  encodeClaim,
  pulsesBytes,
  reader,
  readNews,
  readPulses,
  writeNews,
  writePulses,
} from "./codec.ts";
import type { Claim, News } from "./entry.ts";
import { MEMBERSHIP_LIMITS, REFRESH_MS } from "./limits.ts";
import { Membership } from "./membership.ts";
import type { Pulse } from "./pulse.ts";
import { heartbeat, receive } from "./receive.ts";

const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const word = (most: number): fc.Arbitrary<string> =>
  fc.array(printable, { minLength: 1, maxLength: most }).map((letters) => letters.join(""));
const claim: fc.Arbitrary<Claim> = fc.record({
  id: word(MEMBERSHIP_LIMITS.idLength),
  addresses: fc.array(word(MEMBERSHIP_LIMITS.addressLength), { maxLength: MEMBERSHIP_LIMITS.addresses }),
  incarnation: fc.maxSafeNat(),
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
  ageMs: 12,
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
      }),
    );
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
      { incarnation: -1 },
      { incarnation: 1.5 },
      { incarnation: Number.NaN },
    ]) {
      expect(() => decodeClaim(encodeClaim({ ...plain, ...wrong }))).toThrow(ProtocolViolation);
    }
  });
});

describe("pulses as bytes", () => {
  const pulse = fc.record({
    tag: fc.stringMatching(/^[0-9a-f]{20}$/),
    ageMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
    hops: fc.nat(255),
  });
  const encoded = (pulses: readonly Pulse[]): Uint8Array => {
    const out = new Writer();
    writePulses(out, pulses);
    return out.bytes();
  };

  it("come back as they were, at most 10 ms older and never younger", () => {
    fc.assert(
      fc.property(fc.array(pulse, { maxLength: 20 }), (pulses) => {
        const bytes = encoded(pulses);
        expect(bytes.length).toBe(pulsesBytes(pulses));
        const back = readPulses(reader(bytes));
        expect(back.map(({ tag, hops }) => [tag, hops])).toEqual(pulses.map(({ tag, hops }) => [tag, hops]));
        back.forEach(({ ageMs }, k) => {
          const meant = Math.min(pulses[k]!.ageMs, 655_350);
          expect(ageMs).toBeGreaterThanOrEqual(meant - 1e-6);
          expect(ageMs).toBeLessThanOrEqual(meant + 10);
        });
      }),
    );
  });

  it("are a violation when cut, or too many", () => {
    const one = { tag: "0123456789abcdef0123", ageMs: 0, hops: 0 };
    const bytes = encoded([one, one]);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readPulses(reader(bytes.subarray(0, length)))).toThrow(ProtocolViolation);
    }
    const many = Array.from({ length: MEMBERSHIP_LIMITS.pulses + 1 }, () => one);
    expect(() => readPulses(reader(encoded(many)))).toThrow(/^pulses must be at most/);
  });
});

const plain: Claim = { id: "a", addresses: ["/x"], incarnation: 3, heartbeat: 4, serves: true, leaving: false };

describe("entries from others", () => {
  const notary: Notary = {
    sign: async () => new Uint8Array(64).fill(1),
    verify: async (_, __, signature) => signature[0] === 1,
  };

  it("are taken when genuine, dropped and counted when not, and not looked at twice", async () => {
    const [a, b] = [new Membership("a", 1, 0), new Membership("b", 1, 0)];
    const own = await heartbeat(a, notary, { addresses: ["/x"], serves: true, leaving: false }, 0);
    const forged = newsOf({ ...plain, id: "c" });
    const first = await receive(b, notary, [{ entry: own, ageMs: 5 }, forged], () => 0);
    expect(first).toEqual({ events: [{ kind: "joined", peer: "a" }], forged: 1 });
    expect(b.alive(0)).toEqual(["a"]);
    const never: Notary = { ...notary, verify: () => Promise.reject(new Error("looked at a replay")) };
    expect(await receive(b, never, [{ entry: own, ageMs: 0 }], () => 0)).toEqual({ events: [], forged: 0 });
  });

  it("are signed anew only when they say something else, or are old", async () => {
    const membership = new Membership("a", 1, 0);
    const state = { addresses: ["/x"], serves: false, leaving: false };
    const first = await heartbeat(membership, notary, state, 0);
    expect(await heartbeat(membership, notary, state, REFRESH_MS - 1)).toBe(first);
    const serving = await heartbeat(membership, notary, { ...state, serves: true }, 10);
    expect(serving.claim).toMatchObject({ heartbeat: 2, serves: true });
    const old = await heartbeat(membership, notary, { ...state, serves: true }, 10 + REFRESH_MS);
    expect(old.claim.heartbeat).toBe(3);
    // Its own entry of a later life comes back to it: it must be newer still, and at once.
    membership.learn({ entry: { ...old, claim: { ...old.claim, incarnation: 7 } }, ageMs: 0 }, 20);
    expect((await heartbeat(membership, notary, { ...state, serves: true }, 11 + REFRESH_MS)).claim.incarnation).toBe(
      8,
    );
  });
});
