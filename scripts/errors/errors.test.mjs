import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { catalogue } from "./catalogue/index.mjs";
import { messages, messagesIn, root } from "./extract.mjs";
import { page } from "./page.mjs";

const entries = catalogue.flatMap((group) => group.entries);
const listed = entries.flatMap(({ says }) => says);

/** A new file here may hide messages: let scripts/errors/extract.mjs find their words, then add it. */
const PASSING = [
  "cli/src/commands/bench.ts",
  "cli/src/commands/soak.ts",
  "cli/src/files.ts",
  "core/src/kindred/record.ts",
  "core/src/policies/parse.ts",
  "core/src/wire/frame.ts",
  "lab/src/data/fetching/download.ts",
  "lab/src/data/reading/table.ts",
  "lab/src/worlds/dataset.ts",
  "net/src/exchange/message.ts",
  "net/src/features/door.ts",
  "net/src/features/multiHot.ts",
  "net/src/features/oneHot.ts",
  "net/src/features/schemaFeatures.ts",
  "net/src/host/birth.ts",
  "net/src/host/journal.ts",
  "net/src/host/keeper.ts",
  "net/src/libp2p/greeting.ts",
  "net/src/libp2p/wire.ts",
  "net/src/membership/codec.ts",
  "net/src/sdk/roomPeer.ts",
  "server/src/http/problem.ts",
  "server/src/peer/features.ts",
];

describe("messages that a user can meet", () => {
  it("are all in the catalogue (scripts/errors/catalogue), and nothing else is", () => {
    const { found } = messages();
    expect(found.size).toBeGreaterThan(200);
    const missing = [...found]
      .filter(([text]) => !listed.includes(text))
      .map(([text, files]) => `${[...files]}: ${text}`);
    expect(missing, "give each a cause and a remedy").toEqual([]);
    expect(
      listed.filter((text) => !found.has(text)),
      "these are said nowhere any more",
    ).toEqual([]);
  });

  it("are worded where they are made, but for these files, which pass on the words of others", () => {
    const files = [...messages().passedOn.values()].flatMap((places) => [...places]);
    expect([...new Set(files)].map((file) => file.replace("packages/", "")).sort()).toEqual(PASSING);
  });

  it("are listed once, each with a cause and a remedy in whole sentences", () => {
    expect(listed.filter((text, k) => listed.indexOf(text) !== k)).toEqual([]);
    for (const { says, cause, remedy } of catalogue.flatMap(({ parser = [], entries }) => [...parser, ...entries])) {
      for (const sentence of [cause, remedy]) expect(sentence, says[0]).toMatch(/^[A-Z`].*[.`)]$/s);
    }
  });

  it("are on the page as the catalogue has them (node scripts/errors/write.mjs)", () => {
    expect(readFileSync(join(root, "docs", "errors.md"), "utf8")).toBe(page());
  });

  it.each([
    [["nothing"], 0],
    [["run", "--sedes", "3"], 1],
    [["run", "--seeds", "x"], 2],
    [["peer"], 3],
    [["replay"], 3],
    [["replay", "a", "b"], 4],
  ])("the parser says of %j what the catalogue says", async (args, index) => {
    const bin = join(root, "packages", "cli", "bin", "coterie.js");
    const { code, stderr } = await promisify(execFile)(process.execPath, [bin, ...args]).catch((error) => error);
    expect(code).toBe(2);
    const group = catalogue.find(({ parser }) => parser !== undefined);
    expect(group.parser[index].says.some((text) => stderr.startsWith(text.split("{")[0]))).toBe(true);
  });
});

describe("reading the sources", () => {
  it.each([
    ['throw new ConfigError("--a", a, "be one")', ["--a must be one"]],
    [`throw new ConfigError(\`a[\${k}]\`, a, \`be at most \${limits.most}\`)`, ["a[{k}] must be at most {most}"]],
    ['const B = "be B"; function f() { throw new ConfigError(x.field, 1, B); }', ["{field} must be B"]],
    ['function f() { const b = "be 1"; g(b); } function g(b) { throw new ConfigError("x", 1, b); }', ["x must {b}"]],
    ['new ConfigError("x", 1, y ? "be y" : "be z")', ["x must be y", "x must be z"]],
    ["new ConfigError(error.field, error.value, error.bound)", ["{field} must {bound}"]],
    ['type Refusal = "a" | "b"', ["refused: a", "refused: b"]],
    ['new ProtocolViolation("forged", "x", 1, "be y")', ["violation: forged"]],
    ['new SyntaxError("not ours")', []],
  ])("%s", (source, expected) => {
    expect(messagesIn(source)).toEqual(expected);
  });
});
