import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, launch } from "../../testing/browser.ts";
import { bundle } from "../../testing/bundle.ts";

const executable = process.env.COTERIE_CHROMIUM;
let browser: Browser;
let script: string;

/** What a page does, beside what the package gives it: `openPeer` and `learn`, which tell errors as text. */
const HELPERS = `
import * as coterie from "@coterie/net/browser";
export * from "@coterie/net/browser";
const told = (error) => error.name + " " + (error.reason ?? "") + ": " + error.message;
globalThis.heard = [];
globalThis.learnt = 0;
globalThis.openPeer = async (name, shared = false) => {
  try {
    const store = shared ? coterie.shared(coterie.indexed(name)) : coterie.indexed(name);
    const onEvent = (event) => heard.push(event.kind);
    globalThis.keeper = await coterie.createPeer({ room: name, features: coterie.vectors(100), store, tick: false, onEvent });
    const { own, incarnation } = keeper.state();
    return "open: " + own + " of incarnation " + incarnation;
  } catch (error) { return told(error); }
};
globalThis.learn = async (times) => {
  try {
    for (let k = 0; k < times; k++, globalThis.learnt++) await keeper.choose([0, 1].map((k) => Array.from({ length: 100 }, (_, i) => (i === k ? 1 : 0)))).reward(1);
    return "learnt " + keeper.state().own;
  } catch (error) { return told(error); }
};
globalThis.closePeer = () => keeper.close().then(() => "closed", told);
`;

const call = (page: Page, name: string, ...args: unknown[]): Promise<string> =>
  page.evaluate(
    ([it, given]) => (globalThis as never as Record<string, (...all: unknown[]) => Promise<string>>)[it](...given),
    [name, args] as [string, unknown[]],
  );
const heard = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as never as { heard: string[] }).heard);

/** What another page of the site does to the database. */
const otherwise = (page: Page, name: string, version: number | null): Promise<string> =>
  page.evaluate(
    ([database, wanted]) =>
      new Promise((resolve) => {
        const request = wanted === null ? indexedDB.deleteDatabase(database) : indexedDB.open(database, wanted);
        request.onsuccess = () => {
          if (wanted !== null) (request.result as IDBDatabase).close();
          resolve("done");
        };
        request.onerror = () => resolve(String(request.error));
      }),
    [`coterie/${name}`, version] as [string, number | null],
  );

describe.skipIf(!executable)("a browser's database that is lost, full or of another version", () => {
  let page: Page;
  let other: Page;

  beforeAll(async () => {
    script = await bundle(HELPERS, "iife");
    browser = await launch(executable!, script);
    page = await browser.tab();
    other = await browser.tab();
  });
  afterAll(() => browser?.close());

  it("deleted under an open peer: that is told, and the next start is a new incarnation that says so", async () => {
    expect(await call(page, "openPeer", "deleted")).toBe("open: 0 of incarnation 1");
    expect(await call(page, "learn", 3)).toBe("learnt 3");
    expect(await otherwise(other, "deleted", null)).toBe("done");
    expect(await call(page, "learn", 1)).toMatch(/^StoreError damaged: .*was deleted while it was open: open it again/);
    expect(await call(page, "closePeer")).toBe("closed");
    expect(await heard(page)).not.toContain("repaired");
    expect(await call(page, "openPeer", "deleted")).toBe("open: 0 of incarnation 2");
    expect(await heard(page)).toContain("repaired");
    expect(await call(page, "learn", 2)).toBe("learnt 2");
    await call(page, "closePeer");
  });

  it("deleted while closed: the next start does not take it for a first one", async () => {
    expect(await call(page, "openPeer", "gone")).toBe("open: 0 of incarnation 1");
    await call(page, "closePeer");
    await otherwise(other, "gone", null);
    expect(await call(page, "openPeer", "gone")).toBe("open: 0 of incarnation 2");
    await call(page, "closePeer");
  });

  it("a later version of the page converts it: the old tab lets go and says so, and reads it no more", async () => {
    expect(await call(page, "openPeer", "converted")).toBe("open: 0 of incarnation 1");
    expect(await otherwise(other, "converted", 2)).toBe("done");
    expect(await call(page, "learn", 1)).toMatch(
      /^StoreError version: a later version of this page has taken the store/,
    );
    await call(page, "closePeer");
    expect(await call(page, "openPeer", "converted")).toMatch(
      /^StoreError version: .*later version than this page reads/,
    );
    expect(await call(page, "openPeer", "converted", true)).toMatch(/^StoreError version: /);
    const versions = await page.evaluate(async () =>
      (await indexedDB.databases()).map(({ name, version }) => [name, version]),
    );
    expect(versions).toContainEqual(["coterie/converted", 2]);
  });

  it("a database that is something else is left alone", async () => {
    expect(await otherwise(other, "foreign", 1)).toBe("done");
    expect(await call(page, "openPeer", "foreign")).toMatch(/^StoreError foreign: .*is not a store/);
  });

  it("a full quota: a reward that was not written is told; with space again, what was acknowledged is there", async () => {
    // An origin that has stored nothing yet: a browser does not look at the quota again before it must.
    const origin = browser.origin.replace("127.0.0.1", "localhost");
    const small = await browser.tab();
    await small.goto(origin);
    const session = await small.context().newCDPSession(small);
    const quota = (quotaSize?: number) =>
      session.send("Storage.overrideQuotaForOrigin", { origin, ...(quotaSize !== undefined && { quotaSize }) });
    await quota(400_000);
    expect(await call(small, "openPeer", "full")).toBe("open: 0 of incarnation 1");
    expect(await call(small, "learn", 5)).toBe("learnt 5");
    expect(await call(small, "learn", 1000)).toMatch(/^StoreError full: .*no space left/);
    const acknowledged = await small.evaluate(() => (globalThis as never as { learnt: number }).learnt);
    await call(small, "closePeer");
    await quota(1);
    expect(await call(small, "openPeer", "new", true)).toMatch(/^StoreError full: /);
    await quota();
    expect(await call(small, "openPeer", "full")).toBe(`open: ${acknowledged} of incarnation 1`);
    expect(await call(small, "learn", 1)).toBe(`learnt ${acknowledged + 1}`);
    await small.close();
  });

  it("the browser's own files damaged: a working peer that says what was lost, or a typed error", async () => {
    const profile = mkdtempSync(join(tmpdir(), "coterie-profile-"));
    try {
      const first = await launch(executable!, script, { profile });
      const port = Number(new URL(first.origin).port);
      const tab = await first.tab();
      expect(await call(tab, "openPeer", "files")).toBe("open: 0 of incarnation 1");
      expect(await call(tab, "learn", 4)).toBe("learnt 4");
      await first.close();
      const folder = join(profile, "Default", "IndexedDB");
      const databases = readdirSync(folder).filter((name) => name.endsWith(".leveldb"));
      expect(databases.length).toBe(1);
      for (const file of readdirSync(join(folder, databases[0]!))) {
        if (/^MANIFEST|\.ldb$|\.log$/.test(file)) writeFileSync(join(folder, databases[0]!, file), "not what it was");
      }
      const second = await launch(executable!, script, { profile, port });
      const again = await second.tab();
      const told = await call(again, "openPeer", "files");
      if (told.startsWith("open")) {
        expect(told).toBe("open: 0 of incarnation 2");
        expect(await heard(again)).toContain("repaired");
        expect(await call(again, "learn", 2)).toBe("learnt 2");
      } else expect(told).toMatch(/^StoreError (failed|damaged): /);
      await second.close();
    } finally {
      rmSync(profile, { recursive: true, force: true });
    }
  });
});
