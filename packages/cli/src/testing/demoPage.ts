import type { ChildProcess } from "node:child_process";
import type { Beat, NetworkModel } from "@coterie/studio";
import type { Page } from "playwright-core";
import { start } from "./coterie.ts";
import { openTabs, type Tabs } from "./tabs.ts";

/** Far beyond what a busy machine needs; and no more looks than that one can afford. */
export const PATIENCE = { timeout: 90_000, interval: 250 };

/** What a page of the network keeps for tests. */
interface Kept {
  readonly coterie: {
    readonly moment: { readonly value: { timeline: { beats: Beat[] }; index: number; model: NetworkModel } };
  };
}

/** A page of the network, and what a test asks of it again and again. */
export class NetworkPage {
  constructor(readonly page: Page) {}

  text(selector: string): Promise<string> {
    return this.page.locator(selector).innerText();
  }

  button(name: string) {
    return this.page.getByRole("button", { name, exact: true });
  }

  names(): Promise<string[]> {
    return this.page.locator(".table tbody tr th").allInnerTexts();
  }

  /** What the table says of each peer that is in sight: there, gone, lies. */
  states(): Promise<string[]> {
    return this.page.locator(".table tbody tr td:last-child").allInnerTexts();
  }

  /** All beats the page has. */
  beats(): Promise<Beat[]> {
    return this.page.evaluate(() => (globalThis as unknown as Kept).coterie.moment.value.timeline.beats);
  }

  /** Those up to the moment that is shown. */
  shownBeats(): Promise<Beat[]> {
    return this.page.evaluate(() => {
      const { timeline, index } = (globalThis as unknown as Kept).coterie.moment.value;
      return timeline.beats.slice(0, index + 1);
    });
  }

  /** What has moved on the page so far without its reader's doing: the largest sum within five seconds. */
  layoutShift(): Promise<number> {
    return this.page.evaluate(() => (globalThis as unknown as { layoutShift: () => number }).layoutShift());
  }

  /** Every peer that is there: whom it pools with, how many others it sees, what it is in truth. */
  peers(): Promise<
    { peer: number; name: string; cluster: number | null; pool: number[]; sees: number; choices: number }[]
  > {
    return this.page.evaluate(() => {
      const { model } = (globalThis as unknown as Kept).coterie.moment.value;
      return model.peers
        .filter(({ peer }) => model.isPresent(peer))
        .map(({ peer, name, cluster }) => ({
          peer,
          name,
          cluster,
          pool: [...model.pool(peer)],
          sees: model.value(peer, "sees"),
          choices: model.value(peer, "choices"),
        }));
    });
  }
}

/** A demo in processes of its own, its page in a browser that has never been used. */
export interface DemoPage extends NetworkPage {
  readonly tabs: Tabs;
  /** The page's address without the token. */
  readonly plain: string;
  /** As Ctrl-C does. */
  interrupt(): Promise<unknown>;
  close(): Promise<void>;
}

/** The first address that a command prints. */
export function address(child: ChildProcess, ended: Promise<{ err: string }>): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = "";
    child.stdout?.on("data", (part: string) => {
      out += part;
      const found = /http:\/\/\S+/.exec(out);
      if (found !== null) resolve(found[0]);
    });
    ended.then(({ err }) => reject(new Error(`it ended before it said where it is: ${err}`)), reject);
  });
}

export async function openDemo(executable: string, args: readonly string[]): Promise<DemoPage> {
  const { child, ended } = start(["demo", ...args]);
  const url = await address(child, ended);
  const tabs = await openTabs(executable);
  const interrupt = (): Promise<unknown> => {
    child.kill("SIGINT");
    return ended;
  };
  const close = async (): Promise<void> => {
    await tabs.close();
    await interrupt();
  };
  const page = new NetworkPage(await tabs.open(url));
  return Object.assign(page, { tabs, plain: url.split("#")[0] ?? url, interrupt, close });
}
