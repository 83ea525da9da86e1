import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const textsOf = (folder: string): [string, string][] => {
  const at = new URL(`./${folder}/`, import.meta.url);
  return readdirSync(at, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [`${folder}/${name}`, readFileSync(new URL(name, at), "utf8")]);
};

it.each([
  ["simulation", "chaos"],
  ["chaos", "simulation"],
])(
  "%s imports nothing of %s: virtual time and real processes have only what is beside both in common",
  (one, other) => {
    const texts = textsOf(one);
    expect(texts.length).toBeGreaterThan(5);
    const strays = texts
      .filter(([, text]) => new RegExp(`from "(?:\\.\\./)+${other}/`).test(text))
      .map(([name]) => name);
    expect(strays).toEqual([]);
  },
);
