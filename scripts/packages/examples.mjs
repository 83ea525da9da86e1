/** The examples that are projects of their own, copied to where only the packed packages are installed, and run there. */
import { spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { openBrowser, serveFolder } from "../browser.mjs";
import { root, run } from "./packages.mjs";

const NAMES = ["custom-policy", "lab-script", "news-page", "react-page", "service"];
const manifestOf = (path) => JSON.parse(readFileSync(join(path, "package.json"), "utf8"));

/** `npm start` of the example in a folder, with more arguments. */
async function start(folder, ...args) {
  const [program, ...given] = manifestOf(folder).scripts.start.split(" ");
  expect(program).toBe("node");
  return (await run(process.execPath, [...given, ...args], { cwd: folder })).stdout;
}

/** Tests of the examples, where `project` has the packages installed; each may take `slowMs`. */
export function testExamples(project, slowMs) {
  const at = (name, ...rest) => join(project, "examples", name, ...rest);

  beforeAll(() => {
    for (const name of NAMES) cpSync(join(root, "examples", name), at(name), { recursive: true });
  });

  describe("an example", { timeout: slowMs }, () => {
    it.each(NAMES)("%s names its dependencies, as they are here", (name) => {
      const { dependencies, devDependencies = {} } = manifestOf(at(name));
      const known = manifestOf(root).devDependencies;
      for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
        const wanted = known[dependency] ?? manifestOf(join(root, "node_modules", dependency)).version;
        expect(version, dependency).toBe(wanted);
      }
      expect(readdirSync(at(name))).toContain("README.md");
    });

    it("custom-policy: some forty lines pass the compliance suite, and a peer learns with them", async () => {
      const out = await start(at("custom-policy"));
      expect(out).toMatch(/^(\d+) of \1 checks hold$/m);
      const liked = [...out.matchAll(/a reader of (\w+) liked (\d+) of 100/g)];
      expect(liked.map(([, topic]) => topic)).toEqual(["tech", "sport"]);
      for (const [, , hits] of liked) expect(Number(hits)).toBeGreaterThan(70);
      const code = readFileSync(at("custom-policy", "policy.mjs"), "utf8").split("\n");
      expect(code.filter((line) => /\S/.test(line) && !/^\s*(\/\/|\/\*)/.test(line)).length).toBeLessThanOrEqual(40);
    });

    it("lab-script: prints a table and draws figures", async () => {
      const out = await start(at("lab-script"), "drawn");
      expect(out).toMatch(/^solo .*\nkindred /m);
      expect(Number(/kindred lost ([\d.]+) of/.exec(out)?.[1])).toBeLessThan(0.8);
      expect(readFileSync(at("lab-script", "drawn", "regret.svg"), "utf8")).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    });

    it("service: workers learn together", async () => {
      const out = await start(at("service"), "10", "60");
      const rows = [...out.matchAll(/^(\d+) +(sport|arts) .* 60 +(\d+) regions$/gm)];
      expect(rows.length).toBe(10);
      expect(rows.reduce((sum, [, , , lenders]) => sum + Number(lenders), 0)).toBeGreaterThan(0);
      // Picks at random are liked in 31 of 100.
      expect(Number(/ (\d+) % at last/.exec(out)?.[1])).toBeGreaterThan(45);
    });

    it("react-page: effects that run twice open one peer, and tabs share it", async ({ skip }) => {
      const output = at("built-react");
      const define = { "process.env.NODE_ENV": '"development"' };
      await build({ root: at("react-page"), logLevel: "error", define, build: { outDir: output } });
      const executable = process.env.COTERIE_CHROMIUM;
      if (!executable) return skip("no Chromium: COTERIE_CHROMIUM does not name one");
      const [site, browser] = await Promise.all([serveFolder(output), openBrowser(executable)]);
      try {
        await answerInTabs(browser, site.url);
        expect(browser.complaints).toEqual([]);
      } finally {
        await Promise.all([browser.close(), site.close()]);
      }
    });

    it("news-page: tabs personalise together", async ({ skip }) => {
      const output = at("built-page");
      await build({ root: at("news-page"), logLevel: "error", build: { outDir: output } });
      const executable = process.env.COTERIE_CHROMIUM;
      if (!executable) return skip("no Chromium: COTERIE_CHROMIUM does not name one");
      const [hub, site, browser] = await Promise.all([startHub(project), serveFolder(output), openBrowser(executable)]);
      try {
        await together(browser, `${site.url}?hub=${encodeURIComponent(hub.address)}`);
        expect(browser.complaints).toEqual([]);
      } finally {
        await Promise.all([browser.close(), site.close(), hub.stop()]);
      }
    });
  });
}

/** In React's development mode, where effects run twice; then a second tab, and the first one reloaded. */
async function answerInTabs(browser, url) {
  const said = (tab, text) => tab.waitForFunction((it) => document.body.textContent.includes(it), text);
  const first = await browser.open(url);
  for (let answers = 1; answers <= 3; answers++) {
    await first.click("#yes");
    await said(first, `Learnt from ${answers} answers`);
  }
  await said(first, "This tab owns the store.");
  const second = await browser.open(url);
  await said(second, "Learnt from 3 answers. Another tab owns the store.");
  await second.click("#no");
  await said(second, "Learnt from 4 answers");
  await first.reload();
  await said(first, "Learnt from 4 answers");
  await second.click("#yes");
  await said(second, "Learnt from 5 answers. This tab owns the store.");
}

/** Two readers of tech; then a third comes, and its page is theirs after very few stories. */
async function together(browser, url) {
  const [first, second] = [await browser.open(url), await browser.open(url)];
  await readUntilTheyBorrow([first, second], 12);
  const third = await browser.open(url);
  await readUntilTheyBorrow([third], 3);
  const shown = [];
  for (let edition = 0; edition < 10; edition++) shown.push(await readTech(third));
  // Of eight stories at least one is on tech: it leads the page, where chance would have it lead in one of four.
  expect(shown.filter((topic) => topic === "tech").length).toBeGreaterThanOrEqual(6);
}

/** Some editions in each tab, and more of them, a second apart, until the first borrows: what it takes is chance. */
async function readUntilTheyBorrow(tabs, editions) {
  for (let edition = 0; edition < editions; edition++) for (const tab of tabs) await readTech(tab);
  const borrows = () => /borrows from [12] other/.test(document.querySelector("#status").textContent);
  for (let more = 0; more < 60; more++) {
    const found = await tabs[0].waitForFunction(borrows, null, { timeout: 1000 }).catch(() => null);
    if (found !== null) return;
    for (const tab of tabs) await readTech(tab);
  }
  expect.fail(`nobody is borrowed from: ${await tabs[0].textContent("#status")}`);
}

/** Reads a story on tech if there is one, and says what led the page. */
async function readTech(tab) {
  const count = () =>
    tab.evaluate(() => Number(/from (\d+) stories/.exec(document.querySelector("#status").textContent)?.[1]));
  await tab.waitForSelector("#stories:not([inert]) button");
  const before = await count();
  const lead = await tab.getAttribute("#stories button", "data-topic");
  const tech = tab.locator('#stories button[data-topic="tech"]').first();
  await ((await tech.count()) > 0 ? tech : tab.locator("#next")).click();
  await tab.waitForFunction(
    (read) => Number(/from (\d+) stories/.exec(document.querySelector("#status").textContent)?.[1]) > read,
    before,
  );
  return lead;
}

/** The hub of the example's own `npm run hub`, on a port that is free. */
async function startHub(project) {
  const bin = join(project, "node_modules", "coterie", "bin", "coterie.js");
  const args = ["hub", "--json", "--listen", "/ip4/127.0.0.1/tcp/0/ws", "--key-file", join(project, "hub.key")];
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const line = await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", resolve);
    ended.then((code) => reject(new Error(`the hub ended with exit code ${code}`)));
  });
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { address: JSON.parse(line).addresses[0], stop };
}
