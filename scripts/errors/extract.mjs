import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { childrenOf, isText, Scope, textsOf } from "./texts.mjs";

/**
 * Every message that somebody who uses Coterie can meet, read from the sources: wherever an error of these kinds is made.
 * What is only known when it happens stands in braces.
 */

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** How a message follows from what a constructor is given. */
const KINDS = {
  ConfigError: ([fields = [], , bounds = []]) =>
    fields.flatMap((field) => bounds.map((bound) => `${field} must ${bound}`)),
  // Operators count these by their reason; nobody reads them one by one.
  ProtocolViolation: ([reasons = []]) => reasons.map((reason) => `violation: ${reason}`),
  StoreError: ([reasons = []]) => reasons.map((reason) => `store: ${reason}`),
  RefusedError: ([reasons = []]) => reasons.map((reason) => `refused: ${reason}`),
  TokenError: ([reasons = []]) => reasons.map((reason) => `token: ${reason}`),
  StoreBusy: () => ["store: busy"],
  // What it is asked about, and what the log lacks.
  OverlapError: ([targets = [], , , , whys = []]) =>
    targets.flatMap((target) => whys.map((why) => `${target} cannot be evaluated with this log: ${why}`)),
  // Its message follows from the name alone (packages/lab/src/data/notFound.ts).
  DatasetNotFound: ([names = []]) => names.map((name) => `Dataset ${name} not found`),
  Problem: ([, messages = []]) => messages,
  InvariantError: ([messages = []]) => messages,
  CheckNotMet: ([messages = []]) => messages,
  FetchError: ([messages = []]) => messages,
  FeedError: ([messages = []]) => messages,
  LinkError: ([messages = []]) => messages,
  Error: ([messages = []]) => messages,
};

/** Functions that word a bound for a ConfigError that is made elsewhere, by the folder that they are used in. */
const HELPERS = [
  { call: "misfit", folder: "packages/net/src/features/", place: "{item}" },
  { call: "fault", folder: "packages/lab/src/data/", place: "{file} line {number} {column}" },
];

/** Reasons that are handed on as values are read from their types. */
const REASONS = {
  ViolationReason: "violation",
  NetworkViolation: "violation",
  Refusal: "refused",
  StoreFailure: "store",
};

/** Places whose errors are for those who develop them, not for those who use them. */
const INSIDE = [
  "compliance",
  "storm/src/simulation/world",
  "storm/src/chaos",
  "storm/src/soak",
  "studio",
  "server/src/peer/fuzz",
].map((place) => `packages/${place}`);

/** Somebody else's words passed on; they are found where they are made. */
const isPassedOn = (text) => /^(\{\w+\}[.: ]*)+(must \{\w+\})?$|^(violation|refused): \{\w+\}$/.test(text);

/** Messages, and those that only pass on what others have worded, each with the files that make it. */
export function messages() {
  const found = new Map();
  const passedOn = new Map();
  for (const file of sources()) {
    for (const text of messagesIn(readFileSync(join(root, file), "utf8"), file)) {
      const into = isPassedOn(text) ? passedOn : found;
      into.set(text, (into.get(text) ?? new Set()).add(file));
    }
  }
  return { found, passedOn };
}

function sources() {
  return readdirSync(join(root, "packages"))
    .flatMap((name) => readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !file.includes("/testing/") && !INSIDE.some((room) => file.startsWith(room)));
}

/** The messages of one source file, in its order. */
export function messagesIn(source, file = "source.ts") {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0].message}`);
  const found = [];
  const visit = (node, scope) => {
    const inner = scope.within(node);
    if (node.type === "NewExpression" && node.callee.name in KINDS) {
      const given = node.arguments.map((argument) => textsOf(argument, inner));
      found.push(...KINDS[node.callee.name](given));
    }
    const helper = HELPERS.find(({ folder }) => file.startsWith(folder));
    const bound = helper === undefined ? undefined : boundIn(node, helper.call);
    if (bound !== undefined) found.push(...textsOf(bound, inner).map((text) => `${helper.place} must ${text}`));
    if (node.type === "TSTypeAliasDeclaration" && node.id.name in REASONS) {
      const reasons = (node.typeAnnotation.types ?? []).flatMap(({ literal }) => literal?.value ?? []);
      found.push(...reasons.map((reason) => `${REASONS[node.id.name]}: ${reason}`));
    }
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(program, new Scope(program, null));
  return found;
}

/** The bound that a node words for the helper of its folder: as an argument of it, or kept under that name for later. */
function boundIn({ type, callee, arguments: given, key, value, left, right }, helper) {
  if (type === "CallExpression" && (callee.property ?? callee).name === helper) return given[1];
  if (type === "Property" && key.name === "bound" && isText(value)) return value;
  if (type === "AssignmentExpression" && left.property?.name === "bound") return right;
  return undefined;
}
