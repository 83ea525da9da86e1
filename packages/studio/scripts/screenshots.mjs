// Pictures of the pages, light and dark:  node packages/studio/scripts/screenshots.mjs FOLDER [SECONDS]
//
// Starts a real demo, lets it run for SECONDS (60), and takes the pictures of it.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withPage } from "./browser.mjs";

const [folder, seconds = "60"] = process.argv.slice(2);
if (folder === undefined) throw new Error("FOLDER must be given");
mkdirSync(folder, { recursive: true });
const bin = fileURLToPath(new URL("../../cli/bin/coterie.js", import.meta.url));
const demo = spawn(process.execPath, [bin, "demo"], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((resolve) =>
  demo.stdout.setEncoding("utf8").once("data", (text) => resolve(text.trim())),
);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
try {
  await wait(Number(seconds) * 1000);
  for (const colorScheme of ["light", "dark"]) {
    await withPage({ viewport: { width: 1280, height: 860 }, colorScheme }, async (page) => {
      // Whoever comes for a picture has seen the tour.
      await page.addInitScript(() => localStorage.setItem("coterie tour", "seen"));
      const take = (name) => page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
      await page.goto(url);
      await page.locator("tbody tr th").first().waitFor();
      await wait(2500);
      await take("network");
      await page.goto(new URL("/join", url).href);
      await page.getByText("In the room with").waitFor();
      for (const key of "5142535415") {
        await page.locator("#title").waitFor();
        await page.keyboard.press(key);
        await wait(1000);
      }
      await wait(4000);
      await take("join");
      await page.goto(new URL("/lab", url).href);
      await page.locator(".caption").waitFor();
      await take("lab");
    });
  }
} finally {
  demo.kill("SIGINT");
}
