import type * as parts from "@coterie/net/internal";
import type { Mutant } from "./mutant.ts";

/** A store with some of its methods changed. */
function changed(store: parts.Store, change: (inner: parts.Store) => Partial<parts.Store>): parts.Store {
  const plain: parts.Store = {
    open: (options) => store.open(options),
    append: (entries, options) => store.append(entries, options),
    checkpoint: (snapshot, options) => store.checkpoint(snapshot, options),
    erase: () => store.erase(),
    close: () => store.close(),
    get size() {
      return store.size;
    },
  };
  return Object.defineProperties(plain, Object.getOwnPropertyDescriptors(change(store)));
}

const ZEROS = new Uint8Array(32);

/** Bugs in what is kept on the disk and in how it is read back. */
export const STORE_MUTANTS: readonly Mutant[] = [
  {
    name: "acknowledges-before-sync",
    brief: "an append resolves before it is on the disk",
    store: (store) =>
      changed(store, (inner) => ({
        append: async (entries) => {
          inner.append(entries).catch(() => {});
        },
      })),
  },
  {
    name: "no-hash-check",
    brief: "records are not checked against their hash, so that damage is taken for truth",
    hash: () => ZEROS,
  },
  {
    name: "forgets-the-last-entry",
    brief: "a restart leaves out the last entry of the log",
    store: (store) =>
      changed(store, (inner) => ({
        open: async (options) => {
          const found = await inner.open(options);
          return { ...found, entries: found.entries.slice(0, -1) };
        },
      })),
  },
  {
    name: "replays-the-log-twice",
    brief: "a restart lives through observations twice",
    store: (store) =>
      changed(store, (inner) => ({
        open: async (options) => {
          const found = await inner.open(options);
          return { ...found, entries: found.entries.flatMap((e) => (e.kind === "observe" ? [e, e] : [e])) };
        },
      })),
  },
  {
    name: "keeps-old-log-after-snapshot",
    brief: "entries before the last snapshot are lived through again on top of it",
    store: (store) => {
      let recent: parts.Entry[] = [];
      return changed(store, (inner) => ({
        append: (entries) => {
          recent = [...recent.slice(-4), ...entries];
          return inner.append(entries);
        },
        checkpoint: async (snapshot) => {
          await inner.checkpoint(snapshot);
          await inner.append(recent.filter(({ kind }) => kind === "observe").slice(-1));
        },
      }));
    },
  },
  {
    name: "batch-not-atomic",
    brief: "a batch is written change by change, so that a crash leaves the first half",
    backend: (backend) => ({
      ...backend,
      write: async (changes, witness) => {
        for (const change of changes) await backend.write([change], null);
        await backend.write([], witness);
      },
    }),
  },
  {
    name: "reward-without-its-mark",
    brief: "a reward is written down without the note that it was paid, so that it can be paid again after a crash",
    store: (store) =>
      changed(store, (inner) => ({
        append: (entries) => inner.append(entries.filter(({ kind }) => kind !== "choice-rewarded")),
      })),
  },
  {
    name: "forgets-what-may-wait",
    brief:
      "what need not be synced by itself is never written down, so that an exchange that is over is in doubt after a crash",
    store: (store) =>
      changed(store, (inner) => ({
        append: async (entries, options) => {
          if (options?.later !== true) await inner.append(entries, options);
        },
      })),
  },
  {
    name: "report-only-in-memory",
    brief: "a reward for another peer's choice is taken without writing it down, so that a crash loses it",
    store: (store) =>
      changed(store, (inner) => ({
        append: (entries) => inner.append(entries.filter(({ kind }) => kind !== "report-queued")),
      })),
  },
];
