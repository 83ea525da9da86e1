import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { write } from "../record.ts";
import { frame, framed, framesIn } from "./frame.ts";
import { nodeSha256 } from "./hash.ts";
import { Segment } from "./segment.ts";

const folder = mkdtempSync(join(tmpdir(), "coterie-segment-"));
afterAll(() => rmSync(folder, { recursive: true }));

const recordOf = (sequence: number, length: number): Uint8Array => {
  const body = new Uint8Array(length).fill(sequence);
  const previous = new Uint8Array(16);
  const record = { role: "entry", more: false, incarnation: 1, sequence, previous, kind: "test", body } as const;
  return write(record, nodeSha256).bytes;
};

it("grows by zeros for several writes at once, which make no record, and gives back what is left", async () => {
  const path = join(folder, "log");
  const segment = await Segment.open(path);
  const records = [200, 50_000, 9000, 1, 300_000].map((length, k) => recordOf(k + 1, length));
  const lengths: number[] = [];
  for (const [k, record] of records.entries()) {
    await segment.write(framed([record]));
    const there = readFileSync(path);
    lengths.push(there.length);
    const found = framesIn(there, nodeSha256).map(({ record }) => record?.sequence);
    expect(found).toEqual(records.slice(0, k + 1).map((_, at) => at + 1));
  }
  // The third and the fourth lie in what was made ahead for the second.
  expect([lengths[2], lengths[3]]).toEqual([lengths[1], lengths[1]]);
  await segment.close();
  expect(Buffer.concat(records.map((record) => frame([record]))).equals(readFileSync(path))).toBe(true);
});
