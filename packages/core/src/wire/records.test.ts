import { describe, expect, it } from "vitest";
import { type PeerRecord, publish } from "../kindred/record.ts";
import { Random } from "../numbers/random.ts";
import { look, recordOf, sumsOf } from "../testing/kin.ts";
import { decodeRecords, encodeRecords, recordBody, recordsBytes } from "./records.ts";

const D = 3;
const LIMITS = { dimension: D, most: 10, reward: Number.POSITIVE_INFINITY };
const seen = look(Random.seeded(1), [1, 0, -1], 9, 0.2);
// Arms of unit length at most: nothing longer passes the wire.
const arms = seen.arms.map((x) => x.map((value) => value / Math.max(1, Math.hypot(...x))));
const record = (signature: Uint8Array | null): PeerRecord => ({
  ...recordOf("ännä", 7, { arms, rewards: seen.rewards }, D),
  signature,
});

describe("the frame of records", () => {
  it.each([null, 1, 64, 255])("brings back a signature of %s bytes, and all else", (length) => {
    const signature = length === null ? null : Uint8Array.from({ length }, (_, k) => 255 - k);
    const sent = [record(signature), record(null)];
    const frame = encodeRecords(sent, D);
    expect(frame.length).toBe(recordsBytes(sent));
    const back = decodeRecords(frame, LIMITS);
    expect(back).toEqual(sent);
    frame.fill(0);
    expect(back[0].signature && Array.from(back[0].signature)).toEqual(signature && Array.from(signature));
  });

  it("signs everything but the signature", () => {
    const plain = record(null);
    const body = recordBody(plain);
    expect(recordBody(record(Uint8Array.of(1, 2, 3)))).toEqual(body);
    expect(recordBody(decodeRecords(encodeRecords([plain], D), LIMITS)[0])).toEqual(body);
    const sums = sumsOf({ arms, rewards: seen.rewards }, D);
    const others = [
      publish("anna", 7, sums),
      publish("ännä", 8, sums),
      publish("ännä", 7, { ...sums, count: 10 }),
      publish("ännä", 7, sums, 1),
      publish("ännä", 7, { ...sums, squares: 2 * sums.squares }),
      publish("ännä", 7, { ...sums, slot: sums.slot.map((value) => value / 2) }),
    ];
    for (const other of others) expect(recordBody(other)).not.toEqual(body);
  });

  it("refuses what is larger than the count allows", () => {
    const scaled = (arm: number, reward: number): PeerRecord =>
      publish(
        "liar",
        1,
        sumsOf({ arms: arms.map((x) => x.map((xi) => arm * xi)), rewards: seen.rewards.map((r) => reward * r) }, D),
      );
    const decode = (each: PeerRecord) => () => decodeRecords(encodeRecords([each], D), { ...LIMITS, reward: 3 });
    expect(decode(scaled(1, 1))).not.toThrow();
    expect(decode(scaled(3, 1))).toThrow(/^records\[0\] trace must lie from 0 to 18/);
    expect(decode(scaled(1, 20))).toThrow(/^records\[0\] squares must lie from 0 to 162/);
  });

  it("refuses a record longer than its numbers could ever take", () => {
    const plain = record(null);
    const long = (more: number): PeerRecord => ({ ...plain, body: Uint8Array.from({ length: 548 + more }, () => 1) });
    expect(() => decodeRecords(encodeRecords([long(1)], D), LIMITS)).toThrow(
      /records\[0\] bytes must lie from 0 to 548.*549/,
    );
    expect(() => decodeRecords(encodeRecords([long(0)], D), LIMITS)).not.toThrow(/bytes must/);
    expect(() => decodeRecords(encodeRecords([long(0)], D), LIMITS)).toThrow();
  });

  it("brings back the era, which greetings call it by another name for", () => {
    const sums = sumsOf({ arms, rewards: seen.rewards }, D);
    const sent = [0, 1, 300].map((era) => publish("anna", 7, sums, era));
    const back = decodeRecords(encodeRecords(sent, D), LIMITS);
    expect(back).toEqual(sent);
    expect(back.map(({ era }) => era)).toEqual([0, 1, 300]);
    expect(new Set(back.map(({ hash }) => hash)).size).toBe(3);
  });

  it("refuses a version or a count of nothing", () => {
    const body = record(null).body;
    const at = 1 + 4; // behind the name
    for (const [k, field, most] of [
      [0, "version", 0x7_ffff_ffff],
      [2, "count", 0xffff_ffff],
    ] as const) {
      const bad = body.slice();
      bad[at + k] = 0;
      expect(() => decodeRecords(encodeRecords([{ ...record(null), body: bad }], D), LIMITS)).toThrow(
        `records[0] ${field} must lie from 1 to ${most}, but is 0`,
      );
    }
  });
});
