import MiniSearch from "minisearch";

/** The same at build time and in the page: `assets/search.js` has a copy of it. */
export const SEARCH_OPTIONS = {
  fields: ["heading", "title", "text"],
  storeFields: ["heading", "title", "url", "excerpt"],
};

/**
 * How a page searches. Short words must be spelt right: else "cold start" finds every "hold" and "start". Lists of
 * messages and of changes have every word, and are seldom what somebody looks for. Self-contained: pages run it as text.
 */
export function queryOptions() {
  const lists = /^(docs\/errors|CHANGELOG)\.html/;
  return {
    prefix: true,
    fuzzy: (word) => (word.length > 5 ? 0.15 : false),
    boost: { heading: 4, title: 2 },
    boostDocument: (_id, _word, { url }) => (lists.test(url) ? 0.2 : 1),
    combineWith: "AND",
  };
}

const EXCERPT = 150;

/** Sections of pages, `{ title, url, heading, text }`, as a script that puts the index where the page finds it. */
export function searchScript(sections) {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(sections.map((section, id) => ({ ...section, id, excerpt: excerptOf(section.text) })));
  const json = JSON.stringify(JSON.stringify(index));
  return `window.coterieIndex=${json.replace(/</g, "\\u003c")};\nwindow.coterieQuery=${queryOptions};\n`;
}

function excerptOf(text) {
  const short = text.replace(/\s+/g, " ").trim();
  return short.length <= EXCERPT ? short : `${short.slice(0, EXCERPT).replace(/\s\S*$/, "")} …`;
}
