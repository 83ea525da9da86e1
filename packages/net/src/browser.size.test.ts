import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bundle } from "./testing/bundle.ts";

const kB = (code: string): number => gzipSync(code, { level: 9 }).length / 1000;

/** What the sources of this package import from core, but types. */
function neededOfCore(): string[] {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/test/.test(file),
  );
  const names = files.flatMap((file) => {
    const source = readFileSync(`${folder}${file}`, "utf8");
    return [...source.matchAll(/(?:import|export) \{([^}]*)\} from "@coterie\/core"/g)].flatMap(([, list]) =>
      list!.split(",").map((name) => name.trim()),
    );
  });
  return [...new Set(names)].filter((name) => name !== "" && !name.startsWith("type "));
}

describe("what a tab has to load, gzipped", () => {
  it("of core: under 28 kB", async () => {
    const code = await bundle(`export { ${neededOfCore().join(", ")} } from "@coterie/core";`);
    expect(kB(code)).toBeLessThan(28);
    expect(kB(code)).toBeGreaterThan(5);
  });

  it("with network and store: under 220 kB, and nothing of it is Node's", async () => {
    const code = await bundle('export * from "@coterie/net/browser";');
    expect(kB(code)).toBeLessThan(220);
    expect(code).not.toMatch(/["'`]node:/);
  });

  it("a bundle that reaches Node is none", async () => {
    await expect(bundle('export { readFileSync } from "node:fs";')).rejects.toThrow("reaches Node: node:fs");
    await expect(bundle('import fs from "fs"; export const x = fs;')).rejects.toThrow("reaches Node: fs");
  });
});
