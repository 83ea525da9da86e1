import { dccb, kindred, type Policy } from "@coterie/core";
import { createPeer, folderStore, inspect, type RoomPeer, StoreError, vectors } from "@coterie/net";

export const POLICIES = ["kindred", "dccb"] as const;
export type DamagePolicy = (typeof POLICIES)[number];

/** Numbers of an item. */
const D = 4;
const ITEMS = 5;
/** Rewards told after a start, to see that the peer goes on. */
const MORE = 3;

/** What a start on a damaged store came to. */
export type StartResult =
  | {
      readonly outcome: "running";
      readonly own: number;
      readonly origin: string | null;
      /** What it said of damage; null where it said nothing. */
      readonly reported: string | null;
      /** Whether it learnt on, and still knew it after another start. */
      readonly goesOn: boolean;
    }
  | { readonly outcome: "refused"; readonly reason: string; readonly message: string }
  /** An error that says nothing to an operator. */
  | { readonly outcome: "failed"; readonly message: string }
  /** The process ended. */
  | { readonly outcome: "died"; readonly message: string };

export type DamagedPeer = RoomPeer<ReturnType<typeof vectors>>;

export function openPeer(path: string, kind: DamagePolicy): Promise<DamagedPeer> {
  const policy: Policy = kind === "kindred" ? kindred() : dccb();
  return createPeer({ room: "damage", policy, features: vectors(D), store: folderStore(path), tick: false });
}

/** So many rewards, the same each time. */
export async function live(peer: DamagedPeer, rewards: number): Promise<void> {
  for (let n = 0; n < rewards; n++) {
    const seen = peer.state().own;
    const items = Array.from({ length: ITEMS }, (_, k) =>
      Float64Array.from({ length: D }, (_, i) => Math.sin(1 + seen * 7 + k * 3 + i) / 2),
    );
    const choice = peer.choose(items);
    await choice.reward(items[choice.index]![0]! > 0 ? 1 : 0);
    await peer.tick();
  }
}

/** Looks at a store, starts a peer on it, lets it learn a little, and starts it once more. */
export async function start(path: string, kind: DamagePolicy): Promise<StartResult> {
  try {
    await inspect(path).catch(typed);
    const peer = await openPeer(path, kind);
    const { own, origin, quarantined } = peer.state();
    await live(peer, MORE);
    await peer.close();
    const again = await openPeer(path, kind);
    const later = again.state();
    await again.close();
    const goesOn = later.own === own + MORE && later.quarantined === null && later.origin === origin;
    return { outcome: "running", own, origin, reported: quarantined?.reason ?? null, goesOn };
  } catch (error) {
    if (error instanceof StoreError) return { outcome: "refused", reason: error.reason, message: error.message };
    return { outcome: "failed", message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** Whoever looks at a damaged store may be refused, with a reason. */
function typed(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}
