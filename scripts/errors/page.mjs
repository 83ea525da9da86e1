import { catalogue } from "./catalogue/index.mjs";

/** docs/errors.md. */
export function page() {
  const parts = catalogue.map(({ title, intro, parser = [], entries }) =>
    [`## ${title}`, ...(intro === undefined ? [] : [intro]), ...[...parser, ...entries].map(shown)].join("\n\n"),
  );
  return `${[HEAD, ...parts].join("\n\n")}\n`;
}

const HEAD = `# Messages, and what to do

<!-- Made by \`node scripts/errors/write.mjs\` from scripts/errors/catalogue; a test compares both with the sources. -->

Every message that you can meet, with its cause and its remedy. What stands in braces is only known when it happens. Most have
one form, \`FIELD must BOUND, but is VALUE\`: the place, what may stand there, and what stood there. A \`ConfigError\` is the
caller's fault and has \`field\`, \`value\` and \`bound\` as properties; a \`ProtocolViolation\` is another peer's; an
\`InvariantError\` is ours.`;

function shown({ says, cause, remedy }) {
  return `${says.map((message) => `- ${code(message)}`).join("\n")}\n\n  *Cause:* ${cause}\n\n  *Remedy:* ${remedy}`;
}

/** A message may have backticks of its own. */
const code = (text) => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);
