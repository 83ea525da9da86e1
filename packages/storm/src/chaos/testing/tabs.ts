import type { DcbOffer } from "@coterie/core/internal";
import type { RoomPeer, vectors } from "@coterie/net";
import type * as entry from "@coterie/net/browser";
import type { Page } from "playwright-core";

/** What a tab keeps in its local storage of each choice: what it told, and what it was answered. */
export interface Told {
  readonly x: readonly number[];
  readonly reward: number;
  answer: string | null;
}

/** Members know each other, so a partner that falls silent is asked for 20 ticks; a stranger would be given up sooner. */
export const ROOM_KEY = "a key for tabs that are closed";

/** How tabs of one test live. */
export interface Tabs {
  readonly room: string;
  readonly dimension: number;
  /** The hub's address. */
  readonly bootstrap: string;
  /** A planted bug: every other reward is acknowledged and not written down. */
  readonly forgetful: boolean;
}

/** Defined by the script that every tab begins with; `tabPeer` is the tab's own. */
declare const coterie: typeof entry;
declare global {
  var tabPeer: RoomPeer<ReturnType<typeof vectors>>;
}

/** Opens the tab's peer; a store that the tab before has not let go yet is tried again. */
export function join(page: Page, tabs: Tabs): Promise<string> {
  return page.evaluate(
    async ({ bootstrap, room, dimension, forgetful, roomKey }) => {
      const { createPeer, dcb, libp2p, indexed, vectors } = coterie;
      const opened = indexed(room);
      const store = () => {
        const kept = opened();
        const append = kept.append.bind(kept);
        let rewards = 0;
        const remembered = ({ kind }: { readonly kind: string }) => kind !== "observe" || ++rewards % 2 !== 0;
        if (forgetful) kept.append = (entries, options) => append(entries.filter(remembered), options);
        return kept;
      };
      for (let tries = 0; ; tries++) {
        try {
          globalThis.tabPeer = await createPeer({
            room,
            features: vectors(dimension),
            policy: dcb({ weight: "mean", delay: { rounds: 20 } }),
            network: libp2p({ bootstrap: [bootstrap], roomKey }),
            store,
            tick: false,
          });
          return globalThis.tabPeer.self;
        } catch (error) {
          if ((error as Error).name !== "StoreBusy" || tries > 100) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
    { ...tabs, roomKey: ROOM_KEY },
  );
}

/** Tells again what has no answer, then chooses and tells `count` times; notes before it tells, and when it is answered. */
export function learn(page: Page, { room, dimension }: Tabs, count: number): Promise<void> {
  return page.evaluate(
    async ({ room, dimension, count }) => {
      const told = JSON.parse(localStorage.getItem(room) ?? "{}") as Record<string, Told>;
      const save = () => localStorage.setItem(room, JSON.stringify(told));
      const tell = async (id: string): Promise<void> => {
        const one = told[id]!;
        one.answer = await globalThis.tabPeer.reward(id, one.reward);
        save();
      };
      for (const [id, { answer }] of Object.entries(told)) if (answer === null) await tell(id);
      for (let k = 0; k < count; k++) {
        const items = [0, 1, 2].map((shift) =>
          Array.from({ length: dimension }, (_, i) => Math.sin(k + shift + 2.3 * i) / 2),
        );
        const { id, index } = globalThis.tabPeer.choose(items);
        told[id] = { x: items[index]!, reward: k % 2, answer: null };
        save();
        await tell(id);
      }
    },
    { room, dimension, count },
  );
}

export const toldBy = (page: Page, { room }: Tabs): Promise<Told[]> =>
  page.evaluate((key) => Object.values(JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, Told>), room);

/** Everything that the tab's peer holds, of anybody's observations. */
export const heldBy = (page: Page): Promise<number[]> =>
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

export const tickTab = (page: Page, partner: string | null): Promise<string | null> =>
  page.evaluate((to) => globalThis.tabPeer.tick({ partner: to }), partner);

export const stateOf = (page: Page): Promise<ReturnType<typeof globalThis.tabPeer.state>> =>
  page.evaluate(() => globalThis.tabPeer.state());
