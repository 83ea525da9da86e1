import { readFileSync } from "node:fs";
import { parsePolicy, policyKinds } from "@coterie/core";
import { expect, it } from "vitest";

const PAGE = readFileSync(new URL("../../docs/experiments.md", import.meta.url), "utf8");

/** The page's table of options: the names in a row, and the policies that have them. */
const rows = Array.from(PAGE.matchAll(/^\| (`[^|]*`) \| ([^|]*) \| .*\|$/gm), ([, names, of]) => ({
  names: Array.from(names.matchAll(/`([^`]+)`/g), ([, name]) => name),
  kinds: of.startsWith("all but ")
    ? policyKinds.filter((kind) => !of.slice(8).split(", ").includes(kind))
    : of.split(", "),
}));

/** What a policy says it knows, when it is given something else. */
function optionsOf(kind) {
  try {
    parsePolicy("policy", { kind, nothing: 1 });
  } catch ({ bound }) {
    const [, known] = /known here: (.*)\)/.exec(bound);
    return known === "nothing" ? [] : known.split(", ");
  }
  throw new Error(`${kind} takes anything`);
}

it.each(policyKinds)("docs/experiments.md has every option of %s, and no other", (kind) => {
  const listed = rows.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ names }) => names);
  expect(listed.sort()).toEqual(optionsOf(kind).sort());
});
