import { ConfigError, check } from "@coterie/core";
import { pageSha256 } from "../../sha256.ts";
import { durable } from "../durable.ts";
import { StoreError } from "../errors.ts";
import type { Entry, LogSize, Recovered, Store, StoreFactory, StoreOptions, WriteOptions } from "../store.ts";
import { IndexedBackend, placeOf } from "./backend.ts";

/** How a store in the browser behaves. */
export interface IndexedOptions {
  /** Asks the browser not to clear the store away when space gets short; it may ask the person. True when left out. */
  readonly persist?: boolean;
  /** What to use where the page may store nothing, as in some private windows: `memoryStore()`. An error unless given. */
  readonly otherwise?: StoreFactory;
}

/** Opens a store of this browser, and says which: tabs that share one find each other by that. */
export interface IndexedFactory extends StoreFactory {
  readonly place: string;
}

/** A store in this browser, by a name of its own. One tab at a time: a second one gets `StoreBusy`, unless all use `shared`. */
export function indexed(name: string, options: IndexedOptions = {}): IndexedFactory {
  check.text("name", name);
  check.fields("options", options, ["persist", "otherwise"]);
  const { otherwise } = options;
  const persist = check.flag("options.persist", options.persist ?? true);
  if (otherwise !== undefined && typeof otherwise !== "function") {
    throw new ConfigError("options.otherwise", otherwise, "be a store, such as memoryStore()");
  }
  const open = (): Store => new Kept(durable(new IndexedBackend(name), pageSha256), persist, otherwise);
  return Object.assign(open, { place: placeOf(name) });
}

/** A store that asks to be kept, and gives way to another where it is forbidden. */
class Kept implements Store {
  #store: Store;

  constructor(
    store: Store,
    readonly persist: boolean,
    readonly otherwise: StoreFactory | undefined,
  ) {
    this.#store = store;
  }

  get size(): LogSize {
    return this.#store.size;
  }

  async open(options?: StoreOptions): Promise<Recovered> {
    try {
      const recovered = await this.#store.open(options);
      // Whether it is granted changes nothing here, and a person may take long to answer.
      if (this.persist) void navigator.storage?.persist?.().catch(() => {});
      return recovered;
    } catch (error) {
      if (this.otherwise === undefined || !(error instanceof StoreError && error.reason === "forbidden")) throw error;
      this.#store = this.otherwise();
      return this.#store.open(options);
    }
  }

  append(entries: readonly Entry[], options?: StoreOptions): Promise<void> {
    return this.#store.append(entries, options);
  }

  checkpoint(snapshot: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#store.checkpoint(snapshot, options);
  }

  erase(): Promise<void> {
    return this.#store.erase();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
