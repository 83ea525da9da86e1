import type { PeerId, Random } from "@coterie/core";
import { Census } from "./census.ts";
import {
  type Claim,
  compareAge,
  type MembershipEvent,
  type News,
  type Occasion,
  type SignedEntry,
  sameBut,
} from "./entry.ts";
import { Graves } from "./graves.ts";
import { EXPIRE_MS, FRESH_MS, KIN_EXPIRE_MS, KIN_SIZE, MEMBERSHIP_LIMITS, roundMs, VIEW_SIZE } from "./limits.ts";
import { Own, type OwnState } from "./own.ts";
import { Swaps } from "./swaps.ts";
import { ageOf, type Known, newsOf, View } from "./view.ts";

const NOBODY: readonly MembershipEvent[] = [];

/**
 * Who is in the room, as far as one peer can know: a bounded view of signed entries, swapped with those it talks to, and
 * a second one of those whose records came (its kin view). An entry is overtaken only by a newer one of its signer, and
 * goes when it is old; whoever does not answer is buried, and only what it signs later brings it back.
 *
 * Pure: the time is an argument, randomness comes as a stream, signatures are checked before an entry comes here, and what
 * happened is returned.
 */
export class Membership {
  readonly #own: Own;
  readonly #view = new View(VIEW_SIZE, EXPIRE_MS);
  readonly #kin = new View(KIN_SIZE, KIN_EXPIRE_MS);
  readonly #graves = new Graves();
  readonly #census = new Census();
  readonly #swaps = new Swaps();
  /** Those who say less of themselves than we know: their clock went back. */
  readonly #behind = new Set<PeerId>();
  #ticked: number;

  /** `incarnation`: larger than at the last start, if that can be known; a forgotten one is overtaken on contact. */
  constructor(
    readonly self: PeerId,
    incarnation: number,
    readonly random: Random,
    now: number,
    /** Whose entries a full kin view keeps. */
    readonly isKin: (peer: PeerId) => boolean = () => false,
  ) {
    this.#own = new Own(self, incarnation);
    this.#ticked = now;
  }

  /** Entries in the view. */
  get size(): number {
    return this.#view.size;
  }

  /** How many are in the room, this peer included: exact while all fit into the view, else an estimate. */
  get count(): number {
    const known = this.#view.size + 1;
    return this.#view.isFull ? Math.max(known, Math.round(this.#census.size ?? known)) : known;
  }

  /** Between two rounds of gossip, as the room is now. */
  get roundMs(): number {
    return roundMs(this.#view.size);
  }

  /** Our own entry, where it says just that and is not old. */
  current(state: OwnState, now: number): SignedEntry | null {
    return this.#own.current(state, now);
  }

  /** The next claim about ourselves, to be signed and handed back to `publish`. */
  beat(state: OwnState): Claim {
    return this.#own.beat(state);
  }

  publish(own: SignedEntry, now: number): void {
    this.#own.publish(own, now);
  }

  /** Time goes by: old entries are dropped. */
  tick(now: number): MembershipEvent[] {
    this.#excuse(now);
    this.#graves.tick(now);
    for (const { entry } of this.#kin.expired(now)) this.#kin.drop(entry.claim.id);
    return this.#view.expired(now).flatMap(({ entry }) => {
      // Nobody said that it is gone; but where all of a room is small enough to be known, it is worth a try.
      if (!this.#view.isFull) this.#graves.bury(entry.claim.id, entry, now);
      return this.#drop(entry.claim.id);
    });
  }

  /** Whether an entry is worth checking its signature for. */
  wants({ entry, ageMs }: News, from: PeerId, occasion: Occasion, now: number): boolean {
    const { claim } = entry;
    if (claim.id === this.self) return this.#own.isBehind(claim);
    const held = this.#held(claim.id);
    if (held !== undefined && claim.id === from && compareAge(claim, held.claim) < 0) this.#behind.add(from);
    const expireMs = occasion === "exchange" ? KIN_EXPIRE_MS : EXPIRE_MS;
    if (ageMs >= expireMs || this.#isBuried({ entry, ageMs }, from, now)) return false;
    const known = this.#view.get(claim.id) ?? this.#kin.get(claim.id);
    if (known === undefined) return !claim.leaving && this.#hasRoom(claim.id, from, occasion);
    if (compareAge(claim, known.entry.claim) <= 0) return false;
    return now - ageMs - known.signed > FRESH_MS || !sameBut(claim, known.entry.claim);
  }

  /** Takes an entry whose signature is good. */
  learn(news: News, from: PeerId, occasion: Occasion, now: number): readonly MembershipEvent[] {
    const { entry, ageMs } = news;
    const { claim } = entry;
    if (!this.wants(news, from, occasion, now)) return NOBODY;
    if (claim.id === this.self) {
      this.#own.outlive(claim);
      return NOBODY;
    }
    if (claim.leaving) return this.#bury(claim.id, entry, now);
    this.#graves.open(claim.id);
    const met = claim.id === from ? now : Number.NEGATIVE_INFINITY;
    const known: Known = { entry, signed: now - ageMs, met, from };
    if (this.#kin.get(claim.id) !== undefined || occasion === "exchange") this.#lend(known, now);
    const old = this.#view.get(claim.id);
    if (old !== undefined) return this.#renew(known, old);
    // The origin of a record is for the kin view alone: who is in the other one is left to chance.
    if (claim.id !== from && (ageMs >= EXPIRE_MS || (occasion === "exchange" && this.#view.isFull))) return NOBODY;
    const left = this.#makeRoom(claim.id, from, now);
    if (this.#view.isFull) return left;
    this.#view.put(known);
    return claim.serves ? [...left, { kind: "joined", peer: claim.id }] : left;
  }

  /** The peer itself was heard, over a channel that vouches for its name. */
  contact(peer: PeerId, now: number): void {
    for (const view of [this.#view, this.#kin]) {
      const known = view.get(peer);
      if (known !== undefined) known.met = now;
    }
  }

  /** Who turned up in a swap, wanted or not. Not who speaks: those connected would be met again and again. */
  counted(news: readonly News[], from: PeerId, now: number): void {
    for (const { entry } of news) {
      const { id } = entry.claim;
      if (id !== this.self && id !== from) this.#census.note(id, now);
    }
  }

  /** A call to it failed, or the connection to it closed and it did not say why. */
  lost(peer: PeerId, now: number): readonly MembershipEvent[] {
    const entry = (this.#view.get(peer) ?? this.#kin.get(peer))?.entry;
    return this.#bury(peer, entry ?? null, now);
  }

  /** It said itself that it goes: nobody need try whether it is there. */
  gone(peer: PeerId, now: number): readonly MembershipEvent[] {
    return this.#bury(peer, null, now);
  }

  /** Whether it said that it goes, and nothing since. */
  hasLeft(peer: PeerId): boolean {
    return this.#graves.isFinal(peer);
  }

  /** Possible partners, in the order of their names. */
  alive(): PeerId[] {
    const names = this.#view.names().filter((peer) => this.#view.get(peer)!.entry.claim.serves);
    const more = this.#kin.names().filter((peer) => this.#view.get(peer) === undefined);
    return more.length === 0 ? names : [...names, ...more].sort();
  }

  /** Everybody in the view, those who answer no exchanges too. */
  reachable(): readonly PeerId[] {
    return this.#view.names();
  }

  /** How long ago a peer was there for sure; infinite for one that is unknown. */
  age(peer: PeerId, now: number): number {
    const known = this.#view.get(peer) ?? this.#kin.get(peer);
    return known === undefined ? Number.POSITIVE_INFINITY : ageOf(known, now);
  }

  /** Buried ones that are worth a try: in a room that is small enough to be known as a whole, and where nobody else is left. */
  doubtful(now: number): PeerId[] {
    return this.#view.isFull ? [] : this.#graves.due(now, this.#view.size === 0);
  }

  addresses(peer: PeerId): readonly string[] {
    return this.#held(peer)?.claim.addresses ?? [];
  }

  /** What a hub is told: our own entry. What it tells in return may take the place of as many others as in a swap. */
  introduce(to: PeerId, now: number): News[] {
    this.#swaps.forget(to);
    return this.#own.news(now);
  }

  /**
   * What goes along with a message: our own entry; in a swap some of the view, those first that have made room for what
   * came from the other side; with an exchange the entries of the origins of its records. And the receiver's own where it
   * does not know it: after a restart with a clock that went back only that tells it why nobody believes it.
   */
  pack(to: PeerId, occasion: Occasion, now: number): News[] {
    const news = this.#own.news(now);
    const theirs = this.#behind.delete(to) ? this.#held(to) : undefined;
    if (theirs !== undefined) news.push({ entry: theirs, ageMs: 0 });
    const others = occasion === "gossip" ? this.#swaps.offer(to, this.#view, this.random) : this.#origins(to);
    for (const known of others) news.push(newsOf(known, now));
    return news;
  }

  /** The next answer to `to` carries records of these origins. */
  bring(to: PeerId, origins: readonly PeerId[]): void {
    this.#swaps.bring(to, origins);
  }

  #origins(to: PeerId): Known[] {
    const found = this.#swaps.brought(to).flatMap((peer) => this.#kin.get(peer) ?? this.#view.get(peer) ?? []);
    return found.filter(({ entry }) => entry.claim.id !== to).slice(0, MEMBERSHIP_LIMITS.entries - 2);
  }

  /** Whoever speaks for itself is there, buried or not; unless it says that it goes. */
  #isBuried(news: News, from: PeerId, now: number): boolean {
    const { claim } = news.entry;
    if (!this.#graves.has(claim.id)) return false;
    const buried = this.#graves.get(claim.id);
    const speaks = claim.id === from && !claim.leaving;
    return speaks ? buried !== undefined && compareAge(claim, buried.claim) < 0 : this.#graves.bars(news, now);
  }

  #hasRoom(peer: PeerId, from: PeerId, occasion: Occasion): boolean {
    return peer === from || occasion === "exchange" || !this.#view.isFull || this.#swaps.hasRoom(from);
  }

  /** In a full view: for the one who speaks the oldest goes; for others one that was offered in the swap. */
  #makeRoom(peer: PeerId, from: PeerId, now: number): readonly MembershipEvent[] {
    if (!this.#view.isFull) return NOBODY;
    const out = peer === from ? this.#view.oldest(now)! : this.#swaps.makeRoom(from, this.#view, this.random);
    return out === null ? NOBODY : this.#drop(out.entry.claim.id);
  }

  #renew(known: Known, old: Known): readonly MembershipEvent[] {
    this.#view.put({ ...known, met: Math.max(known.met, old.met) });
    const { serves, id } = known.entry.claim;
    if (serves === old.entry.claim.serves) return NOBODY;
    return [{ kind: serves ? "joined" : "left", peer: id }];
  }

  /** Into the kin view; where that is full, the oldest of those goes that are no kin, or of all. */
  #lend(known: Known, now: number): void {
    const { id, serves } = known.entry.claim;
    if (!serves) return;
    if (this.#kin.get(id) === undefined && this.#kin.isFull) {
      const others = [...this.#kin.all()];
      const strange = others.filter(({ entry }) => !this.isKin(entry.claim.id));
      if (strange.length === 0 && !this.isKin(id)) return;
      const candidates = strange.length > 0 ? strange : others;
      const oldest = candidates.reduce((a, b) => (ageOf(b, now) > ageOf(a, now) ? b : a));
      this.#kin.drop(oldest.entry.claim.id);
    }
    this.#kin.put(known);
  }

  #bury(peer: PeerId, entry: SignedEntry | null, now: number): readonly MembershipEvent[] {
    this.#graves.bury(peer, entry, now);
    this.#kin.drop(peer);
    return this.#drop(peer);
  }

  #drop(peer: PeerId): MembershipEvent[] {
    const known = this.#view.drop(peer);
    return known?.entry.claim.serves === true ? [{ kind: "left", peer }] : [];
  }

  #held(peer: PeerId): SignedEntry | undefined {
    return (this.#view.get(peer) ?? this.#kin.get(peer))?.entry ?? this.#graves.get(peer);
  }

  /** If it was us who slept, nobody else has been silent. */
  #excuse(now: number): void {
    const slept = now - this.#ticked - 4 * this.roundMs;
    if (slept > 0) for (const view of [this.#view, this.#kin]) view.excuse(slept);
    this.#ticked = now;
  }
}
