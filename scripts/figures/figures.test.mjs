import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIGURES } from "./list.mjs";
import { fileOf, namesIn, PAGES, readPage, rendered } from "./pages.mjs";
import { table } from "./tables/text.mjs";

const keptIn = (name) => JSON.parse(readFileSync(fileOf(name), "utf8"));

it.each(PAGES)("%s says what the kept runs say (npm run figures)", (page) => {
  expect(readPage(page)).toBe(rendered(readPage(page)));
});

it("every figure is on one page", () => {
  expect(PAGES.flatMap((page) => namesIn(readPage(page))).sort()).toEqual(FIGURES.map(({ name }) => name).sort());
});

it.each(FIGURES)("$name was measured by its command, and says when and where", ({ name, command }) => {
  const kept = keptIn(name);
  expect(kept.command.startsWith(command)).toBe(true);
  expect(kept).toMatchObject({
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    node: expect.stringMatching(/^\d+\./),
    cores: expect.any(Number),
    load: expect.any(Number),
    exit: expect.any(Number),
  });
  expect(JSON.stringify(kept)).not.toMatch(/"[^"]*\/(home|root|tmp|work|Users)\//);
});

it("a number that was changed in a file or by hand is noticed", () => {
  const page = readPage(PAGES[0]);
  const other = rendered(page, (name) => {
    const kept = keptIn(name);
    return name === "choose" ? { ...kept, load: 99 } : kept;
  });
  expect(other).not.toBe(page);
  const touched = page.replace(/(choose, made by[\s\S]*?)\d+ ns/, "$11 ns");
  expect(touched).not.toBe(page);
  expect(rendered(touched)).toBe(rendered(page));
});

it("makes a table, with an empty corner", () => {
  expect(
    table([
      ["", "a"],
      ["b", "1"],
    ]),
  ).toBe("| | a |\n| --- | --- |\n| b | 1 |");
});
