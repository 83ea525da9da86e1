import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { CHROMIUM_FLAGS } from "../../../../scripts/chromiumFlags.mjs";

/** A browser that has never been used, and whose tabs are listened to. */
export interface Tabs {
  readonly context: BrowserContext;
  open(url: string): Promise<Page>;
  /** What went wrong: errors on a console or that nobody caught, and requests that leave this machine. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function openTabs(executablePath: string, width = 1280): Promise<Tabs> {
  const profile = mkdtempSync(join(tmpdir(), "coterie-chromium-"));
  const viewport = { width, height: 900 };
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: CHROMIUM_FLAGS, viewport });
  await context.addInitScript(watchLayout);
  const complaints: string[] = [];
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    const local = hostname === "127.0.0.1" || protocol === "data:" || protocol === "blob:";
    if (!local) complaints.push(`a request to ${request.url()}`);
  });
  const listen = (page: Page): void => {
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
  };
  context.on("page", listen);
  return {
    context,
    complaints,
    async open(url) {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Run in a page before its own scripts: defines `layoutShift`, the page's cumulative layout shift (web.dev/cls). */
function watchLayout(): void {
  let [most, sum, first, last] = [0, 0, 0, 0];
  const note = ({
    value,
    startTime,
    hadRecentInput,
  }: PerformanceEntry & { value: number; hadRecentInput: boolean }) => {
    if (hadRecentInput) return;
    // A window lasts at most five seconds, and ends after one without a shift.
    const goesOn = startTime - last < 1000 && startTime - first < 5000;
    [sum, first] = goesOn ? [sum + value, first] : [value, startTime];
    last = startTime;
    most = Math.max(most, sum);
  };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) note(entry as Parameters<typeof note>[0]);
  });
  observer.observe({ type: "layout-shift", buffered: true });
  Object.assign(globalThis, { layoutShift: () => most });
}

/** Run in a page before its own scripts: defines `isTabToTab`, which says whether a connection to another tab stands. */
export function watchTabToTab(): void {
  const made: RTCPeerConnection[] = [];
  const Real = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      made.push(this);
    }
  };
  // One channel at a time is open for the handshake, whether or not this end counts it; two are the streams of both sides.
  const isAgreed = async (one: RTCPeerConnection): Promise<boolean> => {
    if (one.connectionState !== "connected") return false;
    type Channels = { readonly dataChannelsOpened?: number; readonly dataChannelsClosed?: number };
    const stats = [...((await one.getStats()) as unknown as Map<string, Channels>).values()];
    return stats.some(
      ({ dataChannelsOpened = 0, dataChannelsClosed = 0 }) => dataChannelsOpened - dataChannelsClosed > 1,
    );
  };
  Object.assign(globalThis, { isTabToTab: async () => (await Promise.all(made.map(isAgreed))).includes(true) });
}
