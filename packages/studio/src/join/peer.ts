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
import { Dealer } from "./dealer.ts";
import { borrowedShare } from "./told.ts";

const FEATURES = deckFeatures({ oneHot, number, flag });
export const features = defineFeatures(FEATURES);
type TabPeer = RoomPeer<typeof FEATURES>;
type TabChoice = ReturnType<TabPeer["choose"]> & { readonly item: Card };

/** How the tab stands. */
export type PeerStanding =
  | { readonly kind: "opening" }
  /** Another tab of this browser is this peer. */
  | { readonly kind: "busy" }
  /** No demo and no hub answers, or it cannot be joined. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "open" };

export const standing = signal<PeerStanding>({ kind: "opening" });
/** What it remembered when it was opened. */
export const remembered = signal(0);
export const state = signal<ReturnType<TabPeer["state"]> | null>(null);
export const shown = signal<TabChoice | null>(null);
/** What was rated in this tab, newest first. */
export const rated = signal<readonly { readonly card: Card; readonly rating: number }[]>([]);
/** The largest share that was borrowed since the person's first rating. */
export const peak = signal(0);
/** What people call the others. */
export const names = signal<Readonly<Record<string, string>>>({});
/** Something to know about this tab: that it slept, say. */
export const note = signal<string | null>(null);

const TICK_MS = 1000;
const LOOK_MS = 700;
const RETRY_MS = 3000;
/** A gap this long between two looks means that the tab was put to sleep. */
const ASLEEP_MS = 15_000;

/** Enough that nobody sees one twice; the demo's own people have fewer. */
const DECK = 360;
const SEEN = "coterie posters seen";
const dealer = new Dealer(makeDeck(DECK), DECK_ARMS, readSeen());
let peer: TabPeer | null = null;
/** A rating is being written down; another one would be about the same poster. */
let busy = false;

function readSeen(): number[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SEEN) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id): id is number => Number.isSafeInteger(id)) : [];
  } catch {
    return []; // not kept, or not by us
  }
}

function keepSeen(): void {
  try {
    localStorage.setItem(SEEN, JSON.stringify(dealer.seen));
  } catch {
    // Storage is full or forbidden: then a reload may show one again.
  }
}

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
  const turn = (): void => {
    if (peer !== open) return;
    const gap = Date.now() - last;
    last = Date.now();
    if (gap > ASLEEP_MS)
      note.value = `This tab slept for ${Math.round(gap / 1000)} s: browsers slow down what nobody looks at. It goes on now.`;
    look(open);
    asked += 1;
    // New names now and then; whoever served the page and is gone has none, and that is said elsewhere.
    if (asked % 10 === 0)
      askRoom().then(
        (room) => Object.assign(names, { value: room.names }),
        () => {},
      );
    setTimeout(turn, LOOK_MS);
  };
  turn();
}

/** Offers some cards to the peer; it chooses one to show. */
export function deal(): void {
  if (peer === null) return;
  const cards = dealer.deal(() => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32);
  shown.value = peer.choose(cards) as TabChoice;
}

/** The poster stays where it is until the next one is chosen: whoever rates with keys keeps their place. */
export async function rate(rating: number): Promise<void> {
  const choice = shown.value;
  if (choice === null || busy) return;
  busy = true;
  try {
    await choice.reward(rating);
    // Closes the round, so that the next choice rests on this rating; others are met by the peer's own clock.
    await peer?.tick({ partner: null });
  } finally {
    busy = false;
  }
  dealer.show(choice.item);
  keepSeen();
  rated.value = [{ card: choice.item, rating }, ...rated.value];
  if (peer !== null) look(peer);
  deal();
}

function look(open: TabPeer): void {
  const now = open.state();
  state.value = now;
  if (now.own > 0) peak.value = Math.max(peak.value, borrowedShare(now));
}

/** Erases all this tab's peer ever wrote down, and begins anew. What others have learnt from it stays with them. */
export async function forget(): Promise<void> {
  const gone = peer;
  peer = null;
  shown.value = null;
  standing.value = { kind: "opening" };
  await gone?.forget();
  rated.value = [];
  peak.value = 0;
  await open();
}
