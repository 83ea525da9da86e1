import { type DcbOptions, dcb, dccb } from "@coterie/core";
import { MOST_BYTES } from "@coterie/kernels";
import { describe, expect, it } from "vitest";
import { shapeOf } from "./config.ts";
import { checkSize, layoutOf, mostPeers } from "./layout.ts";

const epochs = dcb({ buffer: "epoch", delay: { factor: 1, networkExponent: 1 } }).options as DcbOptions;
const shape = (kind: "dcb" | "dccb", options: DcbOptions, peers: number, dimension: number) =>
  shapeOf({ kind, options, peers, dimension, arms: 10, rounds: 1000 });

describe("the memory of an engine", () => {
  it("holds a million peers with epochs and ten features", () => {
    const million = shape("dcb", epochs, 1_000_000, 10);
    expect(layoutOf(million).bytes).toBeLessThan(MOST_BYTES);
    expect(() => checkSize(million, layoutOf(million))).not.toThrow();
  });

  it.each([
    ["epochs, d = 10", shape("dcb", epochs, 1_000_000, 10)],
    ["epochs, d = 25", shape("dcb", epochs, 1_000_000, 25)],
    ["a slot a round", shape("dcb", dcb({ delay: { rounds: 93 } }).options as DcbOptions, 1000, 25)],
    ["dccb", shape("dccb", dccb({ delay: { rounds: 60 } }).options as DcbOptions, 1000, 10)],
  ])("ends where it says: %s", (_, given) => {
    const rowsOf = (peers: number) => (given.rows < given.peers ? Math.floor(peers / 2) + 1 : peers);
    const bytesOf = (peers: number) => layoutOf({ ...given, peers, rows: rowsOf(peers) }).bytes;
    const most = mostPeers(given);
    expect(bytesOf(most)).toBeLessThanOrEqual(MOST_BYTES);
    expect(bytesOf(most + 1)).toBeGreaterThan(MOST_BYTES);
    const beyond = { ...given, peers: most + 1, rows: rowsOf(most + 1) };
    expect(() => checkSize(beyond, layoutOf(beyond))).toThrow(new RegExp(`peers must be at most ${most},.*4 GiB`));
  });
});
