/** The anchor of a heading, as code hosts make it: links to it work here and there. */
function slug(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, "")
    .replace(/ /g, "-");
}

/** Names headings of one page; of equal ones the later get a number. */
export function anchors() {
  const seen = new Map();
  return (text) => {
    const name = slug(text);
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
}
