import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocksOf, scriptOf } from "./blocks.mjs";
import { list, read } from "./repository.mjs";

const PAGE = [
  "Text with `sh` in it.",
  "```sh",
  "mkdir in && cd in",
  "```",
  "```js file=say.mjs",
  'console.log("it\'s", process.argv[2]);',
  "```",
  "```sh background ready",
  "echo $$ > pid; echo ready; sleep 60",
  "```",
  "```sh no-run it would take a day",
  "false",
  "```",
  "```ts",
  "const x: number = 1;",
  "```",
  "```sh",
  "node say.mjs done",
  "cat pid",
  "```",
].join("\n");

it("finds blocks with their place, language and marks", () => {
  const blocks = blocksOf(PAGE, "page.md");
  expect(blocks.map(({ line, language }) => `${line} ${language}`)).toEqual([
    "2 sh",
    "5 js",
    "8 sh",
    "11 sh",
    "14 ts",
    "17 sh",
  ]);
  expect(blocks[1]).toMatchObject({ file: "page.md", writeTo: "say.mjs" });
  expect(blocks[2]).toMatchObject({ background: "ready" });
  expect(blocks[3]).toMatchObject({ noRun: "it would take a day", code: "false\n" });
});

it.each(["sh no-run", "sh background", "sh now please"])("refuses the mark of ```%s", (info) => {
  expect(() => blocksOf(`\`\`\`${info}\n\`\`\``, "page.md")).toThrow(/^page\.md:1: /);
});

const run = (page) => {
  const cwd = mkdtempSync(join(tmpdir(), "coterie-blocks-"));
  try {
    return spawnSync("bash", ["-c", scriptOf(blocksOf(page, "page.md"))], { cwd, encoding: "utf8" });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};

it("makes a script of a page, in one shell, that ends what it started", () => {
  const { stdout, status } = run(PAGE);
  const [said, pid] = stdout.split("\n");
  expect({ said, status }).toEqual({ said: "it's done", status: 0 });
  expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/);
});

it("stops at the first command that fails", () => {
  expect(run("```sh\nfalse\necho too far\n```")).toMatchObject({ stdout: "", status: 1 });
});

it("every text that a reader follows has well-marked blocks", () => {
  const pages = [
    "README.md",
    "docs/get-started.md",
    "docs/policies.md",
    ...list("docs/guides").map(({ path }) => path),
  ];
  for (const page of pages) expect(() => blocksOf(read(page), page)).not.toThrow();
});
