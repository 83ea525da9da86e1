import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bundle, scripts } from "./testing/bundle.ts";

const kB = (code: string): number => gzipSync(code, { level: 9 }).length / 1000;

/** The sources that a tab's entry imports, directly or not. */
function reached(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export)(?! type)[^;"]* from "(\.[^"]+)";$/gm);
  for (const [, name] of imports) reached(new URL(name!, file), seen);
  return seen;
}

/** What they import from core, but types. */
function neededOfCore(): string[] {
  const names = [...reached(new URL("./browser.ts", import.meta.url))].flatMap((file) => {
    const source = readFileSync(new URL(file), "utf8");
    return [...source.matchAll(/(?:import|export) \{([^}]*)\} from "@coterie\/core"/g)].flatMap(([, list]) =>
      list!.split(",").map((name) => name.trim()),
    );
  });
  return [...new Set(names)].filter((name) => name !== "" && !name.startsWith("type "));
}

describe("what a tab has to load, gzipped", () => {
  it("of core: under 47 kB", async () => {
    const code = await bundle(`export { ${neededOfCore().join(", ")} } from "@coterie/core";`);
    expect(kB(code)).toBeLessThan(47);
    expect(kB(code)).toBeGreaterThan(5);
  });

  it("until it can choose: under 145 kB; the network and the kernels are loaded beside it, and nothing is Node's", async () => {
    const { first, later } = await scripts('export { createPeer, indexed, libp2p } from "@coterie/net/browser";');
    console.log(`a tab loads at once ${kB(first).toFixed(1)} kB, beside it ${kB(later).toFixed(1)} kB, gzipped`);
    expect(kB(first)).toBeLessThan(145);
    expect(kB(later)).toBeLessThan(135);
    expect(first + later).not.toMatch(/["'`]node:/);
  });

  it("a bundle that reaches Node is none", async () => {
    await expect(bundle('export { readFileSync } from "node:fs";')).rejects.toThrow("reaches Node: node:fs");
    await expect(bundle('import fs from "fs"; export const x = fs;')).rejects.toThrow("reaches Node: fs");
  });
});
