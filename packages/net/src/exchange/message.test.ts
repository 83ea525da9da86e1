import { ProtocolViolation } from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, decodeAnswer, decodeProposal, encodeAnswer, encodeProposal, type Proposal } from "./message.ts";

const id = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString("hex"));
const round = fc.integer({ min: 1, max: 0xffffffff });
const frames = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 });
const proposal: fc.Arbitrary<Proposal> = fc.record({ id, round, agreement: fc.string({ maxLength: 64 }), frames });
const answer: fc.Arbitrary<Answer> = fc.record({
  id,
  round,
  verdict: fc.constantFrom("mix", "prune", "keep", "stranger", "busy", "behind", "refused"),
  reason: fc.string({ maxLength: 200 }),
  frames,
});

const refusal = (decode: () => unknown): unknown => {
  try {
    decode();
  } catch (error) {
    return error;
  }
  return null;
};

describe("messages of an exchange", () => {
  it("come back as they were sent", () => {
    fc.assert(
      fc.property(proposal, (sent) => {
        expect(decodeProposal(encodeProposal(sent))).toEqual(sent);
      }),
    );
    fc.assert(
      fc.property(answer, (sent) => {
        expect(decodeAnswer(encodeAnswer(sent))).toEqual(sent);
      }),
    );
  });

  it("cut short at any place, or too long, are violations", () => {
    const property = fc.property(answer, fc.nat(), (sent, cut) => {
      const bytes = encodeAnswer(sent);
      const short = refusal(() => decodeAnswer(bytes.subarray(0, cut % bytes.length)));
      expect(short).toBeInstanceOf(ProtocolViolation);
      const long = refusal(() => decodeAnswer(Uint8Array.of(...bytes, 0)));
      expect(long).toMatchObject({ reason: "too-long" });
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("of another kind or version are violations that say so", () => {
    fc.assert(
      fc.property(proposal, (sent) => {
        const bytes = encodeProposal(sent);
        expect(refusal(() => decodeAnswer(bytes))).toMatchObject({ reason: "mismatch", field: "message.type" });
        bytes[2]! += 1;
        expect(refusal(() => decodeProposal(bytes))).toMatchObject({ reason: "version", field: "message.version" });
      }),
    );
  });

  it("made of anything at all are violations and nothing else", () => {
    const start = fc.constantFrom([], [0x43, 0x78], [0x43, 0x78, 1, 1], [0x43, 0x78, 1, 2]);
    const property = fc.property(start, fc.uint8Array({ maxLength: 80 }), (head, tail) => {
      for (const decode of [decodeProposal, decodeAnswer]) {
        const error = refusal(() => decode(Uint8Array.of(...head, ...tail)));
        if (error !== null) expect(error).toBeInstanceOf(ProtocolViolation);
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });
});
