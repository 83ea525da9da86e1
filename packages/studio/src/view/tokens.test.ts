import { readFileSync } from "node:fs";
import { DARK, LIGHT, type Scheme } from "@coterie/lab";
import { expect, it } from "vitest";

const css = readFileSync(new URL("../../pages/styles/tokens.css", import.meta.url), "utf8");
const [light = "", system = "", chosen = ""] = css.split(
  /@media \(prefers-color-scheme: dark\)|:root\[data-theme="dark"\]/,
);

/** The custom properties of a piece of CSS. */
const tokensOf = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from(text.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g), ([, name, value]) => [name, value]));

it.each([
  ["light", light, LIGHT],
  ["dark", system, DARK],
  ["dark as chosen", chosen, DARK],
])("pages and reports have the same colours, in %s", (_, text, scheme: Scheme) => {
  const { paper, ink, muted, grid, series } = scheme;
  const named = Object.fromEntries(series.map((colour, k) => [`series-${k}`, colour]));
  expect(tokensOf(text)).toMatchObject({ paper, ink, muted, grid, ...named });
});
