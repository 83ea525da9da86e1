import MiniSearch from "minisearch";

/** The same at build time and in the page: `assets/search.js` has a copy of it. */
export const SEARCH_OPTIONS = {
  fields: ["heading", "title", "text"],
  storeFields: ["heading", "title", "url", "excerpt"],
};

const EXCERPT = 150;

/** Sections of pages, `{ title, url, heading, text }`, as a script that puts the index where the page finds it. */
export function searchScript(sections) {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(sections.map((section, id) => ({ ...section, id, excerpt: excerptOf(section.text) })));
  const json = JSON.stringify(JSON.stringify(index));
  return `window.coterieIndex=${json.replace(/</g, "\\u003c")};\n`;
}

function excerptOf(text) {
  const short = text.replace(/\s+/g, " ").trim();
  return short.length <= EXCERPT ? short : `${short.slice(0, EXCERPT).replace(/\s\S*$/, "")} …`;
}
