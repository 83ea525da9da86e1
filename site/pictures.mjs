/**
 * `node site/pictures.mjs`: the paper's figure for the README, in light and in dark, from the one that
 * `coterie report runs/paper-figure --svg DIR` wrote. A figure follows the system's colours; these follow the page's.
 */
import { writeFileSync } from "node:fs";
import { absolute, read } from "./src/repository.mjs";

const svg = read("packages/lab/src/experiments/paper-figure/reward-over-random.svg");
const [style, light] = svg.match(/<style>\.coterie-figure\{([^}]*)\}.*?<\/style>/s) ?? [];
const dark = style?.match(/prefers-color-scheme:\s*dark\)\s*\{\.coterie-figure\{([^}]*)\}/)?.[1];
if (dark === undefined) throw new Error("the figure has no colours for light and dark in its style");

for (const [name, colours] of Object.entries({ light, dark })) {
  const fixed = `<style>.coterie-figure{${colours.replace(/;?color-scheme:[^;]*/, "")};color-scheme:${name}}</style>`;
  writeFileSync(
    absolute(`docs/pictures/paper-figure-${name}.svg`),
    svg.replace(style, () => fixed),
  );
}
