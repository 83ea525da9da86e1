import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, expect, it } from "vitest";
import { faultsOfSite } from "./check.mjs";
import { CONTENTS } from "./contents.mjs";
import { files } from "./repository.mjs";
import { SEARCH_OPTIONS } from "./search.mjs";
import { buildSite } from "./site.mjs";
import { openBrowser } from "./testing/browser.mjs";

const NO_BROWSER = process.env.COTERIE_CHROMIUM ? null : "no Chromium: COTERIE_CHROMIUM does not name one";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let folder;
let browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coterie-site-"));
  await buildSite(join(folder, "out"));
  if (NO_BROWSER === null) browser = await openBrowser(join(folder, "out"));
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = (url) => readFileSync(join(folder, "out", url), "utf8");

it("has no dead link, loads nothing from elsewhere, and has a way to every page", () => {
  expect(faultsOfSite(join(folder, "out"))).toEqual([]);
});

it("has every text of docs in its list of pages", () => {
  const listed = new Set(CONTENTS.flatMap(({ pages }) => pages.map(({ path }) => path)));
  expect(files(".md", "docs").filter((path) => !listed.has(path))).toEqual([]);
});

it("finds what is wrong with a site", () => {
  const bad = join(folder, "bad");
  mkdirSync(bad);
  writeFileSync(
    join(bad, "index.html"),
    '<a href="gone.html"></a><a href="#nowhere"></a><script src="https://cdn.example/x.js"></script>',
  );
  writeFileSync(join(bad, "lost.html"), "<p>");
  expect(faultsOfSite(bad)).toEqual([
    "index.html loads https://cdn.example/x.js",
    "index.html links to gone.html, which is not there",
    "index.html links to #nowhere: no such place",
    "nothing leads to lost.html",
  ]);
});

it("has the comments and types of the sources in its reference", () => {
  const html = page("api/net.html");
  expect(html).toContain("Opens a peer: takes up what the store has");
  expect(html).toMatch(
    /createPeer&lt;S extends <a href="[./]*source\/packages\/net\/src\/features\/schema.ts.html">Declared<\/a>&gt;\(options: <a href="#peeroptions">/,
  );
});

it("begins the reference with createPeer, and shows nothing that is internal", () => {
  const names = [...page("api/net.html").matchAll(/<section class="item"><h\d id="([^"]+)"/g)].map(([, id]) => id);
  expect(names[0]).toBe("createpeer");
  expect(names).toContain("libp2p");
  expect(names).not.toContain("peerhost");
});

it("finds pages and exports by a word", () => {
  const window = {};
  new Function("window", page("assets/search-index.js"))(window);
  const index = MiniSearch.loadJSON(window.coterieIndex, SEARCH_OPTIONS);
  expect(index.search("createPeer")[0].url).toMatch(/^api\/(net|core)\.html#createpeer$/);
  expect(index.search("room key", { combineWith: "AND" }).map(({ url }) => url)).toContain(
    "docs/protocol.html#the-room-key",
  );
});

it("finds what was meant: a page about the words, before lists that have every word", () => {
  const window = {};
  new Function("window", page("assets/search-index.js"))(window);
  const index = MiniSearch.loadJSON(window.coterieIndex, SEARCH_OPTIONS);
  const found = (words) => index.search(words, window.coterieQuery()).map(({ url }) => url);
  expect(found("cold start")[0]).toBe("docs/why.html#how-does-it-handle-a-cold-start");
  expect(found("createPer")[0]).toMatch(/#createpeer$/);
  expect(found("must be a finite number").some((url) => url.startsWith("docs/errors.html"))).toBe(true);
});

it("makes drawings a part of the page, in the page's colours", () => {
  const html = page("docs/concepts/gossip.html");
  expect(html).toContain('<svg aria-label="One exchange: two peers send');
  expect(html).not.toContain("<style>");
});

it("is searched by keys alone: / begins, arrows choose, Enter goes there", async ({ skip }) => {
  if (NO_BROWSER) return skip(NO_BROWSER);
  const page = await browser.open("docs/protocol.html");
  await page.keyboard.press("/");
  await page.keyboard.type("chooseTop");
  await page.waitForSelector("#results [aria-selected=true]");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const chosen = await page.getAttribute("#results [aria-selected=true] a", "href");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.href.endsWith(chosen.replace(/^(\.\.\/)+/, "")));
  await page.close();
});

it("goes from the system's colours to light, dark and back, and remembers", async ({ skip }) => {
  if (NO_BROWSER) return skip(NO_BROWSER);
  const page = await browser.open("index.html", { colorScheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const shows = (name) =>
    page.waitForFunction((file) => document.querySelector("picture img").currentSrc.endsWith(file), name);
  const dark = await paper();
  await shows("real-dark.svg");
  await page.click("#theme");
  expect(await paper()).not.toBe(dark);
  await shows("real-light.svg");
  await page.reload();
  expect(await paper()).not.toBe(dark);
  await page.click("#theme");
  await page.click("#theme");
  expect(await paper()).toBe(dark);
  await page.close();
});

it("has the lab as plain files: a finished run at once, presets, and a run of one's own", async ({ skip }) => {
  if (NO_BROWSER) return skip(NO_BROWSER);
  const page = await browser.open("docs/concepts/borrowing.html");
  await page.locator("figure.lab").scrollIntoViewIfNeeded();
  const frame = page.frameLocator("figure.lab iframe");
  await frame.getByRole("heading", { name: "Liars: regret a peer, summed" }).waitFor();
  expect(await frame.locator(".caption").innerText()).toMatch(/kindred has \d+ % less regret than learning alone/);
  await frame.getByRole("button", { name: "Changing tastes" }).click();
  await frame.getByRole("heading", { name: "Changing tastes: regret a peer, summed" }).waitFor();
  await page.close();
  const lab = await browser.open("lab/index.html#peers=8&clusters=2&rounds=40&policies=solo,oracle");
  await lab.getByRole("button", { name: "Run" }).click();
  await lab.getByText("Done.").waitFor();
  expect(await lab.locator(".caption").innerText()).toContain("After 40 rounds");
  await lab.getByRole("link", { name: "Documentation" }).click();
  await lab.waitForURL(/index\.html$/);
  await lab.close();
});

const PAGES = [
  "lab/index.html",
  "index.html",
  "docs/protocol.html",
  "docs/speed.html",
  "docs/concepts/gossip.html",
  "api/webrtc.html",
  "source/CITATION.cff.html",
];

it.for(["light", "dark"])(
  "has nothing that axe finds fault with, in %s and on a phone",
  async (colorScheme, { skip }) => {
    if (NO_BROWSER) return skip(NO_BROWSER);
    for (const url of PAGES) {
      const page = await browser.open(url, { colorScheme, viewport: { width: 390, height: 844 } });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), url).toBeLessThanOrEqual(390);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run());
      expect(violations.map(({ id, nodes }) => `${url}: ${id} ${nodes[0].html.slice(0, 120)}`)).toEqual([]);
      await page.close();
    }
  },
);

it("asked nobody else for anything, and met no error", ({ skip }) => {
  if (NO_BROWSER) return skip(NO_BROWSER);
  expect(browser.strange).toEqual([]);
});
