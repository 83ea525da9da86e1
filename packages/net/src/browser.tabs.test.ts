import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as entry from "./browser.ts";
import type { RoomPeer } from "./index.ts";
import { type Browser, launch } from "./testing/browser.ts";
import { bundle } from "./testing/bundle.ts";

/** Defined by the script that every tab begins with; the rest is the tab's own. */
declare const coterie: typeof entry;
declare global {
  var tabPeer: RoomPeer<ReturnType<typeof entry.vectors>>;
  /** Rewards that were acknowledged, and whether to go on. */
  var learnt: number;
  var learning: Promise<void>;
  var enough: boolean;
}

const executable = process.env.COTERIE_CHROMIUM;
let browser: Browser;

async function openTab(): Promise<Page> {
  const page = await browser.tab();
  await join(page);
  return page;
}

const join = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { createPeer, indexed, shared, vectors } = coterie;
    const store = shared(indexed("profile"));
    globalThis.tabPeer = await createPeer({ room: "tabs", features: vectors(3), store, tick: false });
    globalThis.learnt = 0;
  });

const state = (page: Page) => page.evaluate(() => globalThis.tabPeer.state());

/** Chooses and rewards without a pause, until it is told to stop. */
const beginToLearn = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const items = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    globalThis.enough = false;
    const learn = async (): Promise<void> => {
      while (!globalThis.enough) {
        const choices = [globalThis.tabPeer.choose(items), globalThis.tabPeer.choose(items)];
        const answers = await Promise.all(choices.map((choice) => choice.reward(choice.index === 1 ? 1 : 0)));
        if (answers.some((answer) => answer !== "learned")) throw new Error(`a reward was ${answers}`);
        globalThis.learnt += 2;
      }
    };
    globalThis.learning = learn();
  });

const stopLearning = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    globalThis.enough = true;
    await globalThis.learning;
    return globalThis.learnt;
  });

const learntIn = (page: Page): Promise<number> => page.evaluate(() => globalThis.learnt);

/** As the kernel or the browser ends a process: nothing in the page hears of it. */
async function kill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const gone = new Promise((resolve) => page.once("crash", resolve));
  session.send("Page.crash").catch(() => {});
  await gone;
}

describe.skipIf(!executable)("tabs of one profile", () => {
  beforeAll(async () => {
    browser = await launch(executable!, await bundle('export * from "@coterie/net/browser";', "iife"));
  });
  afterAll(() => browser?.close());

  it("five of them, the owner's renderer killed while rewards arrive: none is lost, none counts twice; nor in reloads", async () => {
    const tabs: Page[] = [];
    for (let k = 0; k < 5; k++) tabs.push(await openTab());
    expect(await Promise.all(tabs.map(async (tab) => (await state(tab)).follows))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    const [owner, ...others] = tabs;
    await Promise.all(others.map(beginToLearn));
    const allHave = async (least: number): Promise<boolean> =>
      (await Promise.all(others.map(learntIn))).every((count) => count >= least);
    await expect.poll(() => allHave(6)).toBe(true);
    await kill(owner!);
    const soFar = Math.max(...(await Promise.all(others.map(learntIn))));
    await expect.poll(() => allHave(soFar + 6)).toBe(true);
    const learnt = (await Promise.all(others.map(stopLearning))).reduce((sum, count) => sum + count);
    await expect
      .poll(() => Promise.all(others.map(async (tab) => (await state(tab)).own)))
      .toEqual(others.map(() => learnt));
    const roles = await Promise.all(others.map(async (tab) => (await state(tab)).follows));
    expect(roles.filter((follows) => !follows).length).toBe(1);

    const heir = others[roles.indexOf(false)]!;
    const rest = others.filter((tab) => tab !== heir);
    const earlier = learnt - (await Promise.all(rest.map(learntIn))).reduce((sum, count) => sum + count);
    await Promise.all(rest.map(beginToLearn));
    await heir.reload();
    await join(heir);
    const own = earlier + (await Promise.all(rest.map(stopLearning))).reduce((sum, count) => sum + count);
    await expect
      .poll(() => Promise.all(others.map(async (tab) => (await state(tab)).own)))
      .toEqual(others.map(() => own));
    // What is on the disk, for a tab that has it for itself.
    await Promise.all(others.map((tab) => tab.evaluate(() => globalThis.tabPeer.close())));
    const last = await openTab();
    expect(await state(last)).toMatchObject({ own, pending: 0, follows: false, incarnation: 1 });
    expect(browser.complaints).toEqual([]);
  });
});
