import MarkdownIt from "markdown-it";
import { anchors } from "./headings.mjs";
import { codeBlock, escapeHtml } from "./highlight.mjs";
import { labFrame } from "./lab.mjs";
import { LAB } from "./places.mjs";
import { read } from "./repository.mjs";

const md = new MarkdownIt({ html: true });
/** The lab from anywhere in the repository: a path from its root. */
const LAB_ADDRESS = `/${LAB.path}`;

/** Comments in the sources are Markdown too, without HTML and with nothing to link to. */
const comments = new MarkdownIt().disable(["link", "image"]);
comments.renderer.rules.code_block = (tokens, k) => codeBlock(tokens[k].content);
export const renderComment = (text) => comments.render(text);

/** The words of inline tokens, without their marks. */
const plain = (tokens) =>
  tokens
    .map((token) =>
      token.children
        ? plain(token.children)
        : ["text", "code_inline"].includes(token.type)
          ? token.content
          : token.type === "softbreak"
            ? " "
            : "",
    )
    .join("");

/** A text's headings: { level, text, anchor, map }. */
export function headingsOf(tokens) {
  const nameFor = anchors();
  return tokens.flatMap((token, k) => {
    if (token.type !== "heading_open") return [];
    const text = plain(tokens[k + 1].children);
    return [{ token, level: Number(token.tag.slice(1)), text, anchor: nameFor(text) }];
  });
}

export const parse = (text) => md.parse(text, {});

/** Everything that a text links to or shows, as it stands there. */
export function linksOf(tokens) {
  return tokens.flatMap((token) => {
    if (token.type === "image") return [token.attrGet("src")];
    if (token.children) return linksOf(token.children);
    if (token.type === "link_open") return [token.attrGet("href")];
    if (token.type.startsWith("html_"))
      return Array.from(token.content.matchAll(/\s(?:src|srcset|href)="([^"]+)"/g), ([, href]) => href);
    return [];
  });
}

/** Markdown to { html, title, headings, sections }. `resolve` gives the address of what a link names. */
export function render(text, resolve) {
  const tokens = parse(text);
  const headings = headingsOf(tokens);
  for (const { token, anchor } of headings) token.attrSet("id", anchor);
  const env = { resolve, headings };
  const html = md.renderer.render(tokens, md.options, env);
  const title = headings.find(({ level }) => level === 1)?.text ?? "";
  return {
    html,
    title,
    headings: headings.map(({ level, text: words, anchor }) => ({ level, text: words, anchor })),
    sections: sectionsOf(tokens, headings),
  };
}

/** What is below each heading, as words to search for. */
function sectionsOf(tokens, headings) {
  const byToken = new Map(headings.map((heading) => [heading.token, heading]));
  const sections = [];
  tokens.forEach((token, k) => {
    const heading = byToken.get(token);
    if (heading !== undefined) sections.push({ heading: heading.text, anchor: heading.anchor, text: "" });
    else if (sections.length > 0 && tokens[k - 1]?.type !== "heading_open") {
      const words = token.type === "inline" ? plain(token.children) : token.type === "fence" ? token.content : "";
      if (words !== "") sections.at(-1).text += `${words} `;
    }
  });
  return sections;
}

md.renderer.rules.heading_close = (tokens, k, _, { headings }) => {
  const { anchor, text } = headings.find(({ token }) => token === tokens[k - 2]);
  const link = `<a class="anchor" href="#${escapeHtml(anchor)}" aria-label="Link to ${escapeHtml(text)}">#</a>`;
  return `${tokens[k].tag === "h1" ? "" : link}</${tokens[k].tag}>\n`;
};
md.renderer.rules.fence = (tokens, k) => codeBlock(tokens[k].content, tokens[k].info.split(/\s/)[0]);
md.renderer.rules.code_block = (tokens, k) => codeBlock(tokens[k].content);
md.renderer.rules.code_inline = (tokens, k) => `<code>${tokens[k].content.split(" ").map(breakable).join(" ")}</code>`;
md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
md.renderer.rules.table_close = () => "</table></div>\n";

/** Short words of code stay whole (`--room-key-file` would break at its hyphens), long ones break where a reader would. */
function breakable(word) {
  if (word.length > 20)
    return word
      .split(/(?<=[/_=,])/)
      .map(escapeHtml)
      .join("<wbr>");
  return word.includes("-") ? `<span class="whole">${escapeHtml(word)}</span>` : escapeHtml(word);
}

/** A corner that heads nothing is no heading to a screen reader. */
const cornerOr = (at) => (tokens, k, options, _, self) => {
  if (tokens[k + at].content === "") tokens[k].tag = "td";
  return self.renderToken(tokens, k, options);
};
md.renderer.rules.th_open = cornerOr(1);
md.renderer.rules.th_close = cornerOr(-1);

md.renderer.rules.link_open = (tokens, k, options, { resolve }, self) => {
  tokens[k].attrSet("href", resolve(tokens[k].attrGet("href")));
  return self.renderToken(tokens, k, options);
};
md.renderer.rules.image = (tokens, k, _, { resolve }) => {
  const src = tokens[k].attrGet("src");
  const { drawing, address } = resolve(src, true);
  if (drawing !== null) return inlined(read(drawing), tokens[k].content);
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(tokens[k].content)}">`;
};
const attributes = (tokens, k, _, { resolve }) =>
  tokens[k].content.replace(
    /(\s(?:src|srcset|href)=")([^"]+)"/g,
    (_whole, before, href) => `${before}${escapeHtml(resolve(href))}"`,
  );
md.renderer.rules.html_block = (tokens, k, options, env) => {
  const lab = tokens[k].content.match(/^<!-- lab: ([a-z-]+) -->\s*$/);
  return lab === null ? attributes(tokens, k, options, env) : labFrame(lab[1], env.resolve(LAB_ADDRESS));
};
md.renderer.rules.html_inline = attributes;

/** A drawing becomes part of the page, and takes the page's colours in place of its own. */
function inlined(svg, alt) {
  const name = svg.match(/<title>([^<]*)<\/title>/)?.[1] ?? alt;
  return svg
    .replace(/<\?xml[^>]*>\s*/, "")
    .replace(/<style>[\s\S]*?<\/style>\s*/, "")
    .replace("<svg ", `<svg aria-label="${escapeHtml(name)}" `);
}
