import { describe, expect, it } from "vitest";
import { follow, LONG, pages } from "./pages.mjs";

/**
 * Each page to the letter, in a clone that borrows this checkout's installation, so that `npm ci` costs nothing here: it is
 * what CI begins with. `npm run docs:follow` does the same from nothing, and the long pages too.
 */
const MOST_MS = 480_000;

describe("every command works as written", () => {
  it.each(pages().filter(({ name }) => !LONG.includes(name)))("$name", { timeout: MOST_MS + 60_000 }, async (page) => {
    const { code, out, commands } = await follow(page, { installed: true, mostMs: MOST_MS });
    expect(code, out.slice(-4000)).toBe(0);
    expect(commands).toBeGreaterThan(0);
  });

  it("all but the long pages, which are these", () => {
    const names = pages().map(({ name }) => name);
    for (const name of LONG) expect(names).toContain(name);
    expect(names.length - LONG.length).toBeGreaterThanOrEqual(6);
  });
});
