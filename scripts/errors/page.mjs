import { readFileSync } from "node:fs";

const PAGE = new URL("../../docs/errors.md", import.meta.url);

/** The entries of docs/errors.md: messages, and their cause and remedy. */
export function entries(text = readFileSync(PAGE, "utf8")) {
  const blocks = text.split(/\n\n(?=- `)/).slice(1);
  return blocks.map((block) => {
    const [says, cause, remedy] = block.split(/\n\n {2}\*(?:Cause|Remedy):\* /);
    return { says: says.split("\n").map(message), cause, remedy: remedy?.split("\n\n")[0].trim() };
  });
}

/** A message may have backticks of its own. */
const message = (line) => line.replace(/^- (`` |`)(.*?)( ``|`)$/, "$2");
