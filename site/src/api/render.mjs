import { escapeHtml } from "../highlight.mjs";
import { renderComment } from "../markdown.mjs";
import { typePrinter } from "./types.mjs";

const KIND_WORD = { 4: "namespace", 32: "const", 64: "function", 128: "class", 256: "interface", 2097152: "type" };
const CONSTRUCTOR = 512;
const ACCESSOR = 262144;

/** `toPackage` gives the address of another package's reference, `toSource` that of a file's page. */
export function renderPackage(plan, plans, { toPackage, toSource }) {
  const link = (target, name, owner) => {
    if (plan.known.has(target)) return `<a href="#${plan.known.get(target)}">${escapeHtml(name)}</a>`;
    const other = plans.get(owner?.replace("@coterie/", ""));
    const anchor = other?.anchors.get(name);
    if (anchor !== undefined) return `<a href="${escapeHtml(toPackage(other.name))}#${anchor}">${escapeHtml(name)}</a>`;
    const file = fileOf(target);
    return file === null ? escapeHtml(name) : `<a href="${escapeHtml(toSource(file))}">${escapeHtml(name)}</a>`;
  };
  const sections = [];
  const page = new Printer(typePrinter(link), link, toSource, plan.modules.length > 1 ? 3 : 2);
  const html = plan.modules.map((module) => {
    const title = module.anchor === null ? "" : `<h2 id="${module.anchor}">${escapeHtml(module.name)}</h2>`;
    return title + page.passedOn(module.passedOn) + module.groups.map((group) => page.group(group, sections)).join("");
  });
  const name = `@coterie/${plan.name}`;
  const intro = `<h1>${name}</h1><p>What <code>import … from "${name}"</code> gives, from the comments in the sources.</p>`;
  return { title: `${name}, reference`, html: intro + html.join(""), headings: plan.headings, sections };
}

class Printer {
  constructor(types, link, toSource, level) {
    Object.assign(this, { types, link, toSource, level });
  }

  passedOn(items) {
    if (items.length === 0) return "";
    const names = items.map((item) => `<code>${this.link(item.target, item.name, ownerOf(item))}</code>`);
    return `<p>Also from here: ${names.join(", ")}.</p>`;
  }

  group({ title, items }, sections) {
    return `<h${this.level} class="kind">${title}</h${this.level}>${items.map((item) => this.item(item, sections)).join("")}`;
  }

  item(item, sections) {
    const { anchor } = item;
    sections.push({ heading: item.name, anchor, text: textOf(commentOf(item)) });
    const { fileName, line } = item.sources?.[0] ?? {};
    const source =
      fileName === undefined
        ? ""
        : ` <a class="where" href="${escapeHtml(this.toSource(fileName))}#L${line}">source</a>`;
    const tag = `h${this.level + 1}`;
    const head = `<${tag} id="${anchor}"><small>${KIND_WORD[item.kind]}</small> ${escapeHtml(item.name)}${source}<a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(item.name)}">#</a></${tag}>`;
    return `<section class="item">${head}${this.declaration(item)}${this.comment(commentOf(item))}${this.members(item)}</section>`;
  }

  declaration(item) {
    const { print, parameters, generics } = this.types;
    const code = (html) => `<pre tabindex="0"><code>${html}</code></pre>`;
    if (item.signatures)
      return code(
        item.signatures
          .map(
            (one) => `${escapeHtml(one.name)}${generics(one.typeParameters)}(${parameters(one)}): ${print(one.type)}`,
          )
          .join("\n"),
      );
    if (item.kind === 32) return code(`${escapeHtml(item.name)}: ${print(item.type)}`);
    if (item.kind === 2097152)
      return code(`type ${escapeHtml(item.name)}${generics(item.typeParameters)} = ${this.alias(item.type)}`);
    const above = (item.extendedTypes ?? []).map(print);
    if (item.typeParameters === undefined && above.length === 0) return "";
    return code(
      `${KIND_WORD[item.kind]} ${escapeHtml(item.name)}${generics(item.typeParameters)}${above.length ? ` extends ${above.join(", ")}` : ""}`,
    );
  }

  /** A union of several shapes takes a line for each. */
  alias(type) {
    const { print } = this.types;
    if (type.type !== "union" || print(type).replace(/<[^>]*>/g, "").length < 90) return print(type);
    return type.types.map((one) => `\n  | ${print(one)}`).join("");
  }

  members(item) {
    const all = (item.children ?? []).filter((child) => !child.inheritedFrom && !child.flags.isPrivate);
    if (all.length === 0) return "";
    const rows = all.map(
      (child) => `<dt><code>${this.member(child)}</code></dt><dd>${this.comment(commentOf(child))}</dd>`,
    );
    return `<dl class="members">${rows.join("")}</dl>`;
  }

  member(child) {
    const { print, parameters, generics } = this.types;
    const { flags, name } = child;
    const prefix = `${flags.isStatic ? "static " : ""}`;
    const optional = flags.isOptional ? "?" : "";
    if (child.kind === CONSTRUCTOR)
      return `new ${escapeHtml(child.signatures[0].name.replace(/^new /, ""))}(${parameters(child.signatures[0])})`;
    if (child.kind === ACCESSOR) return `${prefix}${escapeHtml(name)}: ${print(child.getSignature?.type)}`;
    if (child.signatures)
      return child.signatures
        .map(
          (one) =>
            `${prefix}${escapeHtml(name)}${optional}${generics(one.typeParameters)}(${parameters(one)}): ${print(one.type)}`,
        )
        .join("<br>");
    if (KIND_WORD[child.kind] && child.kind !== 32) return `${KIND_WORD[child.kind]} ${escapeHtml(name)}`;
    return `${prefix}${escapeHtml(name)}${optional}: ${print(child.type)}`;
  }

  comment(comment) {
    return comment === undefined ? "" : renderComment(textOf(comment));
  }
}

/** Where something is declared that no entry exports: its file has its comment. */
function fileOf(target) {
  const { packageName = "", packagePath = "" } = typeof target === "object" ? target : {};
  if (!packageName.startsWith("@coterie/") || !packagePath.startsWith("src/")) return null;
  return `packages/${packageName.slice("@coterie/".length)}/${packagePath}`;
}

/** The package that something was declared in. */
const ownerOf = ({ sources }) => sources?.[0].fileName.split("/")[1];

const commentOf = (item) =>
  item.comment ?? item.signatures?.[0]?.comment ?? item.getSignature?.comment ?? item.type?.declaration?.comment;

/** Summary and the text of tags such as @param, in one. */
function textOf(comment) {
  if (comment === undefined) return "";
  const parts = [comment.summary, ...(comment.blockTags ?? []).map(({ content }) => content)];
  return parts
    .map((pieces) => pieces.map(({ text }) => text).join(""))
    .join("\n\n")
    .trim();
}
