import type { PeerId, Random } from "@coterie/core";
import type { News, SignedEntry } from "../membership/entry.ts";
import type { Guest } from "./guestList.ts";
import type { HubLimit, HubLimits } from "./hubLimits.ts";
import { INTRODUCED } from "./limits.ts";
import { RoomGuests } from "./roomGuests.ts";
import { RoomsOf } from "./roomsOf.ts";

export type RosterLimits = Pick<
  HubLimits,
  "rooms" | "roomsPerPeer" | "roomsPerPrefix" | "members" | "membersPerRoom" | "traded"
>;

/** Where a guest belongs: the room's name as a digest, and everything else that its members must have in common. */
export interface Place {
  readonly room: string;
  readonly fit: string;
}

/** What fits a guest in a room, and the prefix of the address it comes from. */
interface Stay {
  readonly fit: string;
  readonly prefix: string | null;
}

/**
 * A hub's guest book: what each peer last said about itself, by room; of its own guests, who have a socket here, and of those that
 * other hubs tell of. Nobody speaks for others here, so an entry needs no check that only members could make. Limits are for its own
 * guests, but for `traded`. Pure: the time is an argument.
 */
export class Roster {
  readonly #rooms = new Map<string, RoomGuests>();
  /** Where each of its own guests is, by room. */
  readonly #stays = new Map<PeerId, Map<string, Stay>>();
  readonly #roomsOf = new RoomsOf();
  #ownRooms = 0;
  #members = 0;
  #traded = 0;

  constructor(
    readonly limits: RosterLimits,
    /** Whoever was silent for this long is forgotten, although its socket is open. */
    readonly guestMs: number,
    /** Hears when a guest of its own says something, or is gone. */
    readonly changed: (place: Place, peer: PeerId, here: boolean) => void = () => {},
  ) {}

  /** Rooms that guests of its own are in. */
  get rooms(): number {
    return this.#ownRooms;
  }

  get members(): number {
    return this.#members;
  }

  /** Guests of other hubs. */
  get traded(): number {
    return this.#traded;
  }

  /** How many guests of its own are in each room, by the digest of its name. */
  sizes(): [room: string, members: number][] {
    return Array.from(this.#rooms, ([room, { own }]): [string, number] => [room, own]).filter(([, own]) => own > 0);
  }

  /** Its own guests, room by room, each with what it last said and when. */
  *guests(): Generator<{ readonly room: string; readonly entry: SignedEntry; readonly heard: number }> {
    for (const { room, guest } of this.#all()) if (guest.via === null) yield { room, ...guest };
  }

  /** Where its own guests are. */
  *stays(): Generator<Place & { readonly peer: PeerId }> {
    for (const [peer, stays] of this.#stays) for (const [room, { fit }] of stays) yield { room, fit, peer };
  }

  /** Whether the peer is a guest of its own in some room. */
  has(peer: PeerId): boolean {
    return this.#stays.has(peer);
  }

  /** The limit that a peer's stay in a room would be beyond, or null. */
  lacks(peer: PeerId, { room }: Place, prefix: string | null): HubLimit | null {
    const stays = this.#stays.get(peer);
    if (stays?.has(room) === true) return null;
    const { limits } = this;
    const there = this.#rooms.get(room)?.own ?? 0;
    if ((stays?.size ?? 0) >= limits.roomsPerPeer) return "roomsPerPeer";
    if (!this.#roomsOf.admits(prefix, room, limits.roomsPerPrefix)) return "roomsPerPrefix";
    if (there === 0 && this.#ownRooms >= limits.rooms) return "rooms";
    if (this.#members >= limits.members) return "members";
    return there >= limits.membersPerRoom ? "membersPerRoom" : null;
  }

  /** How many give the room the same name and do not fit. */
  misfits({ room, fit }: Place): number {
    const halls = this.#rooms.get(room);
    return halls === undefined ? 0 : halls.size - halls.sizeOf(fit);
  }

  /** Takes what a peer says about itself; its last word takes it off. Says which limit that is beyond, if any. */
  sign(place: Place, entry: SignedEntry, now: number, prefix: string | null): HubLimit | null {
    const { id, leaving } = entry.claim;
    if (leaving) this.#leave(place.room, id);
    else {
      const limit = this.lacks(id, place, prefix);
      if (limit !== null) return limit;
      this.#stay(place, entry, now, prefix);
    }
    return null;
  }

  /** A few of those who fit, drawn at random, for a peer that wants to find them. */
  introduce({ room, fit }: Place, to: PeerId, now: number, random: Random): News[] {
    const drawn = this.#rooms.get(room)?.draw(fit, INTRODUCED, to, random) ?? [];
    return drawn.map(({ entry, heard }) => ({ entry, ageMs: Math.max(0, now - heard) }));
  }

  /** What a guest of its own said last; null where it is none. */
  newsOf({ room, fit }: Place, peer: PeerId, now: number): News | null {
    const guest = this.#rooms.get(room)?.get(fit, peer);
    return guest === undefined || guest.via !== null ? null : { entry: guest.entry, ageMs: now - guest.heard };
  }

  /** The peer's last socket is closed. */
  leave(peer: PeerId): void {
    for (const room of [...(this.#stays.get(peer)?.keys() ?? [])]) this.#leave(room, peer);
  }

  /** Another hub tells of a guest. What it told us itself goes before, and what is newer. */
  hear(hub: PeerId, place: Place, entry: SignedEntry, heard: number): void {
    const { id } = entry.claim;
    const before = this.#rooms.get(place.room)?.get(place.fit, id);
    if (this.#stays.get(id)?.has(place.room) === true || (before !== undefined && before.heard >= heard)) return;
    if (before === undefined && this.#traded >= this.limits.traded) return;
    this.#put(place, id, { entry, heard, via: hub });
  }

  /** It tells that one is gone. */
  unhear(hub: PeerId, place: Place, peer: PeerId): void {
    if (this.#rooms.get(place.room)?.get(place.fit, peer)?.via === hub) this.#take(place, peer);
  }

  /** A hub is gone: its guests come to another one, and tell where they are reached now. */
  forget(hub: PeerId): void {
    for (const { room, fit, guest } of [...this.#all()]) {
      if (guest.via === hub) this.#take({ room, fit }, guest.entry.claim.id);
    }
  }

  /** Forgets the silent. */
  tick(now: number): void {
    for (const { room, fit, guest } of [...this.#all()].filter((one) => now - one.guest.heard >= this.guestMs)) {
      const { id } = guest.entry.claim;
      if (guest.via === null) this.#leave(room, id);
      else this.#take({ room, fit }, id);
    }
  }

  *#all(): Generator<{ readonly room: string; readonly fit: string; readonly guest: Guest }> {
    for (const [room, halls] of this.#rooms) for (const one of halls) yield { room, ...one };
  }

  #stay(place: Place, entry: SignedEntry, heard: number, prefix: string | null): void {
    const [{ room, fit }, peer] = [place, entry.claim.id];
    const before = this.#stays.get(peer)?.get(room);
    if (before !== undefined && (before.fit !== fit || before.prefix !== prefix)) this.#leave(room, peer);
    const stays = this.#stays.get(peer) ?? new Map<string, Stay>();
    if (!stays.has(room)) this.#roomsOf.enter(prefix, room);
    this.#stays.set(peer, stays.set(room, { fit, prefix }));
    this.#put(place, peer, { entry, heard, via: null });
    this.changed(place, peer, true);
  }

  #leave(room: string, peer: PeerId): void {
    const stays = this.#stays.get(peer);
    const stay = stays?.get(room);
    if (stays === undefined || stay === undefined) return;
    stays.delete(room);
    if (stays.size === 0) this.#stays.delete(peer);
    this.#roomsOf.leave(stay.prefix, room);
    this.#take({ room, fit: stay.fit }, peer);
    this.changed({ room, fit: stay.fit }, peer, false);
  }

  #put({ room, fit }: Place, peer: PeerId, guest: Guest): void {
    const halls = this.#rooms.get(room) ?? new RoomGuests();
    this.#rooms.set(room, halls);
    this.#count(halls, () => halls.put(fit, peer, guest));
  }

  #take({ room, fit }: Place, peer: PeerId): void {
    const halls = this.#rooms.get(room);
    if (halls === undefined) return;
    this.#count(halls, () => halls.remove(fit, peer));
    if (halls.size === 0) this.#rooms.delete(room);
  }

  /** Keeps the sums over all rooms in step with a change to one. */
  #count(halls: RoomGuests, change: () => void): void {
    const [own, size] = [halls.own, halls.size];
    change();
    this.#members += halls.own - own;
    this.#traded += halls.size - halls.own - (size - own);
    this.#ownRooms += Number(halls.own > 0) - Number(own > 0);
  }
}
