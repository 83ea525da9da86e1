import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { modelOf } from "./api/model.mjs";
import { planPackage } from "./api/plan.mjs";
import { renderPackage } from "./api/render.mjs";
import { CONTENTS, PACKAGES } from "./contents.mjs";
import { LAB_PAGE, labFiles } from "./lab.mjs";
import { layout } from "./layout.mjs";
import { render } from "./markdown.mjs";
import { LAB, parseLink, placeOf, relative, sourceOf } from "./places.mjs";
import { absolute, read } from "./repository.mjs";
import { searchScript } from "./search.mjs";
import { folderPage, sourcePage } from "./source.mjs";

/** In this order: what comes later may change what came before. */
const STYLES = ["theme", "text", "reference", "drawings", "frame", "search"];
const SCRIPTS = ["theme.js", "reading.js", "search.js"];

/** Builds the site into `out`; says how many pages there are. A link that leads nowhere ends the build. */
export async function buildSite(out) {
  const models = await readModels();
  const pages = collectPages(models);
  const labels = labelsOf(pages);
  rmSync(out, { recursive: true, force: true });
  const put = (url, text) => {
    mkdirSync(dirname(join(out, url)), { recursive: true });
    writeFileSync(join(out, url), text);
  };
  for (const page of pages.values()) {
    if (page.kind === "picture") cpSync(absolute(page.path), join(out, page.url), { recursive: true });
    else if (page.kind === "lab") put(page.url, LAB_PAGE);
    else put(page.url, layout(page, labels));
  }
  for (const { name, file } of labFiles()) cpSync(file, join(out, dirname(LAB.url), name));
  put("assets/style.css", STYLES.map((name) => read(`site/assets/${name}.css`)).join("\n"));
  for (const name of SCRIPTS) put(`assets/${name}`, read(`site/assets/${name}`));
  const minisearch = createRequire(import.meta.url).resolve("minisearch");
  cpSync(join(dirname(minisearch), "../umd/index.js"), join(out, "assets/minisearch.js"));
  put("assets/search-index.js", searchScript(sectionsOf(pages)));
  return pages.size;
}

async function readModels() {
  const folder = mkdtempSync(join(tmpdir(), "coterie-api-"));
  try {
    const models = new Map();
    // One after the other: each of them takes all the memory that two would.
    for (const one of PACKAGES) models.set(one.name, planPackage(one, await modelOf(one, folder)));
    return models;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The listed pages, and all that they lead to. */
function collectPages(models) {
  const pages = new Map();
  const queue = [];
  const want = (path, from, place = placeOf(path)) => {
    if (place === null) throw new Error(`${from} links to ${path}, which is not there`);
    if (!pages.has(place.url)) {
      pages.set(place.url, place);
      queue.push(place);
    }
    return place;
  };
  for (const { path } of CONTENTS.flatMap((section) => section.pages)) want(path, "the table of contents");
  while (queue.length > 0) {
    const place = queue.shift();
    if (place.kind !== "picture" && place.kind !== "lab") Object.assign(place, made(place, want, models));
  }
  return pages;
}

function made({ kind, path, url }, want, models) {
  const toFile = (target) => relative(url, want(target, path).url);
  if (kind === "source") return sourcePage(path);
  if (kind === "text") return textPage(path, url, want);
  if (kind === "api") {
    const toPackage = (name) => toFile(`packages/${name}/src/index.ts`);
    const toSource = (file) => relative(url, want(file, path, sourceOf(file)).url);
    return renderPackage(models.get(path.split("/")[1]), models, { toPackage, toSource });
  }
  const page = folderPage(path, toFile);
  const readme = `${path}/README.md`;
  // As a code host does: what is in a folder, then what it says of itself.
  if (placeOf(readme) !== null) page.html += textPage(readme, url, want).html.replace(/<(\/?)h1/g, "<$1h2");
  return page;
}

/** The text at `path`, to be shown at `url`. */
function textPage(path, url, want) {
  return render(read(path), (href, isImage = false) => {
    const link = parseLink(href, path);
    if (isImage && link.outside) throw new Error(`${path} shows ${href}, which is not in the repository`);
    if (link.outside) return link.outside;
    if (isImage && isDrawing(link.path)) return { drawing: link.path };
    const target = want(link.path, path);
    const address = href.startsWith("#") ? href : relative(url, target.url) + (link.anchor ? `#${link.anchor}` : "");
    return isImage ? { drawing: null, address } : address;
  });
}

const isDrawing = (path) => path.endsWith(".svg") && read(path).includes('class="drawing"');

/** What pages are called in the list. */
function labelsOf(pages) {
  const labels = new Map();
  for (const { path, label } of CONTENTS.flatMap((section) => section.pages)) {
    labels.set(path, label ?? pages.get(placeOf(path).url).title);
  }
  return labels;
}

function sectionsOf(pages) {
  return [...pages.values()].flatMap(({ kind, title, url, sections = [] }) =>
    kind === "text" || kind === "api"
      ? sections.map(({ heading, anchor, text }) => ({ title, heading, text, url: `${url}#${anchor}` }))
      : [],
  );
}
