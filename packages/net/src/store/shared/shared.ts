import { ConfigError } from "@coterie/core";
import type { IndexedFactory } from "../idb/indexed.ts";
import type { StoreFactory } from "../store.ts";
import { TABS } from "./medium.ts";
import { SharedTab } from "./tab.ts";

/**
 * A store that all tabs of a browser profile have open at once: `shared(indexed("front-page"))`. One of them owns it and is
 * the peer on the network; the others choose from a copy of what it knows, and send it what they learn. When the owner is
 * closed, reloaded or killed, another takes over, and repeats what was not acknowledged.
 */
export function shared(store: IndexedFactory): StoreFactory {
  if (typeof store !== "function" || typeof store.place !== "string") {
    throw new ConfigError("store", store, 'be a store of this browser, such as indexed("front-page")');
  }
  return () => {
    // Without them there is no owner to find: the store says what the page may not, or gives way as it was told.
    const able = globalThis.navigator?.locks !== undefined && globalThis.BroadcastChannel !== undefined;
    return able ? new SharedTab(store.place, store, TABS) : store();
  };
}
