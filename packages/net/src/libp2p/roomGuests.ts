import type { PeerId, Random } from "@coterie/core";
import { type Guest, GuestList } from "./guestList.ts";

/** The guests of one room, by what else they have in common. */
export class RoomGuests {
  readonly #byFit = new Map<string, GuestList>();
  #size = 0;
  #own = 0;

  get size(): number {
    return this.#size;
  }

  /** Those with a socket at this hub. */
  get own(): number {
    return this.#own;
  }

  sizeOf(fit: string): number {
    return this.#byFit.get(fit)?.size ?? 0;
  }

  get(fit: string, peer: PeerId): Guest | undefined {
    return this.#byFit.get(fit)?.get(peer);
  }

  draw(fit: string, count: number, but: PeerId, random: Random): Guest[] {
    return this.#byFit.get(fit)?.draw(count, but, random) ?? [];
  }

  put(fit: string, peer: PeerId, guest: Guest): void {
    this.#forget(this.get(fit, peer));
    const hall = this.#byFit.get(fit) ?? new GuestList();
    this.#byFit.set(fit, hall);
    hall.put(peer, guest);
    this.#size += 1;
    if (guest.via === null) this.#own += 1;
  }

  remove(fit: string, peer: PeerId): void {
    const hall = this.#byFit.get(fit);
    this.#forget(hall?.get(peer));
    hall?.remove(peer);
    if (hall?.size === 0) this.#byFit.delete(fit);
  }

  *[Symbol.iterator](): Generator<{ readonly fit: string; readonly guest: Guest }> {
    for (const [fit, hall] of this.#byFit) for (const guest of hall) yield { fit, guest };
  }

  #forget(guest: Guest | undefined): void {
    if (guest === undefined) return;
    this.#size -= 1;
    if (guest.via === null) this.#own -= 1;
  }
}
