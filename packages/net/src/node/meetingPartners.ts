import type { PeerId, Random } from "@coterie/core";
import { EXPIRE_MS } from "../membership/limits.ts";
import type { PartnerKnowledge } from "./exchanging.ts";
import type { Life } from "./journal.ts";
import { youngest } from "./swapPartner.ts";

/** How often a policy is asked whom it would like to meet, where those it names are not there. */
const MOST_WISHES = 8;

const LATELY_MS = 10_000;

/** So many that have answered before are enough to keep to them for a while. */
const LEAST_TRUSTED = 3;

export interface MeetingPartnersConfig extends PartnerKnowledge {
  /** Those believed alive, in a fixed order. */
  readonly alive: () => readonly PeerId[];
  /** How long ago a peer was there for sure; null where whoever is alive is there for sure. */
  readonly age: (peer: PeerId, now: number) => number | null;
  /** Whom to have to do with. */
  readonly admits: (peer: PeerId) => boolean;
}

/** Whom a peer meets next. */
export class MeetingPartners {
  /** Null until the peer's own clock begins: until then nobody is drawn. */
  random: Random | null = null;

  readonly #config: MeetingPartnersConfig;
  readonly #life: () => Life;
  readonly #isAloof: (peer: PeerId) => boolean;

  constructor(config: MeetingPartnersConfig, life: () => Life, isAloof: (peer: PeerId) => boolean) {
    this.#config = config;
    this.#life = life;
    this.#isAloof = isAloof;
  }

  /** Whom the policy would like to meet, if that one is there; else any of those worth meeting, the younger the likelier. */
  draw(now: number): PeerId | null {
    const near = this.#rested(this.worthMeeting());
    const { random } = this;
    if (near.length === 0 || random === null) return null;
    const age = (peer: PeerId): number => this.#config.age(peer, now) ?? 0;
    const wished = this.#wish(near, age, random);
    if (wished !== null) return wished;
    if (this.#config.age(near[0]!, now) === null) return near[random.below(near.length)]!;
    // Old entries are for those whom the policy asks for.
    const fresh = near.filter((peer) => age(peer) < EXPIRE_MS);
    return youngest(fresh.length > 0 ? fresh : near, age, random);
  }

  /** Without those that are left alone for now; where all are, the one for which that ends first. */
  #rested(peers: readonly PeerId[]): readonly PeerId[] {
    const { scores, sources } = this.#config;
    const rests = peers.map((peer) => scores.rests(peer, sources(peer)));
    if (this.#wasCutOff(peers, rests)) return peers.filter((peer, k) => rests[k] === 0 || scores.hasMet(peer));
    const trusted = this.#isWary() ? peers.filter((peer, k) => rests[k] === 0 && scores.stands(peer)) : [];
    if (trusted.length >= LEAST_TRUSTED) return trusted;
    const least = rests.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return least === 0
      ? peers.filter((_, k) => rests[k] === 0)
      : peers.filter((_, k) => rests[k] === least).slice(0, 1);
  }

  /**
   * Where most of a room rests although it answered before, it is likelier that we were cut off than that all of them fell silent: every
   * other tick they count as rested. Else a small room falls apart into pairs after an outage, each with the one that it still hears.
   */
  #wasCutOff(peers: readonly PeerId[], rests: readonly number[]): boolean {
    const { scores } = this.#config;
    const resting = peers.filter((peer, k) => rests[k]! > 0 && scores.hasMet(peer));
    return 2 * resting.length > peers.length && this.random !== null && this.random.below(2) === 0;
  }

  /** A stranger cost half of a tick's time; the other half is for one that has answered before. */
  instead(): PeerId | null {
    const { scores, sources } = this.#config;
    const proven = this.worthMeeting().filter(
      (peer) => !scores.isDoubtful(peer) && scores.rests(peer, sources(peer)) === 0,
    );
    return proven.length === 0 || this.random === null ? null : proven[this.random.below(proven.length)]!;
  }

  /** While names from some address prefix are of no use, three in four meetings are with those that have answered before. */
  #isWary(): boolean {
    return this.#config.scores.doubted().length > 0 && this.random !== null && this.random.below(4) > 0;
  }

  /** Whom the policy would like to meet of those near; null where it would as soon meet anybody. */
  #wish(near: readonly PeerId[], age: (peer: PeerId) => number, random: Random): PeerId | null {
    const { learner } = this.#life().peer;
    const names = new Set(near);
    const isThere = (peer: PeerId): boolean => names.has(peer);
    const suggest = (): PeerId | null => learner.suggest?.(random, isThere) ?? null;
    let best = suggest();
    // It is asked a few times more, until one was there lately: many of those in the kin view have gone.
    for (let left = MOST_WISHES; best !== null && age(best) >= LATELY_MS && left > 0; left--) {
      const other = suggest();
      if (other !== null && age(other) < age(best)) best = other;
    }
    return best !== null && isThere(best) ? best : null;
  }

  /** Those worth meeting: alive, of this peer's own kind, not of another opinion, and not known for nonsense. */
  worthMeeting(): PeerId[] {
    const { alive, admits, scores } = this.#config;
    const { learner } = this.#life().peer;
    const isWorth = (peer: PeerId): boolean =>
      learner.near(peer) && !this.#isAloof(peer) && admits(peer) && !scores.refuses(peer);
    return alive().filter(isWorth);
  }
}
