import { posix } from "node:path";
import { PACKAGES } from "./contents.mjs";
import { kindOf } from "./repository.mjs";

const PICTURE = /\.(png|svg|jpg|gif)$/;

/** A package's entry file stands for its reference. */
const ENTRIES = new Map(
  PACKAGES.flatMap(({ name, entries }) =>
    Object.values(entries).map((entry) => [`packages/${name}/${entry}`, { api: name }]),
  ),
);

/** The lab: on a code host its HTML, here the page itself. */
export const LAB = { kind: "lab", path: "packages/studio/pages/lab.html", url: "lab/index.html" };

/** The page that shows a file's text. */
export const sourceOf = (path) => ({ kind: "source", path, url: `source/${path}.html` });

/** What a path of the repository becomes: { kind, path, url }; null where there is nothing. */
export function placeOf(path) {
  const found = kindOf(path);
  if (found === null) return null;
  if (path === LAB.path) return { ...LAB };
  const api = ENTRIES.get(path);
  if (api !== undefined) return { kind: "api", path: `packages/${api.api}/src/index.ts`, url: `api/${api.api}.html` };
  if (found === "folder") return { kind: "folder", path, url: `source/${path}/index.html` };
  if (path === "README.md") return { kind: "text", path, url: "index.html" };
  if (path.endsWith(".md")) return { kind: "text", path, url: path.replace(/md$/, "html") };
  if (PICTURE.test(path)) return { kind: "picture", path, url: path };
  return sourceOf(path);
}

/** From one page of the site to another, so that it works below any address. */
export const relative = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

/** A link of a text: { outside } with its address, or { path, anchor } in the repository. */
export function parseLink(href, from) {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return { outside: href };
  const [target, anchor = ""] = href.split("#", 2);
  const path =
    target === ""
      ? from
      : target.startsWith("/")
        ? target.slice(1)
        : posix.join(posix.dirname(from), decodeURI(target));
  return { path: path.replace(/\/$/, ""), anchor };
}
