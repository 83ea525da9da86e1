import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { faultsOfTexts } from "./check.mjs";
import { files, ROOT } from "./repository.mjs";

it("every relative link of every text leads somewhere, on a code host too", () => {
  const texts = files(".md");
  expect(texts).toContain("README.md");
  expect(faultsOfTexts(texts)).toEqual([]);
});

it("finds links, anchors and pictures that lead nowhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "coterie-links-"));
  try {
    const good = "# A `b`\n[a](#a-b) [itself](bad.md#a-b) [elsewhere](https://example.org/x)\n";
    const bad = '[b](#a-c) [c](gone.md) ![d](gone.png)\n\n<img src="gone.svg">\n';
    writeFileSync(join(folder, "bad.md"), good + bad);
    const faults = faultsOfTexts([relative(ROOT, join(folder, "bad.md"))]);
    expect(faults.map((fault) => fault.replace(/^.*?: /, ""))).toEqual([
      "#a-c has no such heading",
      "gone.md leads nowhere",
      "gone.png leads nowhere",
      "gone.svg leads nowhere",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
