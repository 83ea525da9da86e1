import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseExperiment } from "@coterie/lab";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { feed, fuzz } from "./fuzz.ts";
import { jsonTarget } from "./target.ts";
import { targets } from "./targets.ts";

const EXPERIMENT = {
  name: "small",
  worlds: [{ kind: "clusters", name: "two", peers: 4, clusters: 2, dimension: 3, arms: 3, noise: 0.5 }],
  policies: [{ kind: "random" }, { kind: "dcb", delay: { rounds: 2 } }],
  rounds: 10,
  seeds: [1, 2],
};
const ALL = [...targets(), jsonTarget("experiment", [EXPERIMENT], parseExperiment)];

describe("every decoder", { timeout: 600_000 }, () => {
  it("takes its samples", async () => {
    for (const target of ALL)
      for (const sample of target.samples) expect(await feed(target, sample), target.name).toBe("read");
  });

  it("gives nothing but a typed error for what is almost right, and takes no room for what is only announced", async () => {
    const { findings, read, refused } = await fuzz(90_000, 1, ALL);
    expect(findings).toEqual([]);
    // The inputs are near enough that some are taken, far enough that most are not.
    expect(read).toBeGreaterThan(5000);
    expect(refused).toBeGreaterThan(40_000);
  });

  it.each(ALL.map((target) => [target.name, target] as const))("so for any bytes: %s", async (_, target) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(typeof (await feed(target, bytes))).toBe("string");
      }),
      { numRuns: 600 },
    );
  });

  it("still takes well what was found before", async () => {
    const folder = fileURLToPath(new URL("./corpus/", import.meta.url));
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { target: name, hex } = JSON.parse(readFileSync(`${folder}${file}`, "utf8")) as Record<string, string>;
      const target = ALL.find((one) => one.name === name)!;
      expect(await feed(target, new Uint8Array(Buffer.from(hex!, "hex"))), file).toBe("refused");
    }
  });
});

describe("the fuzzer itself", () => {
  it("finds an error that is not typed, and room that is taken too early", async () => {
    const sample = new Uint8Array(8);
    const careless = { name: "careless", samples: [sample], read: (bytes: Uint8Array) => void bytes[0]!.toFixed(200) };
    expect((await fuzz(50, 1, [careless])).findings[0]?.message).toMatch(/RangeError/);
    const kept: Uint8Array[] = [];
    const greedy = { name: "greedy", samples: [sample], read: () => void kept.push(new Uint8Array(5_000_000)) };
    expect((await fuzz(3, 1, [greedy])).findings[0]?.message).toMatch(/bytes for an input of/);
  });
});
