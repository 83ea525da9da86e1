import type { PeerId, Random } from "@coterie/core";
import { Census } from "./census.ts";
import { Entries } from "./entries.ts";
import { compareAge, type MembershipEvent, type News, type Occasion, sameBut } from "./entry.ts";
import { EXPIRE_MS, FRESH_MS, KIN_EXPIRE_MS, MEMBERSHIP_LIMITS, OWN_MS, roundMs } from "./limits.ts";
import { Origins } from "./origins.ts";
import { Own } from "./own.ts";
import { mayName } from "./prefix.ts";
import {
  beyondShare,
  type Doubts,
  hasShare,
  isDoubted,
  type NameSource,
  NO_DOUBTS,
  NOWHERE,
  type Route,
  sourcesOf,
} from "./shares.ts";
import { Swaps } from "./swaps.ts";
import { type Known, newsOf, type View } from "./view.ts";

const NOBODY: readonly MembershipEvent[] = [];

/** Those that answered us lately have a share of the view that no word of others takes. */
const keepsPlace = ({ reached }: Known, now: number): boolean => now - reached <= OWN_MS;

/**
 * Who is in the room, as far as one peer can know: which entries of others it takes, and which it tells. An entry is overtaken only
 * by a newer one of its signer, and goes when it is old; whoever does not answer is buried, and only what it signs later brings it back.
 *
 * Pure: the time is an argument, randomness comes as a stream, signatures are checked before an entry comes here, and what
 * happened is returned.
 */
export class Membership {
  /** What this peer says of itself. */
  readonly own: Own;
  /** What is held of others. */
  readonly entries: Entries;
  readonly #census = new Census();
  readonly #swaps = new Swaps();
  readonly #origins = new Origins();
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
    isKin: (peer: PeerId) => boolean = () => false,
    /** How often names of a source were of no use lately. */
    readonly doubts: Doubts = NO_DOUBTS,
  ) {
    this.own = new Own(self, incarnation);
    this.entries = new Entries(isKin);
    this.#ticked = now;
  }

  get #view(): View {
    return this.entries.view;
  }

  /** Entries in the view. */
  get size(): number {
    return this.#view.size;
  }

  /** How many are in the room, this peer included: those in the view that are believed to be somebody while all fit into it, else an estimate. */
  get count(): number {
    const known = this.#view.size - this.#doubted + 1;
    return this.#isFull ? Math.max(known, Math.round(this.#census.size ?? known)) : known;
  }

  /** Whether not everybody can be known: names beyond the share of their source make nobody's room large. */
  get #isFull(): boolean {
    return this.#view.isFull && beyondShare(this.#view, this.doubts).length === 0;
  }

  /** Entries behind which there may be nobody. */
  get #doubted(): number {
    let count = 0;
    if (this.doubts.any()) for (const known of this.#view.all()) if (isDoubted(known, this.doubts)) count += 1;
    return count;
  }

  /** Between two rounds of gossip, as the room is now. */
  get roundMs(): number {
    return roundMs(this.#view.size);
  }

  /** Time goes by: old entries are dropped. */
  tick(now: number): MembershipEvent[] {
    this.#excuse(now);
    // What nobody has reached is kept only while those who named it are believed.
    const doubted = this.doubts.any() ? beyondShare(this.#view, this.doubts, false) : [];
    return [...doubted.flatMap((peer) => this.entries.drop(peer)), ...this.entries.expire(now, this.#isFull)];
  }

  /** Buried ones that are worth a try: in a room that is small enough to be known as a whole, and where nobody else is left. */
  doubtful(now: number): PeerId[] {
    return this.#isFull ? [] : this.entries.graves.due(now, this.#view.size === 0);
  }

  /** Whether an entry is worth checking its signature for. */
  wants(news: News, from: PeerId, occasion: Occasion, now: number, via: Route = NOWHERE): boolean {
    return this.#sourcesIfWanted(news, from, occasion, now, via) !== null;
  }

  /** Whose word an entry is; null where it is not wanted. */
  #sourcesIfWanted(
    { entry, ageMs }: News,
    from: PeerId,
    occasion: Occasion,
    now: number,
    via: Route,
  ): readonly NameSource[] | null {
    const { claim } = entry;
    if (claim.id === this.self) return this.own.isBehind(claim) ? [] : null;
    const held = this.entries.entry(claim.id);
    if (held !== undefined && claim.id === from && compareAge(claim, held.claim) < 0) this.#behind.add(from);
    const expireMs = occasion === "exchange" ? KIN_EXPIRE_MS : EXPIRE_MS;
    if (ageMs >= expireMs || this.#isBuried({ entry, ageMs }, from, now)) return null;
    const known = this.entries.get(claim.id);
    if (known === undefined) {
      if (claim.leaving) return null;
      const sources = sourcesOf(claim, from, via);
      return this.#hasRoom(claim.id, from, occasion, sources) ? sources : null;
    }
    if (compareAge(claim, known.entry.claim) <= 0) return null;
    if (now - ageMs - known.signed <= FRESH_MS && sameBut(claim, known.entry.claim)) return null;
    // What one introducer brought stays its own, until its peer speaks for itself.
    return claim.id === from ? sourcesOf(claim, from, via) : known.sources;
  }

  /** Takes an entry whose signature is good. */
  learn(news: News, from: PeerId, occasion: Occasion, now: number, via: Route = NOWHERE): readonly MembershipEvent[] {
    const { entry, ageMs } = news;
    const { claim } = entry;
    const sources = this.#sourcesIfWanted(news, from, occasion, now, via);
    if (sources === null) return NOBODY;
    if (claim.id === this.self) {
      this.own.outlive(claim);
      return NOBODY;
    }
    if (claim.leaving) return this.entries.bury(claim.id, entry, now);
    this.entries.graves.open(claim.id);
    const met = claim.id === from ? now : Number.NEGATIVE_INFINITY;
    const { scope } = via;
    const { reached } = this.entries.word(claim.id);
    const { kin } = this.entries;
    const known: Known = { entry, signed: now - ageMs, met, from, reached, sources, scope };
    const asKin = kin.get(claim.id) !== undefined;
    if (asKin || occasion === "exchange") kin.take(known, now);
    const old = this.#view.get(claim.id);
    if (old !== undefined) return this.#renew(known, old);
    // The origin of a record, and who is called as kin, is for the kin view alone: who is in the other one is left to chance.
    if (occasion === "exchange" && this.#view.isFull && (asKin || claim.id !== from)) return NOBODY;
    if (claim.id !== from && ageMs >= EXPIRE_MS) return NOBODY;
    if (!hasShare(this.#view, known.sources, this.doubts)) return NOBODY;
    const left = this.#makeRoom(claim.id, from, now);
    if (this.#view.isFull) return left;
    this.#view.put(known);
    return claim.serves ? [...left, { kind: "joined", peer: claim.id }] : left;
  }

  /** Who turned up in a swap, wanted or not. Not who speaks: those connected would be met again and again. */
  counted(news: readonly News[], from: PeerId, now: number): void {
    for (const { entry } of news) {
      const { id } = entry.claim;
      if (id !== this.self && id !== from) this.#census.note(id, now);
    }
  }

  /** What a hub is told: our own entry. What it tells in return may take the place of as many others as in a swap. */
  introduce(to: PeerId, now: number): News[] {
    this.#swaps.forget(to);
    return this.own.news(now);
  }

  /**
   * What goes along with a message: our own entry; in a swap some of the view, those first that have made room for what
   * came from the other side; with an exchange the entries of the origins of its records. And the receiver's own where it
   * does not know it: after a restart with a clock that went back only that tells it why nobody believes it.
   */
  pack(to: PeerId, occasion: Occasion, now: number): News[] {
    const news = this.own.news(now);
    const theirs = this.#behind.delete(to) ? this.entries.entry(to) : undefined;
    if (theirs !== undefined) news.push({ entry: theirs, ageMs: 0 });
    const others =
      occasion === "gossip" ? this.#swaps.offer(to, this.#view, this.random, this.#mayTell(now)) : this.#originsFor(to);
    for (const known of others) news.push(newsOf(known, now));
    return news;
  }

  /** The next answer to `to` carries records of these origins. */
  bring(to: PeerId, origins: readonly PeerId[]): void {
    this.#origins.bring(to, origins);
  }

  /**
   * Which entries a swap may take along. Whoever tells of names that are of no use is blamed for them, so names of a source in
   * doubt stay behind. So does who keeps its place in a full view: told of again and again without ever leaving, those whom many
   * have reached would be in ever more views. Where names are in doubt, they are the best there are to tell of.
   */
  #mayTell(now: number): ((known: Known) => boolean) | undefined {
    if (this.doubts.any()) return (known) => !isDoubted(known, this.doubts);
    return this.#view.isFull ? (known) => !keepsPlace(known, now) : undefined;
  }

  #originsFor(to: PeerId): Known[] {
    const found = this.#origins.take(to).flatMap((peer) => this.entries.kin.get(peer) ?? this.#view.get(peer) ?? []);
    return found.filter(({ entry }) => entry.claim.id !== to).slice(0, MEMBERSHIP_LIMITS.entries - 2);
  }

  /** Whoever speaks for itself is there, buried or not; unless it says that it goes. */
  #isBuried(news: News, from: PeerId, now: number): boolean {
    const { claim } = news.entry;
    const speaks = claim.id === from && !claim.leaving;
    return speaks ? this.entries.graves.barsItsOwn(claim) : this.entries.graves.bars(news, now);
  }

  #hasRoom(peer: PeerId, from: PeerId, occasion: Occasion, sources: readonly NameSource[]): boolean {
    // The origin of a record has a view of its own.
    if (occasion === "exchange" && peer !== from) return true;
    if (!hasShare(this.#view, sources, this.doubts)) return false;
    return peer === from || !this.#view.isFull || this.#swaps.hasRoom(from);
  }

  /** In a full view: one goes that is beyond its share. Else the oldest goes for one that speaks for itself; for others, one that was offered in the swap. */
  #makeRoom(peer: PeerId, from: PeerId, now: number): readonly MembershipEvent[] {
    if (!this.#view.isFull) return NOBODY;
    const fits = (known: Known): boolean => !keepsPlace(known, now);
    const beyond = beyondShare(this.#view, this.doubts)
      .reverse()
      .find((each) => fits(this.#view.get(each)!));
    if (beyond !== undefined) return this.entries.drop(beyond);
    const out =
      peer === from ? this.#view.oldest(now, fits) : this.#swaps.makeRoom(from, this.#view, this.random, fits);
    return out === null ? NOBODY : this.entries.drop(out.entry.claim.id);
  }

  #renew(known: Known, old: Known): readonly MembershipEvent[] {
    // Whoever spoke for itself from nearer by still may.
    const scope = mayName(old.scope, known.scope) ? old.scope : known.scope;
    this.#view.put({ ...known, met: Math.max(known.met, old.met), scope });
    const { serves, id } = known.entry.claim;
    if (serves === old.entry.claim.serves) return NOBODY;
    return [{ kind: serves ? "joined" : "left", peer: id }];
  }

  /** If it was us who slept, nobody else has been silent. */
  #excuse(now: number): void {
    const slept = now - this.#ticked - 4 * this.roundMs;
    if (slept > 0) for (const view of [this.#view, this.entries.kin]) view.excuse(slept);
    this.#ticked = now;
  }
}
