import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEADER, madeUp } from "../testing/run.ts";
import { FEED_VERSION, toLine } from "./format.ts";
import { Lines } from "./lines.ts";
import { FeedError, parseBeat, parseHeader } from "./parse.ts";

const refused = (line: string): FeedError => {
  try {
    parseBeat(line);
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
  throw new Error(`taken: ${line}`);
};

describe("a feed", () => {
  it("comes back as it was written", () => {
    expect(parseHeader(toLine(HEADER))).toEqual(HEADER);
    for (const beat of madeUp(1, 40)) expect(parseBeat(toLine(beat))).toEqual(beat);
  });

  it("of every version is kept, and read", () => {
    const folder = new URL("../testing/fixtures/", import.meta.url);
    const now = `feed-${FEED_VERSION}.jsonl`;
    if (!existsSync(new URL(now, folder))) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(new URL(now, folder), [HEADER, ...madeUp(1, 12)].map(toLine).join(""));
      throw new Error(`${now} is written for this new version: commit it, and keep those of earlier versions`);
    }
    for (const name of readdirSync(folder)) {
      const [header, ...beats] = new Lines().take(readFileSync(new URL(name, folder), "utf8"));
      expect(parseHeader(header!)).toMatchObject({ coterie: "feed" });
      expect(beats.map((line) => parseBeat(line).at)).toHaveLength(12);
    }
  });

  it("of another version is told apart from nonsense", () => {
    const later = toLine(HEADER).replace(`"version":${FEED_VERSION}`, `"version":${FEED_VERSION + 1}`);
    expect(() => parseHeader(later)).toThrow("version 2, this page reads 1");
    expect(() => parseHeader(toLine({ at: 1 }))).toThrow("does not begin with a header");
  });

  it.each([
    ["{", "not JSON"],
    ["[]", "no object"],
    ["{}", "no time"],
    ['{"at":-1}', "no time"],
    ['{"at":1,"earned":[1,2]}', "rows of 5"],
    ['{"at":1,"earned":["<b>",1,1,1,1]}', "holds string"],
    ['{"at":1,"met":[0,1,99,1,1]}', "unknown code"],
    ['{"at":1,"met":[0,-1,0,1,1]}', "names no peer"],
    ['{"at":1,"pool":[0,1e9,1,0]}', "names no peer"],
    ['{"at":1,"joined":[{"peer":0,"id":"a","name":7,"cluster":null}]}', "holds no peer"],
    ['{"at":1,"joined":{"peer":0}}', "is no list"],
    ['{"at":1,"faults":[{"what":"explode","peers":[]}]}', "unknown fault"],
    ['{"at":1,"troubles":[{"peer":0}]}', "no trouble"],
  ])("refuses %s", (line, why) => {
    expect(refused(line).message).toContain(why);
  });

  it("never throws anything but its own error", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.object().map((value) => JSON.stringify({ at: 1, ...value })),
        ),
        (line) => {
          try {
            parseBeat(line);
          } catch (error) {
            expect(error).toBeInstanceOf(FeedError);
          }
        },
      ),
    );
  });

  it("is cut into the same lines however it arrives", () => {
    const text = madeUp(2, 5).map(toLine).join("");
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const lines = new Lines();
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const found = places.slice(1).flatMap((end, k) => lines.take(text.slice(places[k], end)));
        expect([...found, ...lines.end()]).toEqual(text.trimEnd().split("\n"));
      }),
    );
  });
});
