import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on a page, in light and in dark: how grave, which rule, and where it is broken. */
export async function faultsOf(page: Page): Promise<string[]> {
  // Evaluated by the browser's own hand: the page's policy would let no such script in.
  await page.evaluate(source);
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
      return axe.run({ resultTypes: ["violations"] });
    });
    for (const { id, impact, nodes } of violations) {
      for (const { target } of nodes) found.push(`${colorScheme}: ${impact}, ${id}, ${String(target)}`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}
