import { describe, expect, it } from "vitest";
import { refused } from "../../packages/cli/src/testing/refused.ts";
import { messages, messagesIn } from "./extract.mjs";
import { entries } from "./page.mjs";

/** Of all sources, which takes a second to read. */
const { found, passedOn } = messages();
const listed = entries().flatMap(({ says }) => says);

/** What the parser of the command line finds, in the words of cli/src/words.ts: met below. */
const PARSER = [
  "there is no command {word}",
  "there is no option --{name}",
  "--{name} must be one of {values}",
  "--{name} must be given, with a value",
  "{NAME} must be given",
  "{word} is one argument too many: this command takes {count}",
];

/** Every message of the page as a pattern: braces stand for anything. */
const all = listed.map(
  (text) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}/g, ".+")}`),
);

/** A new file here may hide messages: let scripts/errors/extract.mjs find their words, then add it. */
const PASSING = [
  "cli/src/commands/bench.ts",
  "cli/src/commands/soak.ts",
  "cli/src/files.ts",
  "cli/src/logs.ts",
  "cli/src/stores.ts",
  "core/src/evaluate/line.ts",
  "core/src/kindred/record.ts",
  "core/src/policies/parse.ts",
  "core/src/wire/frame.ts",
  "lab/src/data/fetching/download.ts",
  "lab/src/data/reading/table.ts",
  "lab/src/running/module.ts",
  "lab/src/worlds/dataset.ts",
  "net/src/exchange/message.ts",
  "net/src/exchange/report.ts",
  "net/src/features/door.ts",
  "net/src/features/menu.ts",
  "net/src/features/multiHot.ts",
  "net/src/features/oneHot.ts",
  "net/src/features/schemaFeatures.ts",
  "net/src/host/complain.ts",
  "net/src/host/keeper.ts",
  "net/src/libp2p/calls.ts",
  "net/src/libp2p/gather.ts",
  "net/src/libp2p/greeting.ts",
  "net/src/libp2p/wire.ts",
  "net/src/membership/codec.ts",
  "net/src/node/heritage.ts",
  "net/src/node/journal.ts",
  "net/src/sdk/announcements.ts",
  "net/src/store/shared/messages.ts",
  "server/src/http/problem.ts",
  "server/src/peer/features.ts",
];

describe("messages that a user can meet", () => {
  it("are all on docs/errors.md, and nothing else is", () => {
    expect(found.size).toBeGreaterThan(200);
    const missing = [...found]
      .filter(([text]) => !listed.includes(text))
      .map(([text, files]) => `${[...files]}: ${text}`);
    expect(missing, "give each a cause and a remedy on that page").toEqual([]);
    expect(
      listed.filter((text) => !found.has(text)),
      "these are said nowhere any more",
    ).toEqual(PARSER);
  });

  it("are worded where they are made, but for these files, which pass on the words of others", () => {
    const files = [...passedOn.values()].flatMap((places) => [...places]);
    expect([...new Set(files)].map((file) => file.replace("packages/", "")).sort()).toEqual(PASSING);
  });

  it("are listed once, each with a cause and a remedy in whole sentences", () => {
    expect(listed.filter((text, k) => listed.indexOf(text) !== k)).toEqual([]);
    for (const { says, cause, remedy } of entries()) {
      for (const sentence of [cause, remedy]) expect(sentence, says[0]).toMatch(/^[A-Z`].*[.`)]$/s);
    }
  });

  it.each([
    [["nothing"], "there is no command nothing (coterie --help lists them)"],
    [["rnu"], "there is no command rnu; did you mean run?"],
    [["run", "--sedes", "3"], "there is no option --sedes; did you mean --seeds?"],
    [["soak", "--policy", "x"], '--policy must be one of kindred, dcb, but is "x"'],
    [["run", "--seeds", "x"], '--seeds must be a whole number from 1 to 1000000, but is "x"'],
    [["peer", "--room", "x"], "--store must be given, with a value"],
    [["replay"], "TRACE.json must be given"],
    [["replay", "a", "b"], '"b" is one argument too many: this command takes 1'],
  ])("the parser says of %j what the page says", async (args, sentence) => {
    const { code, err } = await refused(args);
    expect(code).toBe(2);
    expect(err).toBe(`coterie: ${sentence}\n`);
    expect(
      all.some((pattern) => pattern.test(sentence)),
      sentence,
    ).toBe(true);
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
