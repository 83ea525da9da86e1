import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolViolation, type ViolationReason } from "../errors.ts";
import { initialPeer, step } from "../peer/peer.ts";
import {
  DIMENSION,
  HONEST,
  honest,
  limits,
  PEERS,
  patched,
  refused,
  relabelled,
  replaced,
  target,
} from "../testing/frames.ts";
import { thousands } from "../testing/thousands.ts";
import { VARIANTS } from "../testing/variants.ts";
import { HEADER_BYTES } from "./frame.ts";

describe("frames of every policy", () => {
  it("are refused when cut off anywhere", () => {
    for (const { codec, offers } of HONEST) {
      const frames = codec.encode(offers[0]!);
      frames.forEach((frame, index) => {
        for (let length = 0; length < frame.length; length++) {
          const cut = frame.slice(0, length);
          refused(() => codec.decode(replaced(frames, index, cut), limits), "truncated", /./);
          if (length < HEADER_BYTES) continue;
          refused(() => codec.decode(replaced(frames, index, relabelled(cut)), limits), "truncated", /./);
        }
      });
    }
  });

  it("are refused when something follows, whatever the header says", () => {
    const tail = fc.uint8Array({ minLength: 1, maxLength: 40 });
    const property = fc.property(target, tail, fc.boolean(), ({ codec, frames, index }, more, relabel) => {
      const longer = Uint8Array.of(...frames[index]!, ...more);
      const bad = replaced(frames, index, relabel ? relabelled(longer) : longer);
      refused(() => codec.decode(bad, limits), "too-long", /^frame\.body$/);
    });
    fc.assert(property, thousands);
  });

  it.each<[string, number, 1 | 2, ViolationReason, RegExp, number[]]>([
    ["another magic", 0, 2, "version", /^frame\.magic$/, [0x6f43]],
    // Of a kind that has not changed since, 1 is as good.
    ["another version", 2, 1, "version", /^frame\.version$/, [1, 2, 3]],
    ["another precision", 4, 1, "mismatch", /^frame\.precision$/, [4, 8]],
    ["another dimension", 5, 2, "mismatch", /^frame\.dimension$/, [DIMENSION]],
  ])("are refused with %s", (_, at, bytes, reason, field, right) => {
    const wrong = fc.nat(256 ** bytes - 1).filter((value) => !right.includes(value));
    const property = fc.property(target, wrong, ({ codec, frames, index }, value) => {
      const bad = patched(frames[index]!, (view) => {
        if (bytes === 1) view.setUint8(at, value);
        else view.setUint16(at, value, true);
      });
      refused(() => codec.decode(replaced(frames, index, bad), limits), reason, field, value);
    });
    fc.assert(property, thousands);
  });

  it("are refused as another kind, and in another number than the policy sends", () => {
    const property = fc.property(target, fc.nat(255), ({ name, codec, frames, index }, kind) => {
      if (kind === frames[index]![3]) return;
      const bad = patched(frames[index]!, (view) => view.setUint8(3, kind));
      refused(() => codec.decode(replaced(frames, index, bad), limits), "mismatch", /^frame\.kind$/, kind);
      refused(() => codec.decode([...frames, bad], limits), "mismatch", /^frames$/, frames.length + 1);
      // A greeting may come by itself; records may not.
      const [field, found] = name === "kindred" ? [/^frame\.kind$/, 5] : [/^frames$/, frames.length - 1];
      refused(() => codec.decode(frames.slice(1), limits), "mismatch", field as RegExp, found as number);
    });
    fc.assert(property, thousands);
  });

  it("are refused when they hold more than the receiver is ready for", () => {
    const property = fc.property(honest, fc.nat(2), ({ codec, offer, frames }, most) => {
      const held = new DataView(frames.at(-1)!.buffer).getUint16(offer.policy === "round-robin" ? 11 : 15, true);
      if (held <= most || offer.policy === "kindred") return;
      const field = offer.policy === "round-robin" ? /^parcel\.length$/ : /^slots\.length$/;
      refused(() => codec.decode(frames, { ...limits, most }), "out-of-range", field, held);
    });
    fc.assert(property, thousands);
  });
});

describe("any bytes at all", () => {
  /** Decodes, and if that succeeds lets a peer meet the sender and live on: nothing but a violation may come of it. */
  function survive({ name, frames }: { name: string; frames: readonly Uint8Array[] }): "refused" | "taken" {
    const policy = VARIANTS[name]!;
    const peer = initialPeer({ id: "me", dimension: DIMENSION, policy, peers: PEERS });
    try {
      for (let round = 1; round <= 12; round++) {
        step(peer, { kind: "observe", arm: Float64Array.of(0.6, 0, 0.8), reward: 1 });
        if (round === 12) {
          step(peer, { kind: "meet", partner: "other", offer: policy.codec!.decode(frames, limits) });
          step(peer, { kind: "settle" });
        }
        step(peer, { kind: "close" });
      }
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      return "refused";
    }
    // Long enough for all that was taken in to be promoted.
    for (let round = 13; round <= 60; round++) step(peer, { kind: "close" });
    expect(peer.learner.view.estimate.every(Number.isFinite)).toBe(true);
    return "taken";
  }

  it("are refused, as whole frames and as bodies behind a right header", () => {
    const property = fc.property(target, fc.uint8Array({ maxLength: 300 }), ({ name, frames, index }, noise) => {
      survive({ name, frames: replaced(frames, index, noise) });
      const body = relabelled(Uint8Array.of(...frames[index]!.subarray(0, HEADER_BYTES), ...noise));
      survive({ name, frames: replaced(frames, index, body) });
    });
    fc.assert(property, thousands);
  });

  it("that differ from an honest offer in a few places are refused or do no harm", () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
    const seen = { refused: 0, taken: 0 };
    const property = fc.property(target, flips, ({ name, frames, index }, places) => {
      const bad = frames[index]!.slice();
      for (const [at, value] of places) bad[at % bad.length] = value;
      seen[survive({ name, frames: replaced(frames, index, bad) })] += 1;
    });
    fc.assert(property, { ...thousands, numRuns: 3000 });
    expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(100);
  });
});
