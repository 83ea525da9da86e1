import { parse } from "./markdown.mjs";

/**
 * The code blocks of a text, and what is to be done with each; `site/README.md` says how they are marked.
 *
 *     ```sh                     run
 *     ```sh background WORD     started; the next block begins when it has printed WORD, and it ends with the page
 *     ```sh no-run WHY          shown only, because WHY
 *     ```js file=NAME           written to NAME where the shell is (any language)
 *     ```ts                     type-checked
 *
 * Anything else is shown only.
 */
export function blocksOf(text, file) {
  return parse(text)
    .filter(({ type }) => type === "fence")
    .map(({ info, content, map }) => {
      const [language = "", ...words] = info.trim().split(/\s+/);
      return { file, line: map[0] + 1, language, code: content, ...marks(words, `${file}:${map[0] + 1}`) };
    });
}

function marks([mark, ...rest], where) {
  if (mark === undefined) return {};
  const value = rest.join(" ");
  if (mark.startsWith("file=")) return { writeTo: mark.slice(5) };
  if (value === "")
    throw new Error(`${where}: ${mark} must be followed by ${mark === "no-run" ? "a reason" : "a word"}`);
  if (mark === "background") return { background: value };
  if (mark === "no-run") return { noRun: value };
  throw new Error(`${where}: ${mark} must be one of background, no-run, file=NAME`);
}

/** Does a block do anything when its page is run? */
export const isRun = ({ language, writeTo, noRun }) =>
  writeTo !== undefined || (language === "sh" && noRun === undefined);

/**
 * All that a page says to do, as one bash script: its blocks in order, in one shell, so that `cd` and variables hold. It
 * stops at the first command that fails, and ends what it started.
 */
export function scriptOf(blocks) {
  return [HEAD, ...blocks.filter(isRun).map(commandsOf)].join("\n");
}

const HEAD = `set -euo pipefail
logs="$(mktemp -d)"; started=""
finish() { for one in $started; do kill -TERM -- "-$one" 2>/dev/null || true; wait "$one" || true; done; rm -rf "$logs"; }
trap finish EXIT
trap 'exit 143' TERM
await() { for _ in $(seq 1200); do grep -qF -- "$2" "$1" && return; sleep 0.1; done; cat "$1" >&2; echo "no $2 in two minutes" >&2; exit 1; }
`;

function commandsOf({ file, line, code, writeTo, background }) {
  const place = `# ${file}:${line}\n`;
  if (writeTo !== undefined) return `${place}cat > ${quoted(writeTo)} <<'END OF THE BLOCK'\n${code}END OF THE BLOCK\n`;
  if (background === undefined) return place + code;
  const log = `"$logs/${line}"`;
  return `${place}: > ${log}\nsetsid bash -c ${quoted(code)} > ${log} 2>&1 & started="$started $!"\nawait ${log} ${quoted(background)}\n`;
}

const quoted = (text) => `'${text.replace(/'/g, "'\\''")}'`;
