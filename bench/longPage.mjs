// How long a page stands still where vectors are long: the calls of a kindred peer alone, as bench/long.mjs makes them, in Chromium. The same
// life is lived several times; of each call the shortest time counts, which other programs on the machine delayed least, and the first, before anything is compiled.
//   node bench/longPage.mjs [--dimension 384] [--rounds 16] [--lives 6] [--chromium /usr/bin/chromium] [--clone path/to/other/clone]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "../scripts/chromiumFlags.mjs";

const { values: options } = parseArgs({
  options: {
    dimension: { type: "string", default: "384" },
    rounds: { type: "string", default: "16" },
    lives: { type: "string", default: "6" },
    chromium: { type: "string", default: "/usr/bin/chromium" },
    clone: { type: "string", default: "." },
  },
});
const [d, rounds, lives] = [options.dimension, options.rounds, options.lives].map(Number);

const MAP = {
  "@coterie/core": "/packages/core/dist/index.js",
  "@coterie/core/internal": "/packages/core/dist/internal.js",
  "@coterie/kernels": "/packages/kernels/dist/index.js",
};
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({ imports: MAP })}</script>`;

const server = createServer(async ({ url }, answer) => {
  const at = url === "/sphere.mjs" ? resolve("bench/sphere.mjs") : resolve(options.clone, `.${url}`);
  const text = url === "/" ? PAGE : await readFile(at).catch(() => null);
  answer.writeHead(text === null ? 404 : 200, { "content-type": url === "/" ? "text/html" : "text/javascript" });
  answer.end(text);
}).listen(0, "127.0.0.1");
const browser = await chromium.launch({ executablePath: options.chromium, args: CHROMIUM_FLAGS });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const found = await page.evaluate(play, { d, rounds, lives, sphereAt: "/sphere.mjs" });
  for (const [call, lived] of Object.entries(found)) {
    const least = lived[0].map((_, k) => Math.min(...lived.map((times) => times[k])));
    const mean = least.reduce((sum, time) => sum + time, 0) / least.length;
    const most = (times) => Math.max(...times).toFixed(1);
    console.log(`${call}: ${mean.toFixed(1)} ms, longest ${most(least)}; longest in the first life ${most(lived[0])}`);
  }
} finally {
  await browser.close();
  server.close();
}

/** In the page: milliseconds of each call, of each life. */
async function play({ d, rounds, lives, sphereAt }) {
  const [{ kindred, Random }, { loadKernels }, { sphere }] = await Promise.all([
    import("@coterie/core"),
    import("@coterie/kernels"),
    import(sphereAt),
  ]);
  await loadKernels();
  const found = { choose: [], observe: [], close: [] };
  const timed = (call, act) => {
    const before = performance.now();
    const result = act();
    found[call].at(-1).push(performance.now() - before);
    return result;
  };
  for (let life = 0; life < lives; life++) {
    for (const times of Object.values(found)) times.push([]);
    const random = Random.seeded(1);
    const theta = sphere(random, 1, d);
    const learner = kindred().create(d, 1, "alone");
    for (let round = 1; round <= rounds; round++) {
      const values = sphere(random, 20, d);
      const arm = timed("choose", () => learner.choose({ count: 20, values }, round, undefined));
      const mean = theta.reduce((sum, value, i) => sum + value * values[arm * d + i], 0);
      timed("observe", () => learner.observe(values, arm * d, mean + 0.3 * random.normal()));
      timed("close", () => learner.close(round));
      // As in a page, where other things happen between.
      await new Promise((done) => setTimeout(done));
    }
  }
  return found;
}
