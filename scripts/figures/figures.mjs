/**
 * `npm run figures`: writes the measured tables and pictures of docs anew from docs/figures.
 * `npm run figures -- storm fuzz`: runs those commands first, and keeps what they measured; `all` runs every one.
 *
 *   COTERIE_NUMPY  numpy-rounds.py, to set `rounds` beside numpy
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { FIGURES } from "./list.mjs";
import { measure } from "./measure.mjs";
import { fileOf, PAGES, pictureOf, readPage, rendered } from "./pages.mjs";

const wanted = process.argv.slice(2);
const names = wanted.includes("all") ? FIGURES.map(({ name }) => name) : wanted;
const unknown = names.find((name) => !FIGURES.some((figure) => figure.name === name));
if (unknown !== undefined) {
  console.error(`${unknown} must be one of ${FIGURES.map(({ name }) => name).join(", ")}, or all`);
  process.exit(2);
}
for (const name of names) {
  console.error(`measuring ${name}`);
  const kept = await measure(FIGURES.find((figure) => figure.name === name));
  writeFileSync(fileOf(name), `${JSON.stringify(kept, null, 2)}\n`);
  spawnSync("npx", ["biome", "format", "--write", fileOf(name)]);
}
for (const { name, pictures } of FIGURES) {
  if (pictures === undefined) continue;
  const { result } = JSON.parse(readFileSync(fileOf(name), "utf8"));
  for (const [file, svg] of Object.entries(await pictures(result))) writeFileSync(pictureOf(file), svg);
}
for (const page of PAGES) writeFileSync(page, rendered(readPage(page)));
