import { type DcbOffer, Random, slotSize } from "@coterie/core";
import type * as entry from "@coterie/net/browser";
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
import { addHeld, gap } from "../checks/mass.ts";

/** What a tab keeps in its local storage of each choice: what it told, and what it was answered. */
interface Told {
  readonly x: readonly number[];
  readonly reward: number;
  answer: string | null;
}

/** Defined by the script that every tab begins with; `peer` is the tab's own. */
declare const coterie: typeof entry;
declare global {
  var tabPeer: RoomPeer<ReturnType<typeof vectors>>;
}

/** A few in every run of the tests; COTERIE_TAB_CLOSES=200 for the whole. */
const CLOSES = Number(process.env.COTERIE_TAB_CLOSES ?? 9);
const D = 3;
const ROOM = "tabs that are closed";
const LISTEN = ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"];
const executable = process.env.COTERIE_CHROMIUM;

let browser: Browser;
let hub: Hub;
let node: RoomPeer<ReturnType<typeof vectors>>;
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
  const network: Libp2pNetwork = await libp2p({ listen: LISTEN.slice(0, 1), bootstrap: [...hub.addresses] })(room);
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

/** Opens the tab's peer; a store that the tab before has not let go yet is tried again. */
function join(page: Page): Promise<string> {
  const bootstrap = hub.addresses.find((it) => it.includes("/ws/"))!;
  return page.evaluate(
    async ({ bootstrap, room, d }) => {
      const { createPeer, dcb, libp2p, indexed, vectors } = coterie;
      for (let tries = 0; ; tries++) {
        try {
          globalThis.tabPeer = await createPeer({
            room,
            features: vectors(d),
            policy: dcb({ weight: "mean", delay: { rounds: 20 } }),
            network: libp2p({ bootstrap: [bootstrap] }),
            store: indexed(room),
            tick: false,
          });
          return globalThis.tabPeer.self;
        } catch (error) {
          if ((error as Error).name !== "StoreBusy" || tries > 100) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
    { bootstrap, room: ROOM, d: D },
  );
}

/** Tells again what has no answer, then chooses and tells `count` times; notes before it tells, and when it is answered. */
const learn = (page: Page, count: number): Promise<void> =>
  page.evaluate(
    async ({ count, d }) => {
      const told = JSON.parse(localStorage.getItem("told") ?? "{}") as Record<string, Told>;
      const save = () => localStorage.setItem("told", JSON.stringify(told));
      const tell = async (id: string): Promise<void> => {
        const one = told[id]!;
        one.answer = await globalThis.tabPeer.reward(id, one.reward);
        save();
      };
      for (const [id, { answer }] of Object.entries(told)) if (answer === null) await tell(id);
      for (let k = 0; k < count; k++) {
        const items = [0, 1, 2].map((shift) => Array.from({ length: d }, (_, i) => Math.sin(k + shift + 2.3 * i) / 2));
        const { id, index } = globalThis.tabPeer.choose(items);
        told[id] = { x: items[index]!, reward: k % 2, answer: null };
        save();
        await tell(id);
      }
    },
    { count, d: D },
  );

const toldBy = (page: Page): Promise<Told[]> =>
  page.evaluate(() => Object.values(JSON.parse(localStorage.getItem("told") ?? "{}") as Record<string, Told>));

/** Everything that the tab's peer holds, of anybody's observations. */
const heldBy = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const { learner } = globalThis.tabPeer.host.peer;
    const { slots } = learner.offer() as DcbOffer;
    const total = Array.from(learner.view.active);
    for (let position = 0; position < slots.length; position++) {
      const from = slots.offset(position);
      for (let k = 0; k < total.length; k++) total[k]! += slots.values[from + k]!;
    }
    return total;
  });

function weigh(total: Float64Array, { x, reward }: Pick<Told, "x" | "reward">): void {
  let at = 0;
  for (let i = 0; i < D; i++) for (let j = 0; j <= i; j++) total[at++]! += x[i]! * x[j]!;
  for (let i = 0; i < D; i++) total[at++]! += reward * x[i]!;
}

const soon = (): AbortSignal => AbortSignal.timeout(3000);
const tickTab = (page: Page, partner: string | null): Promise<string | null> =>
  page.evaluate((to) => globalThis.tabPeer.tick({ partner: to }), partner);

/** The tab is closed, and whatever it was asked to do ends with that. */
async function during(work: Promise<unknown>, closed: Promise<void>): Promise<void> {
  await Promise.allSettled([work, closed]);
  await closed;
}

/** Ways to be in the middle of something when the tab closes. */
const MIDDLES: readonly ((page: Page, self: string) => Promise<void>)[] = [
  // Its proposal has arrived, and nobody has looked at it.
  (page) => closing(page, "arrived", () => tickTab(page, node.self)),
  // The partner has mixed, and its answer is on the way.
  (page) => closing(page, "answered", () => tickTab(page, node.self)),
  // A proposal to the tab has left.
  (page, self) => closing(page, "asked", () => node.tick({ partner: self, signal: soon() })),
];

async function closing(page: Page, when: keyof typeof hooks, work: () => Promise<unknown>): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => {
    hooks[when] = () => void page.close().then(resolve, reject);
  });
  await during(work(), closed);
}

/** Until neither side is in doubt. */
async function land(page: Page, self: string): Promise<void> {
  const open = async (): Promise<boolean> =>
    node.state().inDoubt !== null || (await page.evaluate(() => globalThis.tabPeer.state().inDoubt)) !== null;
  for (let k = 0; k < 15 && (await open()); k++) {
    await node.tick({ partner: self, signal: soon() });
    await tickTab(page, node.self);
  }
  expect(await open()).toBe(false);
}

describe.skipIf(!executable)("a tab that is closed in the middle of an exchange", () => {
  beforeAll(async () => {
    browser = await launch(executable!, await bundle('export * from "@coterie/net/browser";', "iife"));
    hub = await startHub({ listen: LISTEN });
    const policy = dcb({ weight: "mean", delay: { rounds: 20 } });
    node = await createPeer({ room: ROOM, features: vectors(D), policy, network: watched, tick: false });
  });

  afterAll(async () => {
    await browser?.close();
    await node?.close();
    await hub?.close();
  });

  it(
    "loses no reward, takes none twice, and leaves its partner whole",
    async () => {
      const random = Random.seeded(7);
      const sum = new Float64Array(slotSize(D));
      let mine = 0;
      const names = new Set<string>();
      for (let k = 0; k < CLOSES; k++) {
        const page = await browser.tab();
        const self = await join(page);
        names.add(self);
        await expect.poll(() => node.state().alive, { timeout: 30_000, interval: 50 }).toContain(self);
        await learn(page, 2);
        const items = [0, 1].map(() => Array.from({ length: D }, () => random.uniform() / 2));
        const choice = node.choose(items);
        expect(await choice.reward(1)).toBe("learned");
        weigh(sum, { x: items[choice.index]!, reward: 1 });
        mine += 1;
        await land(page, self);
        // Every other time it is telling rewards as well.
        if (k % 2 === 1) void learn(page, 1000).catch(() => {});
        await MIDDLES[k % MIDDLES.length]!(page, self);
      }
      expect(names.size).toBe(1);
      expect(struck).toBe(CLOSES);

      const page = await browser.tab();
      const self = await join(page);
      await expect.poll(() => node.state().alive, { timeout: 30_000, interval: 50 }).toContain(self);
      await learn(page, 0);
      await land(page, self);
      for (let k = 0; k < 2; k++) {
        await node.tick({ partner: null });
        await tickTab(page, null);
      }
      const told = await toldBy(page);
      const learnt = told.filter(({ answer }) => answer === "learned" || answer === "duplicate");
      for (const one of learnt) weigh(sum, one);
      const { own, quarantined } = await page.evaluate(() => globalThis.tabPeer.state());
      expect(quarantined).toBeNull();
      expect(own).toBe(learnt.length);
      expect(own).toBeGreaterThanOrEqual(2 * CLOSES);
      expect(node.state()).toMatchObject({ own: mine, massAtRisk: 0, quarantined: null });
      const held = Float64Array.from(await heldBy(page));
      addHeld(held, node.host);
      expect(gap(held, sum)).toBeLessThan(1e-9);
    },
    60_000 + 30_000 * CLOSES,
  );
});
