import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FEED_VERSION, parseBeat, parseHeader } from "@coterie/studio";
import { afterAll, expect, it } from "vitest";
import { Recording } from "./recording.ts";
import { feedStream } from "./stream.ts";

const folder = mkdtempSync(join(tmpdir(), "coterie-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const HEADER = {
  coterie: "feed",
  version: FEED_VERSION,
  policy: "kindred",
  periodMs: 1,
  startedMs: 2,
  source: "live",
} as const;

it("who comes late hears all of it, and then what is new; a file has the same", async () => {
  const path = join(folder, "run.jsonl");
  const recording = new Recording(HEADER, path);
  recording.push({ at: 1 });
  const reader = feedStream(recording).getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  const [header, first] = (await read()).trimEnd().split("\n");
  expect(parseHeader(header)).toEqual(HEADER);
  expect(parseBeat(first)).toEqual({ at: 1 });
  recording.push({ at: 2, earned: [0, 1, 1, 1, 1] });
  expect(parseBeat(await read())).toEqual({ at: 2, earned: [0, 1, 1, 1, 1] });
  await reader.cancel();
  recording.push({ at: 3 });
  await recording.end();
  expect(readFileSync(path, "utf8").split("\n").length).toBe(5);
});

it("of a very long run keeps what lasts", () => {
  const recording = new Recording(HEADER);
  recording.push({ at: 0, joined: [{ peer: 0, id: "a", name: "A", cluster: 0 }] });
  // A beat in which nothing but a loan changed lasts too.
  recording.push({ at: 1, lent: [0, 1, 12] });
  for (let at = 2; at <= 60_000; at++) recording.push({ at, state: [0, at, 0, 0, 0, 0, 0] });
  const { past } = recording.follow(() => {});
  expect(recording.dropped).toBe(29_998);
  expect(past.length).toBe(1 + 2 + 30_001);
  expect(parseBeat(past[1]).joined?.length).toBe(1);
  expect(parseBeat(past[2]).lent).toEqual([0, 1, 12]);
  expect(parseBeat(past[3]).at).toBe(30_000);
});
