import { builtIns, listDatasets } from "@coterie/lab";
import type { Command, CommandContext, RouteMap } from "@stricli/core";

/** Scripts that complete commands and options in a shell. They are made from the commands themselves, so they are complete. */

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  readonly word: string;
  readonly brief: string;
}

/** What may follow some words: `coterie data` is ["data"]. */
interface Place {
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** Names that the command takes, beside files. */
  readonly names: readonly string[];
}

type Routes = RouteMap<CommandContext>;
type Target = Routes | Command<CommandContext>;

const isRoutes = (target: Target): target is Routes => "getAllEntries" in target;

export async function completionScript(shell: Shell, root: Routes): Promise<string> {
  const names = await namesByCommand();
  const places = placesBelow(root, [], names);
  return { bash, zsh, fish }[shell](places);
}

/** Names that no option lists: experiments and datasets. */
async function namesByCommand(): Promise<Readonly<Record<string, readonly string[]>>> {
  const datasets = (await listDatasets()).map(({ name }) => name);
  return {
    run: builtIns.map(({ name }) => name),
    "data import": datasets,
    "data fetch": datasets,
    "data check": datasets,
    completion: SHELLS,
  };
}

function placesBelow(
  target: Target,
  path: readonly string[],
  names: Readonly<Record<string, readonly string[]>>,
): Place[] {
  const own = names[path.join(" ")] ?? [];
  if (!isRoutes(target)) return [{ path, commands: [], options: optionsOf(target), names: own }];
  const entries = target
    .getAllEntries()
    .filter(({ hidden }) => !hidden)
    .map(({ name, target: next }) => ({ word: name["convert-camel-to-kebab"], next: next as Target }));
  const commands = entries.map(({ word, next }) => ({ word, brief: next.brief }));
  const help = path.length === 0 ? [...HELP, { word: "--version", brief: "print the version" }] : HELP;
  const below = entries.flatMap(({ word, next }) => placesBelow(next, [...path, word], names));
  return [{ path, commands, options: help, names: own }, ...below];
}

const HELP: readonly Word[] = [{ word: "--help", brief: "print help" }];

function optionsOf(command: Command<CommandContext>): Word[] {
  const flags = (command.parameters.flags ?? {}) as Readonly<Record<string, { readonly brief: string }>>;
  const own = Object.entries(flags).map(([name, { brief }]) => ({ word: `--${kebab(name)}`, brief }));
  return [...own, ...HELP];
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const wordsOf = ({ commands, options, names }: Place): string[] => [
  ...commands.map(({ word }) => word),
  ...names,
  ...options.map(({ word }) => word),
];

/** In single quotes for any of the three shells; fish alone needs the backslash twice. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The case branches that tell which command stands before the cursor. */
const known = (places: readonly Place[]): string =>
  places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `/${path.join("/")}`)
    .join("|");

function bash(places: readonly Place[]): string {
  const branches = places.map((place) => `    "${keyOf(place)}") words=${quoted(wordsOf(place).join(" "))} ;;`);
  return `# coterie completion bash: load it with  source <(coterie completion bash)
_coterie() {
  local place="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place/\${COMP_WORDS[i]}" in
      ${known(places)}) place="$place/\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  case "$place" in
${branches.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _coterie coterie
`;
}

const keyOf = ({ path }: Place): string => path.map((word) => `/${word}`).join("");

function zsh(places: readonly Place[]): string {
  const described = ({ word, brief }: Word): string => quoted(`${word}:${brief}`);
  const branches = places.map((place) => {
    const named = place.names.map((word) => ({ word, brief: "a name" }));
    const all = [...place.commands, ...named, ...place.options];
    return `    "${keyOf(place)}") offered=(${all.map(described).join(" ")}) ;;`;
  });
  return `#compdef coterie
# coterie completion zsh: load it with  source <(coterie completion zsh)
_coterie() {
  local place="" i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    case "$place/\${words[i]}" in
      ${known(places)}) place="$place/\${words[i]}" ;;
      *) break ;;
    esac
  done
  case "$place" in
${branches.join("\n")}
  esac
  _describe coterie offered
  [[ -n "$place" ]] && _files
}
compdef _coterie coterie
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const test = place.commands.length > 0 ? "__coterie_at" : "__coterie_below";
    const before = `complete -c coterie -n ${quoted([test, ...place.path].join(" "))}`;
    const named = place.names.map((word) => ({ word, brief: "a name" }));
    const words = [...place.commands, ...named].map(
      ({ word, brief }) => `${before} -a ${word} -d ${fishQuoted(brief)}`,
    );
    const options = place.options.map(({ word, brief }) => `${before} -l ${word.slice(2)} -d ${fishQuoted(brief)}`);
    return [...words, ...options];
  });
  return `# coterie completion fish: load it with  coterie completion fish | source
function __coterie_given
  set -l before (commandline -opc)
  string match -v -- '-*' $before[2..-1]
end
function __coterie_at
  test (string join / (__coterie_given)) = (string join / $argv)
end
function __coterie_below
  string match -q -- (string join / $argv)'/*' (string join / (__coterie_given) '')
end
${lines.join("\n")}
`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
