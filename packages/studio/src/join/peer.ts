import {
  createPeer,
  defineFeatures,
  flag,
  indexed,
  libp2p,
  number,
  oneHot,
  type RoomPeer,
  StoreBusy,
} from "@coterie/net/browser";
import { webrtc } from "@coterie/webrtc";
import { signal } from "@preact/signals";
import { type Card, DECK_ARMS, DECK_REWARD, DECK_ROOM, deckFeatures, makeDeck } from "../deck/cards.ts";
import { ask } from "../page/token.ts";

const FEATURES = deckFeatures({ oneHot, number, flag });
export const features = defineFeatures(FEATURES);
type TabPeer = RoomPeer<typeof FEATURES>;
type TabChoice = ReturnType<TabPeer["choose"]> & { readonly item: Card };

/** How the tab stands. */
export type Standing =
  | { readonly kind: "opening" }
  /** Another tab of this browser is this peer. */
  | { readonly kind: "busy" }
  /** No demo and no hub answers, or it cannot be joined. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "open" };

export const standing = signal<Standing>({ kind: "opening" });
/** What it remembered when it was opened. */
export const remembered = signal(0);
export const state = signal<ReturnType<TabPeer["state"]> | null>(null);
export const shown = signal<TabChoice | null>(null);
/** What was rated in this tab, newest first. */
export const rated = signal<readonly { readonly card: Card; readonly rating: number }[]>([]);
/** What people call the others. */
export const names = signal<Readonly<Record<string, string>>>({});
/** Something to know about this tab: that it slept, say. */
export const note = signal<string | null>(null);

const TICK_MS = 1000;
const LOOK_MS = 700;
const RETRY_MS = 3000;
/** A gap this long between two looks means that the tab was put to sleep. */
const ASLEEP_MS = 15_000;

const deck = makeDeck();
let peer: TabPeer | null = null;

interface RoomInfo {
  readonly bootstrap: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

const askRoom = (): Promise<RoomInfo> => ask("/room");

/** Opens the tab's peer, and tries again while another tab has it or nobody is there to ask. */
export async function open(): Promise<void> {
  try {
    const { bootstrap, names: known } = await askRoom();
    names.value = known;
    peer = await createPeer({
      room: DECK_ROOM,
      features: FEATURES,
      reward: DECK_REWARD,
      // Tab to tab where that can be: such a pair goes on without the hub.
      network: libp2p({ bootstrap, transports: [webrtc()] }),
      store: indexed("coterie posters"),
      tick: { periodMs: TICK_MS },
    });
    remembered.value = peer.state().own;
    standing.value = { kind: "open" };
    watch(peer);
    deal();
  } catch (error) {
    const busy = error instanceof StoreBusy;
    standing.value = busy
      ? { kind: "busy" }
      : { kind: "failed", message: error instanceof Error ? error.message : `${error}` };
    setTimeout(open, RETRY_MS);
  }
}

function watch(open: TabPeer): void {
  let last = Date.now();
  let asked = 0;
  const look = (): void => {
    if (peer !== open) return;
    const gap = Date.now() - last;
    last = Date.now();
    if (gap > ASLEEP_MS)
      note.value = `This tab slept for ${Math.round(gap / 1000)} s: browsers slow down what nobody looks at. It goes on now.`;
    state.value = open.state();
    asked += 1;
    // New names now and then; whoever served the page and is gone has none, and that is said elsewhere.
    if (asked % 10 === 0)
      askRoom().then(
        (room) => Object.assign(names, { value: room.names }),
        () => {},
      );
    setTimeout(look, LOOK_MS);
  };
  look();
}

/** Offers some cards to the peer; it chooses one to show. */
export function deal(): void {
  if (peer === null) return;
  const order = deck.map((card) => ({ card, key: crypto.getRandomValues(new Uint32Array(1))[0] }));
  const cards = order.sort((a, b) => a.key - b.key).slice(0, DECK_ARMS);
  shown.value = peer.choose(cards.map(({ card }) => card)) as TabChoice;
}

export async function rate(rating: number): Promise<void> {
  const choice = shown.value;
  if (choice === null) return;
  shown.value = null;
  await choice.reward(rating);
  // Closes the round, so that the next choice rests on this rating; others are met by the peer's own clock.
  await peer?.tick({ partner: null });
  rated.value = [{ card: choice.item, rating }, ...rated.value].slice(0, 12);
  state.value = peer?.state() ?? null;
  deal();
}

/** Erases all this tab's peer ever wrote down, and begins anew. What others have learnt from it stays with them. */
export async function forget(): Promise<void> {
  const gone = peer;
  peer = null;
  shown.value = null;
  standing.value = { kind: "opening" };
  await gone?.forget();
  rated.value = [];
  await open();
}
