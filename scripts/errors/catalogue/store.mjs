export const title = "The store";
export const intro = "A `StoreError` with a `reason`. In every case what was acknowledged before still stands.";
export const entries = [
  {
    says: ["store: busy"],
    cause: "Another process or tab has this store open.",
    remedy:
      "Close that one, or give this peer a store of its own. Tabs of one page open it together with `shared(indexed(name))`; there it means that the tab that owns the store has not answered for 30 s.",
  },
  { says: ["store: full"], cause: "There is no space left.", remedy: "Make space, and open the peer again." },
  {
    says: ["store: read-only"],
    cause: "This user may not write there, or the disk is mounted read-only.",
    remedy: "Mend its permissions, or move the store.",
  },
  {
    says: ["store: forbidden"],
    cause: "The browser keeps nothing for this page, as in some private windows.",
    remedy: "`indexed(name, { otherwise: memoryStore() })`: it learns until the tab is closed.",
  },
  {
    says: ["store: log-full"],
    cause: "So much was written since the last snapshot that the log has reached its limit.",
    remedy: "Open the peer again: that makes a snapshot. If it comes back, report it.",
  },
  {
    says: ["store: foreign"],
    cause: "The place holds something that is not a store.",
    remedy: "Name another place.",
  },
  {
    says: ["store: version"],
    cause:
      "Another version of the program wrote the store, or the state in it, or has it open in another tab. Nothing was touched, and a headless peer ends with exit code 2.",
    remedy:
      "Where an older version wrote it, `coterie upgrade DIR` converts it. Where a newer one did, run that one, or restore a backup that this one made (docs/operate.md). In a browser reload the page, and its other tabs.",
  },
  {
    says: ["store: damaged"],
    cause: "Bytes changed outside of Coterie while the store was open; or a browser's database was deleted meanwhile.",
    remedy: "Open it again: it recovers to the last intact state and keeps a damaged copy (`coterie inspect`).",
  },
  {
    says: ["store: closed"],
    cause: "The store was closed, or a write failed before and nothing more is written after it.",
    remedy: "Open the peer again. The message names the first failure.",
  },
  {
    says: ["store: failed"],
    cause: "The disk or the database failed; the system's words follow.",
    remedy: "See to the disk.",
  },
  {
    says: ["store: {reason}"],
    cause: "Passed on to a tab by the one that owns the store they share.",
    remedy: "As for the same reason elsewhere.",
  },
  {
    says: ['store must be a store of this browser, such as indexed("front-page")'],
    cause: "`shared` was given something else than what `indexed` returns.",
    remedy: "`shared(indexed(name))`.",
  },
  {
    says: ["no way to {to}: the network is not joined yet"],
    cause: "A tab that shares its store has just taken over, and is still joining the network.",
    remedy: "None: the peer tries again at its next tick.",
  },
  {
    says: ["options.otherwise must be a store, such as memoryStore()"],
    cause: "What to use where nothing may be stored is no store.",
    remedy: "Pass `memoryStore()`.",
  },
  {
    says: [
      "entries must be a list",
      "entries must be at most {batchEntries} at once",
      "entries must have at most {batchBytes} bytes together",
      "entries[{i}].kind must be lower-case letters, digits, dots and dashes, at most {kindLength}, a letter first",
      "{field} must be bytes (a Uint8Array)",
      "{field} must have at most {most} bytes",
    ],
    cause: "Somebody who writes to a store directly gave it something that it does not take.",
    remedy: "Keep to the bound that is named; a peer does so by itself.",
  },
];
