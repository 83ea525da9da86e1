import type { PeerId } from "@coterie/core";
import type { Claim, MembershipEvent, SignedEntry } from "./entry.ts";
import { Graves } from "./graves.ts";
import { KinView } from "./kinView.ts";
import { EXPIRE_MS, VIEW_SIZE } from "./limits.ts";
import { type Hearsay, isUnreached, type NameSource } from "./shares.ts";
import { ageOf, type Known, View } from "./view.ts";

const UNNAMED: Hearsay = { scope: "machine", sources: [], reached: Number.NEGATIVE_INFINITY };

/** What is held of others: entries in the view, those in the kin view, and what is known of the buried. */
export class Entries {
  readonly view = new View(VIEW_SIZE, EXPIRE_MS);
  readonly kin: KinView;
  readonly graves = new Graves();

  constructor(isKin: (peer: PeerId) => boolean) {
    this.kin = new KinView(isKin);
  }

  /** Of a peer that is not buried. */
  get(peer: PeerId): Known | undefined {
    return this.view.get(peer) ?? this.kin.get(peer);
  }

  /** Of a peer, buried or not. */
  known(peer: PeerId): Known | undefined {
    return this.get(peer) ?? this.graves.known(peer);
  }

  /** The newest that a peer said of itself. */
  entry(peer: PeerId): SignedEntry | undefined {
    return this.get(peer)?.entry ?? this.graves.get(peer);
  }

  addresses(peer: PeerId): readonly string[] {
    return this.entry(peer)?.claim.addresses ?? [];
  }

  /** Whose word it is that a peer is there. */
  sources(peer: PeerId): readonly NameSource[] {
    return this.word(peer).sources;
  }

  /** On whose word a peer is where its entry says. */
  word(peer: PeerId): Hearsay {
    return this.known(peer) ?? UNNAMED;
  }

  /** How long ago a peer was there for sure; infinite for one that is unknown. */
  age(peer: PeerId, now: number): number {
    const known = this.get(peer);
    return known === undefined ? Number.POSITIVE_INFINITY : ageOf(known, now);
  }

  /** Possible partners, in the order of their names. */
  alive(): PeerId[] {
    const names = this.view.names().filter((peer) => this.view.get(peer)!.entry.claim.serves);
    const more = this.kin.names().filter((peer) => this.view.get(peer) === undefined);
    return more.length === 0 ? names : [...names, ...more].sort();
  }

  /** Everybody in the view, those who answer no exchanges too. */
  reachable(): readonly PeerId[] {
    return this.view.names();
  }

  /** The peer itself was heard, over a channel that vouches for its name. */
  contact(peer: PeerId, now: number): void {
    for (const view of [this.view, this.kin]) {
      const known = view.get(peer);
      if (known !== undefined) known.met = now;
    }
  }

  /** It answered a call of ours. True where that is the first time. */
  reached(peer: PeerId, now: number): boolean {
    this.contact(peer, now);
    const known = this.known(peer);
    if (known === undefined) return false;
    const first = isUnreached(known);
    for (const view of [this.view, this.kin]) {
      const held = view.get(peer);
      if (held !== undefined) held.reached = now;
    }
    return first;
  }

  hasReached(peer: PeerId): boolean {
    const known = this.known(peer);
    return known !== undefined && !isUnreached(known);
  }

  /** Those in view that never answered a call of ours. */
  get unreached(): number {
    let count = 0;
    for (const known of this.view.all()) if (isUnreached(known)) count += 1;
    return count;
  }

  /** A call to it failed, or the connection to it closed and it did not say why. */
  lost(peer: PeerId, now: number): MembershipEvent[] {
    const known = this.get(peer);
    return this.bury(peer, known?.entry ?? null, now, known);
  }

  /** It said itself that it goes: nobody need try whether it is there. */
  gone(peer: PeerId, now: number): MembershipEvent[] {
    const known = this.get(peer);
    return this.bury(peer, known?.entry ?? null, now, known, true);
  }

  /** Whether it said that it goes, and nothing since. */
  hasLeft(peer: PeerId): boolean {
    return this.graves.isFinal(peer);
  }

  bury(
    peer: PeerId,
    entry: SignedEntry | null,
    now: number,
    known: Known | null = null,
    goodbye = false,
  ): MembershipEvent[] {
    this.graves.bury(peer, entry, now, known, goodbye);
    this.kin.drop(peer);
    return this.drop(peer);
  }

  /** Out of the view. */
  drop(peer: PeerId): MembershipEvent[] {
    const known = this.view.drop(peer);
    return known?.entry.claim.serves === true ? [{ kind: "left", peer }] : [];
  }

  /** All that somebody brought and nobody has reached goes. */
  disown(introducer: PeerId): MembershipEvent[] {
    const brought = [...this.view.all()].filter((known) => known.from === introducer && isUnreached(known));
    return brought.flatMap(({ entry }) => this.drop(entry.claim.id));
  }

  /** Those go whose entries no longer hold. */
  purge(holds: (claim: Claim) => boolean): MembershipEvent[] {
    const lapsed = (view: View): PeerId[] =>
      [...view.all()].map(({ entry }) => entry.claim).flatMap((claim) => (holds(claim) ? [] : [claim.id]));
    for (const peer of lapsed(this.kin)) this.kin.drop(peer);
    return lapsed(this.view).flatMap((peer) => this.drop(peer));
  }

  /** What is too old goes. `full`: not everybody can be known. */
  expire(now: number, full: boolean): MembershipEvent[] {
    this.graves.tick(now);
    for (const { entry } of this.kin.expired(now)) this.kin.drop(entry.claim.id);
    return this.view.expired(now).flatMap((known) => {
      const { entry } = known;
      // Nobody said that it is gone; but where all of a room is small enough to be known, it is worth a try.
      if (!full) this.graves.bury(entry.claim.id, entry, now, known);
      return this.drop(entry.claim.id);
    });
  }
}
