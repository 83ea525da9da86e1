import { readFileSync } from "node:fs";
import { DARK, LIGHT, type Scheme } from "@coterie/lab";
import { expect, it } from "vitest";

const css = readFileSync(new URL("../../pages/styles/tokens.css", import.meta.url), "utf8");

/** The custom properties, in light or in dark. */
const tokensOf = (scheme: 2 | 3): Record<string, string> =>
  Object.fromEntries(
    Array.from(css.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g), (found) => [
      found[1],
      found[scheme]!,
    ]),
  );

it.each([
  ["light", 2, LIGHT],
  ["dark", 3, DARK],
] as const)("pages and reports have the same colours, in %s", (_, place, scheme: Scheme) => {
  const { paper, ink, muted, grid, series } = scheme;
  const named = Object.fromEntries(series.map((colour, k) => [`series-${k}`, colour]));
  expect(tokensOf(place)).toMatchObject({ paper, ink, muted, grid, ...named });
});
