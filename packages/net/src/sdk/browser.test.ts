import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Everything that a file imports, directly or not: files of this package by their address, others by their name. */
function reached(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  const source = readFileSync(file, "utf8");
  for (const [, name] of source.matchAll(/(?: from |^import |import\()"([^"]+)"\)?;$/gm)) {
    if (name.startsWith(".")) reached(new URL(name, file), seen);
    else seen.add(name);
  }
  return seen;
}

it("nothing of the SDK but the store on a disk needs Node", () => {
  const outside = [...reached(new URL("./createPeer.ts", import.meta.url))].filter((name) => !name.startsWith("file:"));
  // Names, signatures and tokens are made of those of libp2p and of its hashes, which have a browser's side or no side at all.
  expect(outside.filter((name) => !/^@(libp2p|noble)\//.test(name))).toEqual([
    "@coterie/core",
    "@coterie/core/internal",
    "@coterie/kernels",
  ]);
  expect(outside).not.toContain("@libp2p/tcp");
  const node = [...reached(new URL("../store/folder/index.ts", import.meta.url))];
  expect(node).toContain("classic-level");
});
