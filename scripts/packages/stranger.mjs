/**
 * A project that has nothing but the packages: type-checked strictly with their own types, run in Node, in a thread, in a page
 * built by Vite and in a worker of that page. TypeScript and Vite are those of this repository.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { openBrowser, serveFolder } from "../browser.mjs";
import { publicPackages, root, run } from "./packages.mjs";

/** The examples of the READMEs, to the letter: what stands in a block of ts and imports something is a module. */
function readmeModules() {
  const places = ["README.md", ...publicPackages().map(({ path }) => join(relative(root, path), "README.md"))];
  return places.flatMap((place) => {
    const blocks = [...readFileSync(join(root, place), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)];
    const modules = blocks.map(([, code]) => code).filter((code) => /^import /m.test(code));
    return modules.map((code, k) => ({ name: `${place.replaceAll(/\W+/g, "-")}-${k + 1}`, code }));
  });
}

const modules = readmeModules();
/** A page's example needs a page; those are built and opened below. */
const forNode = modules.filter(({ code }) => !/@coterie\/(webrtc|net\/browser)/.test(code));

/** Tests of what is installed in `project`, each of which may take `slowMs`. */
export function testProject(project, slowMs) {
  beforeAll(() => {
    cpSync(new URL("./projects", import.meta.url), project, { recursive: true });
    mkdirSync(join(project, "readme"));
    for (const { name, code } of modules) writeFileSync(join(project, "readme", `${name}.ts`), code);
  });

  const node = (...args) => run(process.execPath, args, { cwd: project });

  describe("installed into an empty project", { timeout: slowMs }, () => {
    it("the READMEs' examples and the page's sources type-check", async () => {
      expect(modules.length).toBeGreaterThan(5);
      const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
      const said = await node(tsc, "-p", ".").catch(({ stdout }) => ({ stdout }));
      expect(said.stdout).toBe("");
    });

    it("in a page our declarations ask for no types of Node, nor for a later library", async () => {
      const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
      const page = ["--module", "esnext", "--moduleResolution", "bundler", "--types", "", "--noEmit"];
      const { stdout } = await node(tsc, "-p", ".", ...page).catch((said) => said);
      // Those of others do: one that libp2p needs imports node:events.
      expect(stdout.split("\n").filter((line) => line.startsWith("node_modules/@coterie/"))).toEqual([]);
    });

    it.each(forNode)("the example $name runs", async ({ name, code }) => {
      // A peer with a network lives on; what the example says is done when its module has been evaluated.
      const program = `await import("../out/readme/${name}.js"); process.exit(0);`;
      const cwd = join(project, `run ${name}`);
      mkdirSync(cwd);
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd });
      if (code.includes("console.log")) expect(stdout).not.toBe("");
      if (code.includes("choice.explain()")) expect(stdout).toMatch(/topic: '\w+'[\s\S]*bias/);
    });

    it("the command is there", async () => {
      const { stdout } = await node("node_modules/coterie/bin/coterie.js", "--help");
      expect(stdout).toContain("without a server");
    });

    it("CommonJS requires it", async () => {
      const program = 'const { createPeer } = require("@coterie/net"); console.log(typeof createPeer);';
      expect((await node("--input-type=commonjs", "--eval", program)).stdout).toBe("function\n");
    });

    it("a peer learns in a thread", async () => {
      const { stdout } = await node("node/main.mjs");
      expect(JSON.parse(stdout)).toEqual({ own: 20, index: 0 });
    });

    it("Vite builds a page whose tab and worker learn", async ({ skip }) => {
      const page = join(project, "page");
      const output = join(project, "built");
      const settings = { build: { outDir: output, target: "es2022" }, worker: { format: "es" } };
      await build({ root: page, configFile: false, logLevel: "error", ...settings });
      const executable = process.env.COTERIE_CHROMIUM;
      if (!executable) return skip("no Chromium: COTERIE_CHROMIUM does not name one");
      const [browser, site] = await Promise.all([openBrowser(executable), serveFolder(output)]);
      try {
        const tab = await browser.open(site.url);
        await tab.waitForFunction(() => document.title === "done");
        const told = { item: "arts", own: 20 };
        expect(JSON.parse(await tab.textContent("body"))).toEqual({ tab: told, worker: told });
        expect(browser.complaints).toEqual([]);
      } finally {
        await Promise.all([browser.close(), site.close()]);
      }
    });
  });

  it("whoever imports one policy of core does not load the others", async () => {
    const weights = {
      all: await weigh(project, 'export * from "@coterie/core";'),
      kindred: await weigh(project, 'export { initialPeer, kindred, step } from "@coterie/core";'),
      dccb: await weigh(project, 'export { initialPeer, dccb, step } from "@coterie/core";'),
      solo: await weigh(project, 'export { initialPeer, solo, step } from "@coterie/core";'),
    };
    console.log(`@coterie/core, gzipped bytes: ${JSON.stringify(weights)}`);
    expect(weights.solo).toBeLessThan(0.3 * weights.all);
    expect(weights.dccb).toBeLessThan(0.5 * weights.all);
    expect(weights.kindred).toBeLessThan(0.7 * weights.all);
    expect(weights.solo).toBeGreaterThan(1000);
  });
}

/** What a bundle of these exports of a package weighs in a project, in bytes, minified and gzipped. */
async function weigh(project, code) {
  const entry = join(project, "entry.js");
  writeFileSync(entry, code);
  const lib = { entry, formats: ["es"], fileName: "bundle" };
  const built = await build({
    root: project,
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: true, lib },
  });
  return gzipSync(built[0].output[0].code, { level: 9 }).length;
}
