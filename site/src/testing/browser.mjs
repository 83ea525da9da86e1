import { once } from "node:events";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "../../../scripts/chromiumFlags.mjs";
import { siteServer } from "../server.mjs";

/** A browser, and the site served below a path of its own. `strange` gathers errors, and requests to anybody else. */
export async function openBrowser(folder) {
  const server = siteServer(folder, "/some/where/").listen(0, "127.0.0.1");
  await once(server, "listening");
  const home = `http://127.0.0.1:${server.address().port}/some/where/`;
  const browser = await chromium.launch({ executablePath: process.env.COTERIE_CHROMIUM, args: CHROMIUM_FLAGS });
  const strange = [];
  return {
    home,
    strange,
    async open(url, options) {
      const page = await browser.newPage(options);
      page.on("request", (request) => {
        if (!/^data:/.test(request.url()) && !request.url().startsWith(home)) strange.push(request.url());
      });
      page.on("pageerror", (error) => strange.push(error.message));
      page.on("response", (response) => {
        if (response.status() >= 400) strange.push(`${response.status()} ${response.url()}`);
      });
      await page.goto(home + url);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
