import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, describe, expect, it } from "vitest";
import { packAll, publicPackages, root, run } from "./packages.mjs";

const folder = mkdtempSync(join(tmpdir(), "coterie-pack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tarballs = await packAll(folder);
const packages = publicPackages().map(({ path, manifest }) => [manifest.name, path, manifest]);
const text = (...parts) => readFileSync(join(...parts), "utf8");

describe.each(packages)("%s, packed", (name, path, manifest) => {
  const tarball = tarballs.get(name);

  it("pleases publint", async () => {
    const { messages } = await publint({ pack: { tarball: arrayBuffer(tarball) }, strict: true });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it("has types for every way to import it (attw: import, require and bundlers)", async () => {
    const attw = join(root, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
    // The packages are ESM; every Node that they name can require that, and so can TypeScript's `nodenext`.
    const rules = ["--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm"];
    const args = [attw, tarball, ...rules, "--format", "ascii", "--no-color"];
    const said = await run(process.execPath, args).then(
      () => "nothing",
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
    expect(said).toBe("nothing");
  });

  it("holds its licence, its README and its sources, and no test", async () => {
    const files = (await run("tar", ["tzf", tarball])).stdout.trim().split("\n");
    for (const file of ["LICENSE", "README.md", "package.json"]) expect(files).toContain(`package/${file}`);
    expect(files.filter((file) => /\.test\.|\/testing\/|tsbuildinfo|\/fixtures\//.test(file))).toEqual([]);
    // Maps point to the sources, so that a debugger and an editor find them.
    expect(files.some((file) => /^package\/src\/.*\.tsx?$/.test(file))).toBe(true);
    expect(text(path, "LICENSE")).toBe(text(root, "LICENSE"));
    expect(text(path, "README.md")).toMatch(new RegExp(`^# ${name}\n\n\\S`));
  });

  it("says what it is, runs on the Node it names, and depends on exact versions", () => {
    const { engines, version } = manifest;
    expect(manifest).toMatchObject({ license: "MIT", type: "module", publishConfig: { access: "public" } });
    expect(manifest.description).toMatch(/\S.*\.$/);
    expect(manifest.keywords.length).toBeGreaterThan(2);
    expect(engines).toEqual(JSON.parse(text(root, "package.json")).engines);
    // A module that is imported for what it does, not for what it exports, would be lost with this flag: a page's own.
    const does = manifest.name === "@coterie/studio" ? ["**/main.tsx", "**/main.js", "**/*.css"] : false;
    if (manifest.bin === undefined) expect(manifest.sideEffects).toEqual(does);
    for (const [dependency, wanted] of Object.entries(manifest.dependencies ?? {})) {
      expect(wanted, dependency).toMatch(/^\d+\.\d+\.\d+$/);
      if (tarballs.has(dependency)) expect(wanted).toBe(version);
    }
    expect(manifest.scripts).toBeUndefined();
    // What a package says of itself at run time is raised with its version.
    const constant = join(path, "src", "version.ts");
    if (existsSync(constant)) expect(text(constant)).toContain(`VERSION = "${version}"`);
  });
});

function arrayBuffer(path) {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
