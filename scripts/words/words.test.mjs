import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportsOf, packages } from "../api/report.mjs";
import { root } from "../packages/packages.mjs";
import { glossary, homonyms, wordsOf } from "./words.mjs";

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
  it("no two exported types share a name, with each other or with one that TypeScript has", () => {
    expect(Object.fromEntries(homonyms()), "give one of the two another name").toEqual({});
  });

  it("finds a name that two files declare, and not what is declared twice in one", () => {
    const twice = "export interface Look {}\nexport class Look {}\n";
    const files = [
      ["a/look.ts", twice],
      ["b/seen.ts", "export type Seen = 1;\nconst look = 1;\n"],
    ];
    expect(homonyms(files)).toEqual([]);
    const named = (text) => homonyms([...files, ["c/look.ts", text]]).map(([name]) => name);
    expect(named("export abstract class Look {}")).toEqual(["Look"]);
    expect(named("export interface Record {}")).toEqual(["Record"]);
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

describe("ARCHITECTURE", () => {
  it("points at files that exist", () => {
    const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
    const paths = files.map((file) => `/${file.replace("/src/", "/")}`);
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    const named = [...text.matchAll(/`([\w./-]+\.tsx?|[\w-]+\/src\/[\w/-]+)`/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(60);
    const known = (path) => paths.some((one) => `${one}/`.includes(`/${path.replace("/src/", "/")}/`));
    expect(named.filter((path) => !known(path))).toEqual([]);
  });
});
