import type { PeerId } from "@coterie/core";
import { KIN_EXPIRE_MS, KIN_SIZE } from "./limits.ts";
import { type Known, View } from "./view.ts";

/** Entries of those whose records came, beside the view. */
export class KinView extends View {
  /** `isKin`: whose entries a full one keeps, because this peer learns from them. */
  constructor(readonly isKin: (peer: PeerId) => boolean) {
    super(KIN_SIZE, KIN_EXPIRE_MS);
  }

  /** Where it is full, the oldest of those goes that are no kin, or of all. */
  take(known: Known, now: number): void {
    const { id, serves } = known.entry.claim;
    if (!serves) return;
    if (this.get(id) === undefined && this.isFull) {
      const stranger = this.oldest(now, ({ entry }) => !this.isKin(entry.claim.id));
      if (stranger === null && !this.isKin(id)) return;
      this.drop((stranger ?? this.oldest(now, () => true)!).entry.claim.id);
    }
    this.put(known);
  }
}
