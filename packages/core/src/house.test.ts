import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What keeps core a pure state machine that gives the same bits everywhere, checked on its sources. */

const root = new URL("./", import.meta.url);

/** From the ground up: a file imports from its own layer or from those before it. */
const LAYERS = [
  "numbers",
  "bandit",
  "gossip",
  "kindred",
  "wire",
  "peer",
  "central",
  "policies",
  "fleet",
  "replay",
  "evaluate",
] as const;
/** Beneath all layers, and above them. */
const GROUND = ["errors.ts", "options.ts", "work.ts"];
const ROOFS = ["index.ts", "internal.ts"];

/** Sources that are shipped: neither tests nor what only tests use. */
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.split("/").includes("testing"));

const text = (name: string): string => readFileSync(new URL(name, root), "utf8");

/** Without comments and without the contents of texts, line by line, so that prose may speak of what code may not do. */
function code(source: string): string[] {
  const blank = (match: string): string => match.replace(/[^\n]/g, " ");
  return source
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (match) =>
      match.startsWith('"') ? '""' : blank(match),
    )
    .split("\n");
}

interface Import {
  readonly from: string;
  readonly to: string;
}

const imports: readonly Import[] = files.flatMap((from) =>
  Array.from(
    text(from).matchAll(/^(?:import|export)\b(?:[^;"]*\bfrom)? "([^"]+)";|\bimport\("([^"]+)"\)/gm),
    (match) => ({
      from,
      to: match[1] ?? match[2]!,
    }),
  ),
);

/** -1 for the ground, else the place of the layer; the roof is above all. */
function layer(name: string): number {
  if (GROUND.includes(name)) return -1;
  if (ROOFS.includes(name)) return LAYERS.length;
  return LAYERS.findIndex((folder) => name.startsWith(`${folder}/`));
}

const resolve = ({ from, to }: Import): string => new URL(to, new URL(from, root)).href.slice(root.href.length);

describe("the sources of core", () => {
  it("are found, and all stand in a layer", () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(100);
    const homeless = files.filter((name) => layer(name) === -1 && !GROUND.includes(name));
    expect(homeless).toEqual([]);
  });

  it("import nothing but one another", () => {
    const strange = imports.filter((it) => !it.to.startsWith(".") || !files.includes(resolve(it)));
    expect(strange).toEqual([]);
  });

  it("import downwards only: errors, options and work, numbers, bandit, gossip, wire, peer, policies, central, fleet, replay, evaluate", () => {
    const upwards = imports.filter((it) => layer(resolve(it)) > layer(it.from));
    expect(upwards.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it.each([
    ["no clock", /\bDate\b|\bperformance\b|\bsetTimeout\b|\bsetInterval\b|\bqueueMicrotask\b/],
    ["no IO and no host", /\bconsole\b|\bprocess\b|\bglobalThis\b|\bwindow\b|\bfetch\b|\brequire\b/],
    ["no randomness but its own", /\bMath\.random\b|\bcrypto\b/],
    // Each engine may round these in its own way; Math.sqrt and the four operations are exact everywhere.
    [
      "no function that engines round differently",
      /\bMath\.(?:a?(?:sin|cos|tan)h?|atan2|exp|expm1|log|log2|log10|log1p|pow|cbrt|hypot)\b/,
    ],
    ["no power but by a small whole number", /\*\*(?! \d\b(?!\.))/],
    ["no sharing between threads and no code from text", /\beval\b|\bFunction\(|\bSharedArrayBuffer\b|\bAtomics\b/],
  ])("%s", (_, banned) => {
    const found = files.flatMap((name) =>
      code(text(name)).flatMap((line, k) => (banned.test(line) ? [`${name}:${k + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
