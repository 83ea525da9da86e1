import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIGURES } from "./list.mjs";
import { fileOf, namesIn, PAGES, pictureOf, readPage, rendered } from "./pages.mjs";
import { keepReal, realPictures } from "./tables/real.mjs";
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

it("the README's figure is drawn from the kept runs, in light and dark", async () => {
  const drawn = await realPictures(keptIn("real").result);
  expect(Object.keys(drawn)).toEqual(["real-light.svg", "real-dark.svg"]);
  for (const [name, svg] of Object.entries(drawn)) expect(readFileSync(pictureOf(name), "utf8")).toBe(svg);
});

it("the README's caption has the ratios of the kept runs", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  for (const { value, low, high } of keptIn("real").result.ratios) {
    expect(readme).toContain(`${value.toFixed(2)} times (${low.toFixed(2)} to ${high.toFixed(2)})`);
  }
});

it("keeps of each kind the setting that earned most in a world, and marks what is from elsewhere", async () => {
  const row = (world, policy, kind, seed, reward) => ({
    ...{ world, policy, kind, seed, reward, rewardOverRandom: reward / 100, peers: 91, rounds: 95 },
  });
  const rows = ["Last.fm"].flatMap((world) =>
    [101, 102, 103].flatMap((seed) => [
      row(world, "kindred", "kindred", seed, 300 + seed),
      row(world, "solo, α 0", "solo", seed, 200 + seed),
      row(world, "solo, α 1", "solo", seed, 150 + 2 * seed),
    ]),
  );
  const result = await keepReal({ rows });
  expect(result.kept.map(({ policy, settings }) => [policy, settings]).slice(0, 2)).toEqual([
    ["kindred", 1],
    ["solo, α 1", 2],
  ]);
  expect(result.means[0]).toMatchObject({ world: "Last.fm", kind: "kindred", value: 4.02 });
  const { "real-light.svg": svg } = await realPictures(result);
  expect(svg).toContain("from elsewhere");
  expect(svg).toContain("kindred, defaults");
});

it("makes a table, with an empty corner", () => {
  expect(
    table([
      ["", "a"],
      ["b", "1"],
    ]),
  ).toBe("| | a |\n| --- | --- |\n| b | 1 |");
});
