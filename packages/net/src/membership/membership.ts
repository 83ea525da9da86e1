import type { PeerId, Random } from "@coterie/core";
import { type Claim, compareAge, type News, type SignedEntry, sameBut } from "./entry.ts";
import {
  FRESH_MS,
  heartbeatMs,
  LIST_MS,
  MEMBERSHIP_LIMITS,
  MOST_HOPS,
  ROUNDS_PER_HEARTBEAT,
  removeMs,
  suspectMs,
  TOMB_MS,
} from "./limits.ts";
import { blame, isNews, type Member, suspicionOf } from "./member.ts";
import { Own, type OwnState } from "./own.ts";
import { type Bulletin, type Pulse, type Tag, TagList, tagOf } from "./pulse.ts";

export interface MembershipEvent {
  readonly kind: "joined" | "left";
  readonly peer: PeerId;
}

const NOTHING: readonly News[] = [];

/** What is left of a peer that was given up. */
interface Tomb {
  readonly entry: SignedEntry;
  readonly tag: Tag;
  readonly until: number;
}

/**
 * Who is in the room and who seems alive: the newest claim of every peer, and how much speaks against it.
 *
 *     suspicion in ms = silence since somebody last heard it + what failed requests weigh
 *
 * Entries are long and seldom change; who was heard when is short and changes all the time. So every message carries a
 * pulse of each entry its sender holds. It spreads the signs of life, and tells the receiver which entries the sender has:
 * only those it lacks are sent, the first time that the two talk all of them.
 *
 * A suspect is not chosen but still probed; it is given up only after a long silence. Pure: the time is an argument,
 * signatures are checked before an entry comes here, and what happened is returned.
 */
export class Membership {
  readonly #members = new Map<PeerId, Member>();
  /** The same by their tags, and in the order of their names, which is made anew when somebody comes or goes. */
  readonly #tagged = new Map<Tag, Member>();
  #ordered: readonly Member[] | null = null;
  readonly #tombs = new Map<PeerId, Tomb>();
  /** Which entries partners have, by what they last said. */
  readonly #lists = new Map<PeerId, TagList>();
  /** Rises whenever an entry comes, changes or goes. */
  #state = 0;
  readonly #own: Own;
  #ticked: number;

  /** `incarnation`: larger than at the last start, if that can be known; a forgotten one is overtaken on contact. */
  constructor(
    readonly self: PeerId,
    incarnation: number,
    now: number,
  ) {
    this.#own = new Own(self, incarnation);
    this.#ticked = now;
  }

  /** Known peers, those suspected too. */
  get size(): number {
    return this.#members.size;
  }

  /** Our own entry, as news. */
  introduction(): News[] {
    return this.#own.news();
  }

  /** Between two rounds of gossip, as the room is now. */
  get roundMs(): number {
    return heartbeatMs(this.size + 1) / ROUNDS_PER_HEARTBEAT;
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
    this.#state += 1;
  }

  /** Time goes by: gives up the silent, forgets the long forgotten. */
  tick(now: number): MembershipEvent[] {
    this.#excuse(now);
    const events: MembershipEvent[] = [];
    const bound = removeMs(this.size + 1);
    for (const { entry, heard } of this.#members.values()) {
      if (now - heard >= bound) events.push(...this.#giveUp(entry.claim.id, now));
    }
    for (const [peer, tomb] of this.#tombs) if (tomb.until <= now) this.#tombs.delete(peer);
    return events;
  }

  /** Whether an entry says something that is worth checking its signature for. */
  wants({ entry, ageMs }: News, now: number): boolean {
    const { claim } = entry;
    if (claim.id === this.self) return this.#own.isBehind(claim);
    if (ageMs >= removeMs(this.size + 1)) return false;
    const tomb = this.#tombs.get(claim.id);
    if (tomb !== undefined && compareAge(claim, tomb.entry.claim) <= 0) return false;
    const member = this.#members.get(claim.id);
    if (member === undefined) return !claim.leaving && this.#hasRoom(now);
    if (compareAge(claim, member.entry.claim) <= 0) return false;
    return now - member.heard > FRESH_MS || !sameBut(claim, member.entry.claim);
  }

  /** Takes an entry whose signature is good. */
  learn(news: News, now: number): MembershipEvent[] {
    if (!this.wants(news, now)) return [];
    const { entry, ageMs } = news;
    const { claim } = entry;
    if (claim.id === this.self) {
      this.#own.outlive(claim);
      return [];
    }
    const old = this.#members.get(claim.id);
    const events = old === undefined ? this.#makeRoom(now) : [];
    this.#tombs.delete(claim.id);
    const heard = Math.max(old?.heard ?? -Infinity, now - ageMs);
    const [debt, owed, tag] = [old?.debt ?? 0, old?.owed ?? now, tagOf(claim)];
    const member = { entry, tag, heard, hops: heard === old?.heard ? old.hops : 1, debt, owed, announced: false };
    // Another start of the peer is another chance.
    if (old !== undefined && old.entry.claim.incarnation !== claim.incarnation) member.debt = 0;
    member.announced = old?.announced ?? false;
    this.#keep(member, old);
    if (member.announced || !claim.serves) return events;
    member.announced = true;
    return [...events, { kind: "joined", peer: claim.id }];
  }

  /** The peer itself was heard, over a channel that vouches for its name. */
  contact(peer: PeerId, now: number): void {
    const member = this.#members.get(peer);
    if (member === undefined) return;
    member.heard = Math.max(member.heard, now);
    member.hops = 0;
    member.debt = 0;
  }

  /** What a partner said of whom it heard when, and with that of the entries it has. */
  hear(partner: PeerId, pulses: readonly Pulse[], now: number): void {
    let shared = 0;
    for (const { tag, ageMs, hops } of pulses) {
      const member = this.#tagged.get(tag);
      if (member === undefined) {
        if (tag === this.#own.tag) shared += 1;
        continue;
      }
      shared += 1;
      if (hops >= MOST_HOPS || now - ageMs <= member.heard) continue;
      member.heard = now - ageMs;
      member.hops = hops + 1;
    }
    // Whoever says a tag twice only deceives itself: it gets nothing.
    const whole = shared >= this.#members.size + 1 ? this.#state : null;
    // Set anew, so that the first of the map is the one that has been silent longest.
    this.#lists.delete(partner);
    this.#lists.set(partner, new TagList(pulses, now, whole));
    if (this.#lists.size > MEMBERSHIP_LIMITS.members) this.#lists.delete(this.#lists.keys().next().value!);
  }

  /** A request to it got no answer. */
  failed(peer: PeerId, now: number): void {
    const member = this.#members.get(peer);
    if (member !== undefined) blame(member, now);
  }

  /** What speaks against a peer, in ms; infinite for one that is unknown or said that it goes. */
  suspicion(peer: PeerId, now: number): number {
    const member = this.#members.get(peer);
    return member === undefined ? Number.POSITIVE_INFINITY : suspicionOf(member, now);
  }

  /** Possible partners, in the order of their names. */
  alive(now: number): PeerId[] {
    const names: PeerId[] = [];
    for (const { entry } of this.#living(now)) if (entry.claim.serves) names.push(entry.claim.id);
    return names;
  }

  /** Everybody who seems alive, meeting points too. */
  reachable(now: number): PeerId[] {
    return this.#living(now).map(({ entry }) => entry.claim.id);
  }

  /** Suspects, and those given up not long ago: worth a try now and then. */
  doubtful(now: number): PeerId[] {
    const bound = suspectMs(this.size + 1);
    const names = [...this.#tombs.keys()];
    for (const member of this.#members.values()) {
      if (suspicionOf(member, now) >= bound) names.push(member.entry.claim.id);
    }
    return names.length > 1 ? names.sort() : names;
  }

  addresses(peer: PeerId): readonly string[] {
    return this.#held(peer)?.claim.addresses ?? [];
  }

  /**
   * What goes along with a message: a pulse of everybody, and of the entries that its receiver lacks our own, its own and
   * some of the living and just leaving. The receiver's own matters after a restart with a clock that went back: only its
   * old entry tells it why nobody believes it. Whoever has not just told what it has, because it is we who ask, gets the first two.
   */
  pack(now: number, random: Random, to: PeerId | null = null): Bulletin {
    const list = to === null ? undefined : this.#lists.get(to);
    const news = list?.whole === this.#state ? this.#remains(list, to) : this.#news(list, to, now, random);
    return { news, pulses: this.#pulses(now) };
  }

  /** What somebody lacks who has all our entries: its own, where we have given it up. */
  #remains(list: TagList, to: PeerId | null): readonly News[] {
    const tomb = to === null ? undefined : this.#tombs.get(to);
    if (tomb === undefined || list.has(tomb.tag)) return NOTHING;
    list.add(tomb.tag);
    return [{ entry: tomb.entry, ageMs: 0 }];
  }

  #news(list: TagList | undefined, to: PeerId | null, now: number, random: Random): News[] {
    const news: News[] = [];
    const tell = (entry: SignedEntry, tag: Tag, ageMs: number): void => {
      news.push({ entry, ageMs });
      // Until it says otherwise: a message may be lost.
      list?.add(tag);
    };
    const { entry: own, tag: ownTag } = this.#own;
    if (own !== null && list?.has(ownTag) !== true) tell(own, ownTag, 0);
    const theirs = to === null ? undefined : (this.#members.get(to) ?? this.#tombs.get(to));
    if (theirs !== undefined && list?.has(theirs.tag) === false) tell(theirs.entry, theirs.tag, 0);
    for (const { entry, tag, heard } of this.#lacked(list, now, random)) {
      if (news.length < MEMBERSHIP_LIMITS.entries && entry !== theirs?.entry)
        tell(entry, tag, Math.max(0, now - heard));
    }
    return news;
  }

  /** What is news to somebody who has the entries of `list`, in any order. */
  #lacked(list: TagList | undefined, now: number, random: Random): Member[] {
    if (list === undefined || now - list.at > LIST_MS) return [];
    const bound = suspectMs(this.size + 1);
    const lacked: { readonly member: Member; readonly draw: number }[] = [];
    for (const member of this.#members.values()) {
      if (list.lacks(member.tag) && now - member.heard < bound && isNews(member, now, bound))
        lacked.push({ member, draw: random.uint32() });
    }
    return lacked.sort((a, b) => a.draw - b.draw).map(({ member }) => member);
  }

  #pulses(now: number): Pulse[] {
    const { entry, tag: ownTag } = this.#own;
    const all: Pulse[] = entry === null ? [] : [{ tag: ownTag, ageMs: 0, hops: 0 }];
    for (const { tag, heard, hops } of this.#members.values()) {
      all.push({ tag, ageMs: Math.max(0, now - heard), hops });
    }
    return all;
  }

  #held(peer: PeerId): SignedEntry | undefined {
    return (this.#members.get(peer) ?? this.#tombs.get(peer))?.entry;
  }

  #keep(member: Member, old: Member | undefined): void {
    if (old !== undefined) this.#tagged.delete(old.tag);
    this.#members.set(member.entry.claim.id, member);
    this.#tagged.set(member.tag, member);
    this.#ordered = null;
    this.#state += 1;
  }

  /** Those who seem alive, in the order of their names. */
  #living(now: number): Member[] {
    this.#ordered ??= [...this.#members.values()].sort((a, b) => (a.entry.claim.id < b.entry.claim.id ? -1 : 1));
    const bound = suspectMs(this.size + 1);
    return this.#ordered.filter((member) => suspicionOf(member, now) < bound);
  }

  /** If it was us who slept, nobody else has been silent. */
  #excuse(now: number): void {
    const slept = now - this.#ticked - 4 * this.roundMs;
    if (slept > 0) for (const member of this.#members.values()) member.heard = Math.min(now, member.heard + slept);
    this.#ticked = now;
  }

  #hasRoom(now: number): boolean {
    return this.size < MEMBERSHIP_LIMITS.members || this.#mostSuspect(now) !== null;
  }

  /** Where the room is full, the one most suspected goes; `wants` saw that there is one. */
  #makeRoom(now: number): MembershipEvent[] {
    const suspect = this.size < MEMBERSHIP_LIMITS.members ? null : this.#mostSuspect(now);
    return suspect === null ? [] : this.#giveUp(suspect, now);
  }

  #giveUp(peer: PeerId, now: number): MembershipEvent[] {
    const { entry, tag, announced } = this.#members.get(peer)!;
    this.#members.delete(peer);
    this.#tagged.delete(tag);
    this.#ordered = null;
    this.#state += 1;
    this.#tombs.delete(peer);
    this.#tombs.set(peer, { entry, tag, until: now + TOMB_MS });
    if (this.#tombs.size > MEMBERSHIP_LIMITS.tombs) this.#tombs.delete(this.#tombs.keys().next().value!);
    return announced ? [{ kind: "left", peer }] : [];
  }

  #mostSuspect(now: number): PeerId | null {
    const bound = suspectMs(this.size + 1);
    let worst: PeerId | null = null;
    for (const peer of this.#members.keys()) {
      const score = this.suspicion(peer, now);
      if (score >= bound && (worst === null || score > this.suspicion(worst, now))) worst = peer;
    }
    return worst;
  }
}
