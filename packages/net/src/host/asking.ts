import type { PeerId } from "@coterie/core";
import type { QueuedReport } from "../node/reportQueue.ts";
import type { SharedStore } from "../store/shared/member.ts";
import type { Entry } from "../store/store.ts";

/** What a tab asks of the one that owns the store they share. What is settled `beside` names the request: it counts once. */
export type Ask =
  | { readonly kind: "note"; readonly entries: readonly Entry[] }
  | {
      readonly kind: "observe";
      readonly arm: Float64Array;
      readonly reward: number;
      readonly beside: readonly Entry[];
      readonly retold: boolean;
    }
  | { readonly kind: "change"; readonly beside: readonly Entry[] }
  | { readonly kind: "report"; readonly report: QueuedReport }
  | { readonly kind: "tick"; readonly partner: PeerId | null | undefined }
  | { readonly kind: "adopt"; readonly state: Uint8Array };

/** The entries that an ask will make the owner write, as far as the asker knows them. */
export function entriesOf(ask: Ask): readonly Entry[] {
  if (ask.kind === "note") return ask.entries;
  return ask.kind === "observe" || ask.kind === "change" ? ask.beside : [];
}

/** What was to be settled has been settled before, in another tab: nothing has changed. */
export class SettledBefore extends Error {
  override readonly name = "SettledBefore";
  constructor(readonly how: string) {
    super(`it was ${how} before`);
  }
}

/** Asks the owner to write something down. Resolves when it has. */
export async function askToWrite(store: SharedStore, ask: Ask): Promise<void> {
  const { answer, repeated } = await store.ask(ask);
  const { settled } = answer as { readonly settled: string | null };
  // An owner that died before it could answer has done what was asked, most likely, rather than somebody else.
  if (settled !== null && !(repeated && settled === "rewarded")) throw new SettledBefore(settled);
}
