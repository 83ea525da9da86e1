import type { PeerId, Random } from "@coterie/core";
import type { News, SignedEntry } from "../membership/entry.ts";
import { MEMBERSHIP_LIMITS } from "../membership/limits.ts";

export interface RosterLimits {
  readonly rooms: number;
  readonly membersPerRoom: number;
  /** Of all rooms together. */
  readonly members: number;
}

/** Where a guest belongs: the room's name as a digest, and everything else that its members must have in common. */
export interface Place {
  readonly room: string;
  readonly fit: string;
}

interface Guest {
  readonly fit: string;
  readonly entry: SignedEntry;
  readonly heard: number;
}

/**
 * A hub's guest book: what each peer last said about itself, by room. Nobody speaks for others here, so an entry needs
 * no check that only members could make. Pure: the time is an argument.
 */
export class Roster {
  readonly #rooms = new Map<string, Map<PeerId, Guest>>();
  readonly #stays = new Map<PeerId, number>();
  #members = 0;

  constructor(
    readonly limits: RosterLimits,
    /** Whoever was silent for this long is forgotten. */
    readonly guestMs: number,
  ) {}

  get rooms(): number {
    return this.#rooms.size;
  }

  get members(): number {
    return this.#members;
  }

  /** How many are in each room, by the digest of its name. */
  sizes(): [room: string, members: number][] {
    return Array.from(this.#rooms, ([room, guests]) => [room, guests.size]);
  }

  /** Those who are there, room by room, each with what it last said and when. */
  *guests(): Generator<{ readonly room: string; readonly entry: SignedEntry; readonly heard: number }> {
    for (const [room, guests] of this.#rooms) {
      for (const { entry, heard } of guests.values()) yield { room, entry, heard };
    }
  }

  /** Whether the peer is a guest in some room. */
  has(peer: PeerId): boolean {
    return this.#stays.has(peer);
  }

  hasSpace(peer: PeerId, { room }: Place): boolean {
    const guests = this.#rooms.get(room);
    if (guests?.has(peer) === true) return true;
    if (guests === undefined && this.#rooms.size >= this.limits.rooms) return false;
    return this.#members < this.limits.members && (guests?.size ?? 0) < this.limits.membersPerRoom;
  }

  /** How many give the room the same name and do not fit. */
  misfits({ room, fit }: Place): number {
    return [...(this.#rooms.get(room)?.values() ?? [])].filter((guest) => guest.fit !== fit).length;
  }

  /** Takes what a peer says about itself; its last word takes it off. False where there is no space. */
  sign({ room, fit }: Place, entry: SignedEntry, now: number): boolean {
    const { id, leaving } = entry.claim;
    if (leaving) this.#remove(room, id);
    else if (!this.hasSpace(id, { room, fit })) return false;
    else this.#put(room, id, { fit, entry, heard: now });
    return true;
  }

  /** Some of those who fit, for a peer that wants to find them. */
  introduce({ room, fit }: Place, to: PeerId, now: number, random: Random): News[] {
    const others = [...(this.#rooms.get(room) ?? [])]
      .filter(([peer, guest]) => peer !== to && guest.fit === fit)
      .map(([, { entry, heard }]) => ({ news: { entry, ageMs: now - heard }, draw: random.uint32() }));
    others.sort((a, b) => a.draw - b.draw);
    return others.slice(0, MEMBERSHIP_LIMITS.entries).map(({ news }) => news);
  }

  /** Forgets the silent. */
  tick(now: number): void {
    for (const [room, guests] of this.#rooms) {
      for (const [peer, { heard }] of guests) if (now - heard >= this.guestMs) this.#remove(room, peer);
    }
  }

  #put(room: string, peer: PeerId, guest: Guest): void {
    const guests = this.#rooms.get(room) ?? new Map<PeerId, Guest>();
    this.#rooms.set(room, guests);
    if (!guests.has(peer)) this.#count(peer, 1);
    guests.set(peer, guest);
  }

  #remove(room: string, peer: PeerId): void {
    const guests = this.#rooms.get(room);
    if (guests?.delete(peer) !== true) return;
    this.#count(peer, -1);
    if (guests.size === 0) this.#rooms.delete(room);
  }

  #count(peer: PeerId, change: number): void {
    this.#members += change;
    const stays = (this.#stays.get(peer) ?? 0) + change;
    if (stays > 0) this.#stays.set(peer, stays);
    else this.#stays.delete(peer);
  }
}
