/** A strict little reader of XML: throws at what is not well-formed, counts what it finds. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const TOKEN = /<\/([\w:-]+)\s*>|<([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;

export function parseXml(source: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(source);
    if (token === null) throw new Error(`not well-formed at ${source.slice(at, at + 60)}`);
    const [, closed, opened, attributes, empty, text] = token;
    if (text !== undefined) open.at(-1)!.text += entitiesChecked(text);
    else if (closed !== undefined) {
      if (open.pop()!.name !== closed) throw new Error(`</${closed}> closes another element`);
    } else {
      const element = { name: opened!, attributes: attributesOf(attributes!), children: [], text: "" };
      open.at(-1)!.children.push(element);
      if (empty === "") open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error("there must be one element around all others");
  return root.children[0]!;
}

function attributesOf(source: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of source.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (name! in attributes) throw new Error(`attribute ${name} stands twice`);
    attributes[name!] = entitiesChecked(value!);
  }
  return attributes;
}

function entitiesChecked(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/.test(text)) throw new Error(`bare & in ${text}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) throw new Error(`control character in ${text}`);
  return text;
}

/** All elements below that a test holds for, in the order of the document. */
export function elements(within: Element, holds: (element: Element) => boolean): Element[] {
  return within.children.flatMap((child) => [...(holds(child) ? [child] : []), ...elements(child, holds)]);
}

/** Plot marks its groups by what they are. */
export const marks = (within: Element, label: string): Element[] =>
  elements(within, ({ attributes }) => attributes["aria-label"] === label);
