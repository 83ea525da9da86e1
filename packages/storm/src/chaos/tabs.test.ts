import { setTimeout } from "node:timers/promises";
import { Random } from "@coterie/core";
import { slotSize } from "@coterie/core/internal";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createPeer,
  dcb,
  type Hub,
  type Libp2pNetwork,
  libp2p,
  type NetworkFactory,
  type RoomPeer,
  startHub,
  vectors,
} from "../../../net/src/index.ts";
import { type Browser, launch } from "../../../net/src/testing/browser.ts";
import { bundle } from "../../../net/src/testing/bundle.ts";
import { addHeld, gap } from "../mass.ts";
import { heldBy, join, learn, ROOM_KEY, stateOf, type Tabs, type Told, tickTab, toldBy } from "./testing/tabs.ts";

/** A few in every run of the tests; COTERIE_TAB_CLOSES=200 for the whole. */
const CLOSES = Number(process.env.COTERIE_TAB_CLOSES ?? 9);
const D = 3;
const LISTEN = ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"];
const executable = process.env.COTERIE_CHROMIUM;

type NodePeer = RoomPeer<ReturnType<typeof vectors>>;

let browser: Browser;
let hub: Hub;
/** Runs when a message of a tab has come and is not answered yet, before and after it took effect; when one leaves. */
const hooks: Record<"arrived" | "answered" | "asked", (() => void) | null> = {
  arrived: null,
  answered: null,
  asked: null,
};
let struck = 0;

/** The hook's turn has come: once. */
function fire(name: keyof typeof hooks): void {
  const hook = hooks[name];
  hooks[name] = null;
  if (hook === null) return;
  struck += 1;
  hook();
}

/** A network like any other, in which it can be seen that an exchange is under way. */
const watched: NetworkFactory = async (room) => {
  const network: Libp2pNetwork = await libp2p({
    listen: LISTEN.slice(0, 1),
    bootstrap: [...hub.addresses],
    roomKey: ROOM_KEY,
  })(room);
  const { link } = network;
  const serve = link.serve.bind(link);
  const request = link.request.bind(link);
  link.serve = (handler) =>
    serve(async (from, message) => {
      fire("arrived");
      const answer = await handler(from, message);
      fire("answered");
      return answer;
    });
  link.request = (to, message, options) => {
    const answer = request(to, message, options);
    fire("asked");
    return answer;
  };
  return network;
};

function weigh(total: Float64Array, { x, reward }: Pick<Told, "x" | "reward">): void {
  let at = 0;
  for (let i = 0; i < D; i++) for (let j = 0; j <= i; j++) total[at++]! += x[i]! * x[j]!;
  for (let i = 0; i < D; i++) total[at++]! += reward * x[i]!;
}

const soon = (): AbortSignal => AbortSignal.timeout(3000);

/** The tab is closed, and whatever it was asked to do ends with that. A partner that is out of reach is tried again. */
async function closing(page: Page, when: keyof typeof hooks, work: () => Promise<unknown>): Promise<void> {
  let closed: Promise<void> | null = null;
  hooks[when] = () => {
    closed = page.close();
  };
  for (let tries = 0; closed === null && tries < 20; tries++) await work().catch(() => {});
  expect(closed, `a message that ${when}`).not.toBeNull();
  await closed;
}

/** Ways to be in the middle of something when the tab closes. */
const MIDDLES: readonly ((page: Page, self: string, node: NodePeer) => Promise<void>)[] = [
  // Its proposal has arrived, and nobody has looked at it.
  (page, _, node) => closing(page, "arrived", () => tickTab(page, node.self)),
  // The partner has mixed, and its answer is on the way.
  (page, _, node) => closing(page, "answered", () => tickTab(page, node.self)),
  // A proposal to the tab has left.
  (page, self, node) => closing(page, "asked", () => node.tick({ partner: self, signal: soon() })),
];

/** Until neither side is in doubt. */
async function land(page: Page, self: string, node: NodePeer): Promise<void> {
  const open = async (): Promise<boolean> => node.state().inDoubt !== null || (await stateOf(page)).inDoubt !== null;
  for (const end = Date.now() + 120_000; (await open()) && Date.now() < end; await setTimeout(50)) {
    // A peer gives an exchange up after 20 ticks without an answer. On a busy machine a connection takes longer than that, so the
    // peer asks only after the tab has reached it.
    const reached = await tickTab(page, node.self);
    if (reached !== null && reached !== "in-doubt") await node.tick({ partner: self, signal: soon() });
  }
  expect(await open()).toBe(false);
}

/** A tab and the peer it meets. */
async function meet(tabs: Tabs, node: NodePeer): Promise<{ page: Page; self: string }> {
  const page = await browser.tab();
  const self = await join(page, tabs);
  await expect.poll(() => node.state().alive, { interval: 50 }).toContain(self);
  return { page, self };
}

/** What is left after many tabs, one after the other, were closed. */
interface Left {
  readonly names: ReadonlySet<string>;
  /** Rewards that the tabs were told are learnt, and that the last one knows. */
  readonly learnt: number;
  readonly own: number;
  readonly intact: boolean;
  /** What the peer in Node knows and was told. */
  readonly node: ReturnType<NodePeer["state"]>;
  readonly told: number;
  /** How far the sums of both are off. */
  readonly offBy: number;
}

/** Opens a tab, lets it learn and meet `node`, closes it in the middle of that; again and again. */
async function closeTabs(tabs: Tabs, node: NodePeer, closes: number): Promise<Left> {
  const random = Random.seeded(7);
  const sum = new Float64Array(slotSize(D));
  const names = new Set<string>();
  for (let k = 0; k < closes; k++) {
    const { page, self } = await meet(tabs, node);
    names.add(self);
    await learn(page, tabs, 2);
    const items = [0, 1].map(() => Array.from({ length: D }, () => random.uniform() / 2));
    const choice = node.choose(items);
    expect(await choice.reward(1)).toBe("learned");
    weigh(sum, { x: items[choice.index]!, reward: 1 });
    await land(page, self, node);
    // Every other time it is telling rewards as well.
    if (k % 2 === 1) void learn(page, tabs, 1000).catch(() => {});
    await MIDDLES[k % MIDDLES.length]!(page, self, node);
  }

  const { page, self } = await meet(tabs, node);
  await learn(page, tabs, 0);
  await land(page, self, node);
  for (let k = 0; k < 2; k++) {
    await node.tick({ partner: null });
    await tickTab(page, null);
  }
  const learnt = (await toldBy(page, tabs)).filter(({ answer }) => answer === "learned" || answer === "duplicate");
  for (const one of learnt) weigh(sum, one);
  const { own, quarantined } = await stateOf(page);
  const held = Float64Array.from(await heldBy(page));
  addHeld(held, node.host);
  await page.close();
  const intact = quarantined === null;
  return { names, learnt: learnt.length, own, intact, node: node.state(), told: closes, offBy: gap(held, sum) };
}

describe.skipIf(!executable)("a tab that is closed in the middle of an exchange", () => {
  beforeAll(async () => {
    browser = await launch(executable!, await bundle('export * from "@coterie/net/browser";', "iife"));
    hub = await startHub({ listen: LISTEN });
  });

  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  async function run(room: string, closes: number, forgetful = false): Promise<Left> {
    const policy = dcb({ weight: "mean", delay: { rounds: 20 } });
    const node = await createPeer({ room, features: vectors(D), policy, network: watched, tick: false });
    const bootstrap = hub.addresses.find((it) => it.includes("/ws/"))!;
    struck = 0;
    try {
      return await closeTabs({ room, dimension: D, bootstrap, forgetful }, node, closes);
    } finally {
      await node.close();
    }
  }

  it(
    "loses no reward, takes none twice, and leaves its partner whole",
    async () => {
      const { names, learnt, own, intact, node, told, offBy } = await run("tabs that are closed", CLOSES);
      expect(struck).toBe(CLOSES);
      expect(names.size).toBe(1);
      expect(intact).toBe(true);
      expect(own).toBe(learnt);
      expect(own).toBeGreaterThanOrEqual(2 * CLOSES);
      expect(node).toMatchObject({ own: told, massAtRisk: 0, quarantined: null });
      expect(offBy).toBeLessThan(1e-9);
    },
    60_000 + 30_000 * CLOSES,
  );

  it("would be seen to lose a reward, if its store forgot one now and then", async () => {
    const { learnt, own, offBy } = await run("tabs that forget", 4, true);
    expect(own).toBeLessThan(learnt);
    expect(offBy).toBeGreaterThan(1e-6);
  });
});
