import { describe, expect, it } from "vitest";
import type { Record } from "../kindred/record.ts";
import { Random } from "../numbers/random.ts";
import { look, recordOf } from "../testing/kin.ts";
import { decodeRecords, encodeRecords, recordBody, recordsBytes } from "./records.ts";

const D = 3;
const LIMITS = { dimension: D, most: 10, reward: Number.POSITIVE_INFINITY };
const seen = look(Random.seeded(1), [1, 0, -1], 9, 0.2);
// Arms of unit length at most: nothing longer passes the wire.
const arms = seen.arms.map((x) => x.map((value) => value / Math.max(1, Math.hypot(...x))));
const record = (signature: Uint8Array | null): Record => ({
  ...recordOf("ännä", 7, { arms, rewards: seen.rewards }, D),
  signature,
});

describe("the frame of records", () => {
  it.each([null, 1, 64, 255])("brings back a signature of %s bytes, and all else", (length) => {
    const signature = length === null ? null : Uint8Array.from({ length }, (_, k) => 255 - k);
    const sent = [record(signature), record(null)];
    const frame = encodeRecords(sent, D);
    expect(frame.length).toBe(recordsBytes(sent, D));
    const back = decodeRecords(frame, LIMITS);
    expect(back.map((each) => ({ ...each, signature: each.signature && Array.from(each.signature) }))).toEqual(
      sent.map((each) => ({ ...each, signature: each.signature && Array.from(each.signature) })),
    );
    frame.fill(0);
    expect(back[0].signature && Array.from(back[0].signature)).toEqual(signature && Array.from(signature));
  });

  it("signs everything but the signature", () => {
    const plain = record(null);
    const body = recordBody(plain);
    expect(recordBody(record(Uint8Array.of(1, 2, 3)))).toEqual(body);
    expect(recordBody(decodeRecords(encodeRecords([plain], D), LIMITS)[0])).toEqual(body);
    const slot = plain.slot.slice();
    slot[0] += 1;
    for (const change of [{ origin: "anna" }, { version: 8 }, { count: 10 }, { squares: 0.5 }, { slot }]) {
      expect(recordBody({ ...plain, ...change })).not.toEqual(body);
    }
  });
});
