// What a project gets on its disk with `npm install @coterie/net`: bytes of all files, and the largest packages.
//   node bench/installed.mjs        (packs this build, installs it into an empty folder; needs npm's cache or a registry)
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, packAll } from "../scripts/packages/packages.mjs";

const folder = mkdtempSync(join(tmpdir(), "coterie-installed-"));
const NEEDED = new Set(["@coterie/core", "@coterie/kernels", "@coterie/net"]);
const BLOCK = 4096;
try {
  const tarballs = await packAll(join(folder, "tarballs"));
  await install(join(folder, "project"), new Map([...tarballs].filter(([name]) => NEEDED.has(name))));
  const root = join(folder, "project", "node_modules");
  const packages = new Map();
  let [bytes, blocks, files] = [0, 0, 0];
  for (const path of readdirSync(root, { recursive: true })) {
    const found = statSync(join(root, path));
    if (!found.isFile()) continue;
    const name = path
      .split("/")
      .slice(0, path.startsWith("@") ? 2 : 1)
      .join("/");
    packages.set(name, (packages.get(name) ?? 0) + found.size);
    bytes += found.size;
    blocks += Math.ceil(found.size / BLOCK);
    files += 1;
  }
  const mb = (number) => (number / 1e6).toFixed(1);
  console.log(`${mb(bytes)} MB in ${files} files, ${mb(blocks * BLOCK)} MB in blocks of ${BLOCK} bytes (bar: 40)`);
  const largest = [...packages].sort(([, a], [, b]) => b - a).slice(0, 12);
  for (const [name, size] of largest) console.log(`${mb(size).padStart(6)}  ${name}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
