import { posix } from "node:path";
import { escapeHtml, highlight } from "./highlight.mjs";
import { list, read } from "./repository.mjs";

/** Pages of files and folders that texts link to, so that the site needs no code host. */

/** A file with its lines numbered, each with an anchor: `#L12`. */
export function sourcePage(path) {
  const code = read(path).replace(/\n$/, "");
  const numbers = code.split("\n").map((_, k) => `<a id="L${k + 1}" href="#L${k + 1}" tabindex="-1">${k + 1}</a>`);
  const html = `<h1 class="path">${escapeHtml(posix.basename(path))}</h1>${trail(path)}
<div class="source"><pre class="lines" aria-hidden="true">${numbers.join("\n")}</pre><pre tabindex="0"><code class="hljs">${highlight(code, posix.extname(path).slice(1))}</code></pre></div>`;
  return { title: path, html, headings: [], sections: [] };
}

export function folderPage(path, resolve) {
  const items = list(path).map(
    ({ name, folder, path: below }) =>
      `<li><a href="${escapeHtml(resolve(below))}">${escapeHtml(name)}${folder ? "/" : ""}</a></li>`,
  );
  const html = `<h1 class="path">${escapeHtml(posix.basename(path))}/</h1>${trail(path)}<ul class="folder">${items.join("")}</ul>`;
  return { title: path, html, headings: [], sections: [] };
}

/** Where it is, in words: a link would bring in the whole repository. */
const trail = (path) => `<p class="trail">${escapeHtml(path)}</p>`;
