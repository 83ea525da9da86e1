/**
 * The packages as a stranger gets them: packed, and installed together into an empty project from tarballs (what they depend
 * on comes from the registry or npm's cache). That takes most of a minute, so that the tests of a project of one's own and
 * those of the examples share it.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testExamples } from "./examples.mjs";
import { install, packAll, root } from "./packages.mjs";
import { testProject } from "./stranger.mjs";

const folder = mkdtempSync(join(tmpdir(), "coterie-stranger-"));
const project = join(folder, "project");

/** What npm complained of. */
let said = "";

/** npm may have to ask the registry, and the machine may be busy. */
const SLOW_MS = 300_000;

afterAll(() => rmSync(folder, { recursive: true, force: true }), SLOW_MS);
beforeAll(async () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // Types for the strict check, and what an example needs beside the packages.
  const extra = ["@types/node", "react", "react-dom"].map((name) => [name, devDependencies[name]]);
  said = await install(project, await packAll(join(folder, "tarballs")), Object.fromEntries(extra));
}, SLOW_MS);

it("npm warns of no package that asks for a later Node", () => {
  expect(said).not.toContain("EBADENGINE");
});

testProject(project, SLOW_MS);
testExamples(project, SLOW_MS);
