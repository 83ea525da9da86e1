import { CONTENTS } from "./contents.mjs";
import { escapeHtml } from "./highlight.mjs";
import { placeOf, relative } from "./places.mjs";

const ORDER = CONTENTS.flatMap(({ pages }) => pages);

/** `page` is { path, url, title, html, headings }; `labels` has the name of every page in the list, by its path. */
export function layout(page, labels) {
  const at = (url) => escapeHtml(relative(page.url, url));
  const title = page.path === "README.md" ? "Coterie" : `${page.title} · Coterie`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at("assets/style.css")}">
<script src="${at("assets/theme.js")}"></script>
<script defer src="${at("assets/reading.js")}"></script>
<script defer src="${at("assets/search.js")}" data-root="${at("index.html").replace(/index\.html$/, "")}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="name" href="${at("index.html")}">${MARK}Coterie</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" disabled>
<ul id="results" class="results" role="listbox" aria-label="Results" hidden></ul>
</div>
<button id="theme" type="button" hidden>Theme</button>
</header>
<div class="columns">
<nav class="contents" aria-label="Pages"><details open><summary>Pages</summary>${contents(page, labels, at)}</details></nav>
<main id="content" tabindex="-1"><article>
${page.html}
</article>${turn(page, labels, at)}</main>
${outline(page)}
</div>
</body>
</html>
`;
}

const MARK =
  '<svg class="mark" viewBox="0 0 20 20" aria-hidden="true"><circle cx="5" cy="5" r="3.2"/><circle cx="14" cy="6" r="3.2"/><circle cx="9" cy="14" r="3.2"/><circle class="other" cx="17" cy="16" r="2.2"/></svg>';

function contents(page, labels, at) {
  return CONTENTS.map(({ title, pages }) => {
    const items = pages.map(({ path }) => {
      const here = path === page.path ? ' aria-current="page"' : "";
      return `<li><a href="${at(placeOf(path).url)}"${here}>${escapeHtml(labels.get(path))}</a></li>`;
    });
    return `<h2>${escapeHtml(title)}</h2><ul>${items.join("")}</ul>`;
  }).join("");
}

/** The page before and the page after. */
function turn(page, labels, at) {
  const place = ORDER.findIndex(({ path }) => path === page.path);
  if (place < 0) return "";
  const link = (other, rel, word) =>
    other === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${at(placeOf(other.path).url)}"><small>${word}</small>${escapeHtml(labels.get(other.path))}</a>`;
  return `<nav class="turn" aria-label="Previous and next page">${link(ORDER[place - 1], "prev", "Previous")}${link(ORDER[place + 1], "next", "Next")}</nav>`;
}

function outline({ headings }) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '<div class="outline"></div>';
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="h${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
}
