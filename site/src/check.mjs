import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { headingsOf, linksOf, parse } from "./markdown.mjs";
import { parseLink } from "./places.mjs";
import { kindOf, read } from "./repository.mjs";

/** What is wrong with the links of these texts of the repository, as a code host sees them: one line for each. */
export function faultsOfTexts(paths) {
  const texts = new Map();
  const anchorsOf = (path) => {
    if (!texts.has(path)) texts.set(path, new Set(headingsOf(parse(read(path))).map(({ anchor }) => anchor)));
    return texts.get(path);
  };
  return paths.flatMap((path) =>
    linksOf(parse(read(path))).flatMap((href) => {
      const { outside, path: target, anchor } = parseLink(href, path);
      if (outside !== undefined) return [];
      if (kindOf(target) === null) return [`${path}: ${href} leads nowhere`];
      if (anchor === "" || !target.endsWith(".md") || anchorsOf(target).has(anchor)) return [];
      return [`${path}: ${href} has no such heading`];
    }),
  );
}

/** The pages of a built site: { url: { ids, links, loads } }. */
export function readSite(folder) {
  const pages = new Map();
  for (const name of readdirSync(folder, { recursive: true })) {
    const url = name.split("\\").join("/");
    if (!url.endsWith(".html")) continue;
    const html = readFileSync(join(folder, name), "utf8");
    pages.set(url, {
      ids: new Set(found(html, /\sid="([^"]*)"/g)),
      links: found(html, /<a\s[^>]*?href="([^"]*)"/g),
      loads: found(html, /<(?:script|img|source|link|iframe)\s[^>]*?(?:src|srcset|href)="([^"]*)"/g),
    });
  }
  return pages;
}

/** What is wrong with a built site: dead links, things loaded from elsewhere, pages that nothing leads to. */
export function faultsOfSite(folder) {
  const pages = readSite(folder);
  const files = new Set(readdirSync(folder, { recursive: true }).map((name) => name.split("\\").join("/")));
  const faults = [];
  const reached = new Set(["index.html"]);
  const queue = [...reached];
  while (queue.length > 0) {
    const url = queue.shift();
    const { links, loads } = pages.get(url);
    for (const load of loads) {
      if (isOutside(load) && !load.startsWith("data:")) faults.push(`${url} loads ${load}`);
      else if (!isOutside(load) && !files.has(targetOf(url, load).path))
        faults.push(`${url} loads ${load}, which is not there`);
    }
    for (const link of links.filter((one) => !isOutside(one))) {
      const { path, anchor } = targetOf(url, link);
      if (!files.has(path)) faults.push(`${url} links to ${link}, which is not there`);
      else if (anchor !== "" && pages.get(path)?.ids.has(anchor) !== true)
        faults.push(`${url} links to ${link}: no such place`);
      if (!pages.has(path) || reached.has(path)) continue;
      reached.add(path);
      queue.push(path);
    }
  }
  for (const url of pages.keys()) if (!reached.has(url)) faults.push(`nothing leads to ${url}`);
  return faults;
}

const isOutside = (address) => /^([a-z][a-z+.-]*:|\/)/i.test(address);

function targetOf(url, link) {
  const [address, anchor = ""] = decodeURI(link.replace(/&amp;/g, "&")).split("#");
  const [path] = address.split("?");
  return { path: path === "" ? url : posix.join(posix.dirname(url), path), anchor };
}

const found = (html, pattern) => Array.from(html.matchAll(pattern), ([, value]) => value);
