import type { PeerId } from "@coterie/core";
import { keepNewest } from "../keep.ts";
import { MOST_SWAPS } from "./limits.ts";

/** The origins of the records in the next answer to somebody: their entries go along, so that it can call them. */
export class Origins {
  readonly #to = new Map<PeerId, readonly PeerId[]>();

  bring(to: PeerId, origins: readonly PeerId[]): void {
    keepNewest(this.#to, to, origins, MOST_SWAPS);
  }

  take(to: PeerId): readonly PeerId[] {
    const origins = this.#to.get(to) ?? [];
    this.#to.delete(to);
    return origins;
  }
}
