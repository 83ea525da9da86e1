import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./packages.mjs";

const IMPORT = /^import \{([^}]*)\} from "([^"]*\/packages\/\w+)\/dist\/([^"]*)\.js"/gm;

/** What benches and scripts import from a package's inside, where only the built files tell that it has gone. */
function missing(file) {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, names, folder, module]) => {
    const source = join(root, dirname(file), folder, "src", `${module}.ts`);
    if (!existsSync(source)) return [`${file}: ${module}.ts is not there`];
    const code = readFileSync(source, "utf8");
    return names
      .split(",")
      .map((name) => name.trim().split(" as ")[0])
      .filter((name) => name !== "" && !new RegExp(`export[^;]*\\b${name}\\b`).test(code))
      .map((name) => `${file}: ${module}.ts exports no ${name}`);
  });
}

it("benches and scripts import only what there is", () => {
  const files = execFileSync("git", ["ls-files", "bench", "scripts", "packages/*/scripts"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((name) => name.endsWith(".mjs"));
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap(missing)).toEqual([]);
});
