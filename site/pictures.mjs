/**
 * `node site/pictures.mjs`: the paper's figure for docs/why.md, in light and in dark, from the one that
 * `coterie report runs/paper-figure --svg DIR` wrote.
 */
import { writeFileSync } from "node:fs";
import { absolute, read } from "./src/repository.mjs";
import { inSchemes } from "./src/schemes.mjs";

const svg = read("packages/lab/src/experiments/paper-figure/reward-over-random.svg");
for (const [name, text] of Object.entries(inSchemes(svg))) {
  writeFileSync(absolute(`docs/pictures/paper-figure-${name}.svg`), text);
}
