import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, launch } from "../../testing/browser.ts";
import { bundle } from "../../testing/bundle.ts";
import type * as history from "../testing/pageHistory.ts";

/** Defined by the script that every tab begins with. */
declare const coterie: typeof history;

const executable = process.env.COTERIE_CHROMIUM;
let browser: Browser;
let page: Page;

describe.skipIf(!executable)("a store in a browser", () => {
  beforeAll(async () => {
    const path = new URL("../testing/pageHistory.ts", import.meta.url).pathname;
    browser = await launch(executable!, await bundle(`export * from ${JSON.stringify(path)};`, "iife"));
    page = await browser.tab();
  });
  afterAll(() => browser?.close());

  it("begins empty, and gives back what was appended, bit for bit, also to the next tab", async () => {
    const length = await page.evaluate(async () => {
      const store = coterie.indexed("kept")();
      const first = await store.open();
      if (first.incarnation !== 1 || first.entries.length > 0 || first.snapshot !== null) throw new Error("not empty");
      await Promise.all([0, 1, 2].map((n) => store.append(coterie.entries(n, n + 1))));
      await store.checkpoint(coterie.snapshotOf(3));
      await store.append(coterie.entries(3, 40));
      await store.close();
      return coterie.lengthOf(await coterie.reopened("kept"));
    });
    expect(length).toBe(40);
    const later = await browser.tab();
    expect(await later.evaluate(async () => coterie.lengthOf(await coterie.reopened("kept")))).toBe(40);
    await later.close();
  });

  it("is one tab's at a time: others are refused as by any store, until it is closed or the tab is gone", async () => {
    const first = await browser.tab();
    await first.evaluate(async () => {
      await coterie.indexed("shared")().open();
    });
    const refused = await page.evaluate(async () => {
      const store = coterie.indexed("shared")();
      const error = await store.open().catch((it: unknown) => it);
      return [error instanceof coterie.StoreBusy, String(error)];
    });
    expect(refused).toEqual([true, expect.stringContaining("is open elsewhere: close the other peer")]);
    await first.close();
    await expect
      .poll(() =>
        page.evaluate(() =>
          coterie.reopened("shared").then(
            () => "free",
            () => "busy",
          ),
        ),
      )
      .toBe("free");
  });

  it.each(["a turned byte", "a missing record", "no bytes at all"])(
    "repairs %s, and keeps the copy",
    async (damage) => {
      const name = `damaged by ${damage}`;
      const told = await page.evaluate(
        async ([place, how]) => {
          const store = coterie.indexed(place!)();
          await store.open();
          await store.append(coterie.entries(0, 4));
          await store.checkpoint(coterie.snapshotOf(4));
          await store.append(coterie.entries(4, 9));
          await store.close();
          await coterie.damage(place!, how!);
          const { incarnation, quarantined, ...rest } = await coterie.reopened(place!);
          const again = await coterie.reopened(place!);
          const same = coterie.lengthOf(again) === coterie.lengthOf({ incarnation, quarantined, ...rest });
          return {
            incarnation,
            quarantined,
            length: coterie.lengthOf(again),
            same,
            copies: await coterie.copies(place!),
          };
        },
        [name, damage],
      );
      expect(told).toMatchObject({ incarnation: 2, same: true, copies: ["damaged-1"] });
      expect(told.quarantined?.keptAt).toContain("damaged-1");
      expect(told.length).toBeGreaterThanOrEqual(4);
      expect(told.length).toBeLessThan(9);
    },
  );

  it("forgets when it is told to", async () => {
    const told = await page.evaluate(async () => {
      const store = coterie.indexed("forgotten")();
      await store.open();
      await store.append(coterie.entries(0, 3));
      await store.erase();
      const names = (await indexedDB.databases()).map(({ name }) => name);
      return { left: names.includes("coterie/forgotten"), again: await coterie.reopened("forgotten") };
    });
    expect(told).toMatchObject({ left: false, again: { incarnation: 1, snapshot: null, entries: [] } });
  });

  it("where a page may store nothing says so, and gives way to memory where that was chosen", async () => {
    const forbidden = await browser.tab();
    const told = await forbidden.evaluate(async () => {
      Object.defineProperty(indexedDB, "open", {
        value: () => {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
      const error = (await coterie
        .indexed("x")()
        .open()
        .catch((it: unknown) => it)) as { reason: string; message: string };
      const store = coterie.indexed("x", { otherwise: coterie.memoryStore() })();
      await store.open();
      await store.append(coterie.entries(0, 2));
      const kept = store.size.entries;
      await store.close();
      return { reason: error.reason, message: error.message, kept };
    });
    expect(told).toMatchObject({ reason: "forbidden", kept: 2 });
    expect(told.message).toContain("this page may store nothing");
    await forbidden.close();
  });

  it("asks for writes that reach the disk, and not to be cleared away", async () => {
    const tab = await browser.tab();
    const asked = await tab.evaluate(async () => {
      const durabilities: unknown[] = [];
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function (names, mode, options) {
        if (mode === "readwrite") durabilities.push(options?.durability);
        return transaction.call(this, names, mode, options);
      };
      let persisted = 0;
      navigator.storage.persist = async () => {
        persisted += 1;
        return true;
      };
      const store = coterie.indexed("synced")();
      await store.open();
      await store.append(coterie.entries(0, 2));
      await store.checkpoint(coterie.snapshotOf(2));
      await store.close();
      return { durabilities: [...new Set(durabilities)], persisted };
    });
    expect(asked).toEqual({ durabilities: ["strict"], persisted: 1 });
    await tab.close();
  });
});
