import type { Store } from "../../store/store.ts";

/** Makes writes wait until `gate.open` is kept: a disk that takes its time. */
export function gated(store: Store): { open: Promise<void> | null } {
  const gate: { open: Promise<void> | null } = { open: null };
  const append = store.append.bind(store);
  store.append = async (entries, options) => {
    await gate.open;
    await append(entries, options);
  };
  return gate;
}
