import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FIGURES } from "./list.mjs";
import { day, whole } from "./tables/text.mjs";

const docs = (path) => fileURLToPath(new URL(`../../docs/${path}`, import.meta.url));

/** The pages with tables that are made here. */
export const PAGES = [docs("speed.md"), docs("reliability.md"), docs("evaluation.md"), docs("why.md")];
export const fileOf = (name) => docs(`figures/${name}.json`);
export const pictureOf = (name) => docs(`pictures/${name}`);
export const readPage = (path) => readFileSync(path, "utf8");

const BLOCK = /(<!-- figure ([a-z-]+), made by `npm run figures` -->\n)[\s\S]*?(<!-- end -->)/g;

/** The figures that a page shows. */
export const namesIn = (page) => Array.from(page.matchAll(BLOCK), ([, , name]) => name);

/** A page with what stands between its marks made anew from the kept files. */
export function rendered(page, read = (name) => JSON.parse(readFileSync(fileOf(name), "utf8"))) {
  return page.replace(BLOCK, (_, begin, name, end) => `${begin}\n${shown(name, read(name))}\n\n${end}`);
}

function shown(name, kept) {
  const figure = FIGURES.find((one) => one.name === name);
  if (figure === undefined) throw new Error(`no figure is called ${name}`);
  return `${figure.show(kept.result, kept)}\n\n${origin(name, kept)}`;
}

/** What was run, when, with what, and how busy the machine was: whoever doubts a figure can run it again. */
function origin(name, { command, date, coterie, commit, node, processor, cores, load, processorSeconds }) {
  const version = commit === null ? coterie : `${coterie} (${commit.replace("-dirty", " and changes")})`;
  const where = `${whole(cores)} cores (${processor}) at a load of ${load}`;
  return `*\`${command}\`, ${day(date)}: coterie ${version}, Node ${node}, ${where}; ${whole(processorSeconds)} s of processor time ([file](figures/${name}.json)).*`;
}
