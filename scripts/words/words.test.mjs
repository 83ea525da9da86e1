import { describe, expect, it } from "vitest";
import { exportsOf, packages } from "../api/report.mjs";
import { glossary, homonyms, wordsOf } from "./words.mjs";

/** Types that still share a name. The list may only become shorter. */
const LEFT = [
  "Census", // records with their groups (core), an estimate of a room's size (net)
  "Context", // of a choice (features), of calls (libp2p)
  "Driver", // a way to drive peers (compliance), libp2p's (net)
  "Effect", // of a peer's step (core), of a node's (net)
  "Entry", // of a kindred view (core), of a log (net)
  "Own", // a peer's own sums (core), its own entry (net)
  "Report", // of an experiment (lab), of another worker's choice (net)
  "Settings", // of libp2p, of the SDK
  "Shares", // of an explanation, of address prefixes
  "View", // of records (core), of a room (net)
];

/** Words that need no explanation: plain English, and those of programming. */
const PLAIN = `
  alone assign available bench benched benches built in busy bytes chart check checks clock codec compare compliance comply config coverage covered create curve
  cyclic dark dataset datasets default define directory disk drawing end engine entry error evaluate evaluation experiment extent factory
  fetch field file find fits flag folder fork from hashed header hot id import indexed initial input inspect invariant is jobs kinds lab
  level libp2p light limits line list load losses manifest measured memory most multi name number of one options over page parse picks
  progress protocol random ratio read reader reason refused restore result robin row rule run saved scheme series shape show spec sphere state step
  style table tags terminal text threads tick to token transport use vector vectors violation wasm webrtc whole wire wires with write writer zero
`
  .trim()
  .split(/\s+/);

/** Packages whose names are promised (docs/stability.md). */
const STABLE = ["core", "net", "lab", "kernels", "webrtc", "compliance"].map((name) => `@coterie/${name}`);

describe("one word, one thing", () => {
  it("no two exported types share a name, but for those that are known", () => {
    const found = homonyms().filter(([name]) => !LEFT.includes(name));
    expect(Object.fromEntries(found), "give one of the two another name").toEqual({});
  });

  it("and none of those that are known is gone", () => {
    const names = homonyms().map(([name]) => name);
    expect(LEFT.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("finds a name that two files declare, and not what is declared twice in one", () => {
    const twice = "export interface Look {}\nexport class Look {}\n";
    const files = [
      ["a/look.ts", twice],
      ["b/seen.ts", "export type Seen = 1;\nconst look = 1;\n"],
    ];
    expect(homonyms(files)).toEqual([]);
    expect(homonyms([...files, ["c/look.ts", "export abstract class Look {}"]]).map(([name]) => name)).toEqual([
      "Look",
    ]);
  });
});

describe("exported names", () => {
  const known = glossary();
  const stable = packages().filter(({ manifest }) => STABLE.includes(manifest.name));

  it.each(stable.map((one) => [one.manifest.name, one]))(
    "of %s are made of GLOSSARY's words and plain ones",
    (_, one) => {
      const strange = [...exportsOf(one).keys()].flatMap((name) =>
        wordsOf(name)
          .filter((word) => !known(word) && !PLAIN.includes(word))
          .map((word) => `${word} in ${name}`),
      );
      expect(strange, "explain the word in GLOSSARY.md, or take another one").toEqual([]);
    },
  );

  it("are taken apart, and looked up in any form", () => {
    expect(wordsOf("memoryDisk")).toEqual(["memory", "disk"]);
    expect(wordsOf("VIEW_SIZE")).toEqual(["view", "size"]);
    const knows = glossary("| **view** | x |\n| **mass at risk** | y |\n| **policy** (plural) | z |\n");
    expect(["view", "views", "risk", "policies", "shelf"].map(knows)).toEqual([true, true, true, true, false]);
  });
});
