import { type PeerId, type Random, step } from "@coterie/core";
import { EXPIRE_MS } from "../membership/limits.ts";
import type { Entry } from "../store/store.ts";
import { type MeetingEffect, type MeetingEvent, type TickOutcome, write } from "./event.ts";
import { Exchanging, type ExchangingConfig, type PartnerKnowledge } from "./exchanging.ts";
import { CHANGED, CLOSED, forgotten, type Life, lost, observed, placed, resized } from "./journal.ts";
import { Members } from "./members.ts";
import { youngest } from "./partner.ts";
import type { Places } from "./places.ts";
import { renew } from "./renew.ts";
import { Reporting } from "./reporting.ts";
import { Ticks } from "./ticks.ts";

/** How often a policy is asked whom it would like to meet, where those it names are not there. */
const MOST_WISHES = 8;

const LATELY_MS = 10_000;

/** So many that have answered before are enough to keep to them for a while. */
const LEAST_TRUSTED = 3;

/** The bounds of half of a tick's time: whoever ticks often cannot wait as long, and a first connection takes its time. */
const MOST_HURRY_MS = 5000;
const LEAST_HURRY_MS = 2000;

export interface MeetingsConfig extends ExchangingConfig, PartnerKnowledge {
  /** Those believed alive, in a fixed order. */
  readonly alive: () => readonly PeerId[];
  /** How long ago a peer was there for sure; null where whoever is alive is there for sure. */
  readonly age: (peer: PeerId, now: number) => number | null;
  /** How many are in the room, this peer included, and whether that is no guess. */
  readonly count: () => { readonly peers: number; readonly sure: boolean };
  /** The answer to `to` carries records of these origins. */
  readonly brings: (to: PeerId, origins: readonly PeerId[]) => void;
}

/**
 * The peer and its meetings, as one pure machine: what it learns, when it ticks, whom it meets. A write is an effect of
 * the very step that changed the state, so that entries have the order of what happened.
 */
export class Meetings {
  readonly exchanging: Exchanging;
  readonly #reporting: Reporting;
  readonly #config: MeetingsConfig;
  readonly #members = new Members();
  #life: Life;
  #ticks: Ticks | null = null;
  #partners: Random | null = null;
  #stopped = false;
  /** The round when the last tick was over. */
  #round: number;
  /** How many others there were when that was last told. */
  #told = 0;

  constructor(life: Life, config: MeetingsConfig) {
    this.#life = life;
    this.#config = config;
    this.#round = life.peer.round;
    this.exchanging = new Exchanging(config, config, () => this.#life, {
      over: (outcome, partner) => this.#over(outcome, partner),
      hurryMs: () => this.#hurryMs(),
      instead: () => this.#instead(),
      heardOf: (origins) => this.#members.seen(origins),
      brings: config.brings,
    });
    const count: Exchanging["count"] = (violation, partner) => this.exchanging.count(violation, partner);
    this.#reporting = new Reporting({ ...config, count }, () => this.#life);
  }

  /** Another life takes the place of this one. No tick may be under way. */
  adopt(life: Life): void {
    this.#life = life;
    this.#round = life.peer.round;
  }

  get places(): Places {
    return this.#life.places;
  }

  /** How many of those in view are in the neighbourhood. */
  get nearCount(): number {
    const { learner } = this.#life.peer;
    return this.#config.alive().filter((peer) => learner.near(peer)).length;
  }

  /** Whether this peer's choices rest on what that one has seen. */
  learnsFrom(peer: PeerId): boolean {
    return this.#life.peer.learner.view.lenders?.().has(peer) ?? false;
  }

  step(event: MeetingEvent, now: number): MeetingEffect[] {
    switch (event.kind) {
      case "observe":
        step(this.#life.peer, { kind: "observe", arm: event.arm, reward: event.reward });
        if (event.retold === true) this.#life.loss.retold(event.arm, event.reward);
        return write([observed(event.arm, event.reward, event.retold), ...event.beside]);
      case "change":
        step(this.#life.peer, { kind: "change" });
        return write([CHANGED]);
      case "remember":
        return this.#life.places.remember(event.places) ? write([placed(this.#life.places)]) : [];
      case "renew":
        return write(renew(this.#life.peer, event.most, event.date));
      case "lost":
        this.#life.loss.begin(this.#life.peer, event.date);
        return this.#life.loss.left === null ? [] : write([lost(event.date)]);
      case "joined":
        return this.#stopped ? [] : [...this.#moved(), ...this.#reporting.joined(event.peer)];
      case "left":
        return this.#stopped ? [] : this.#moved();
      case "gone":
        return write(this.#forget(event.peer));
      case "start":
        return this.#start(event);
      case "stop":
        this.#stopped = true;
        return [];
      case "gather":
        return this.#tell();
      case "due":
        return this.#due(now);
      case "rested":
        return this.#ticks === null ? [] : [tickIn(this.#ticks.rest()), ...this.#hasten()];
      case "tick": {
        const { partner = this.#draw(now), close = this.#closes() } = event;
        return this.#tick(partner, close);
      }
      case "report":
      case "reports":
      case "judged":
        return this.#reporting.step(event);
      case "report-due":
      case "report-answered":
        return this.#stopped ? [] : this.#reporting.step(event);
      default:
        return this.exchanging.step(event);
    }
  }

  /** Somebody joined or left. */
  #moved(): MeetingEffect[] {
    return [...this.#counted(), ...this.#tell(false), ...this.#hasten()];
  }

  #start({ tick, random }: Extract<MeetingEvent, { kind: "start" }>): MeetingEffect[] {
    const { round, config } = this.#life.peer;
    // A restart has lived through its log again since it was made.
    this.#round = round;
    this.#partners = random.fork("partners");
    const joined = [...this.#tell(false), ...this.#reporting.start()];
    if (tick === null) return joined;
    this.#ticks = new Ticks(tick, random.fork("jitter"), config.policy.delivery === "newest");
    return [...joined, tickIn(this.#ticks.first()), ...this.#hasten()];
  }

  /** Who is there is not written down: only how many, with the next round, and of whom nothing is kept any more. */
  #tell(always = true): MeetingEffect[] {
    const members = this.#config.count().peers - 1;
    // In a large room somebody comes into view all the time, and another goes.
    if (!always && members === this.#told) return [];
    this.#told = members;
    return [{ kind: "tell", event: { kind: "neighbourhood", members, near: this.nearCount } }];
  }

  #forget(partner: PeerId): Entry[] {
    const { peer } = this.#life;
    // A state that was moved here without its key may meet the peer that it came from: that is no other to it.
    if (partner === peer.config.id) return [];
    step(peer, { kind: "forget", partner });
    return [forgotten(partner)];
  }

  #hasten(): MeetingEffect[] {
    if (this.#ticks?.waits !== true) return [];
    const ms = this.#worthMeeting().length === 0 ? null : this.#ticks.hasten();
    return ms === null ? [] : [tickIn(ms)];
  }

  #due(now: number): MeetingEffect[] {
    const partner = this.#draw(now);
    this.#ticks?.begin(partner !== null);
    return this.#tick(partner, this.#closes());
  }

  /**
   * A partner that was further took this peer along: that was its round for now. If every tick closed one all the same,
   * rounds would run ahead along chains of meetings, the faster the more peers there are.
   */
  #closes(): boolean {
    return this.#life.peer.round <= this.#round;
  }

  /** Whom the policy would like to meet, if that one is there; else any of those worth meeting, the younger the likelier. */
  #draw(now: number): PeerId | null {
    const near = this.#rested(this.#worthMeeting());
    const random = this.#partners;
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
    const trusted = this.#isWary() ? peers.filter((peer, k) => rests[k] === 0 && scores.stands(peer)) : [];
    if (trusted.length >= LEAST_TRUSTED) return trusted;
    const least = rests.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return least === 0
      ? peers.filter((_, k) => rests[k] === 0)
      : peers.filter((_, k) => rests[k] === least).slice(0, 1);
  }

  /** Half of a tick's time; of one that somebody else's clock gives as much as ever. */
  #hurryMs(): number {
    const half = (this.#ticks?.clock.periodMs ?? Number.POSITIVE_INFINITY) / 2;
    return Math.min(MOST_HURRY_MS, Math.max(LEAST_HURRY_MS, half));
  }

  /** A stranger cost half of a tick's time; the other half is for one that has answered before. */
  #instead(): PeerId | null {
    const { scores, sources } = this.#config;
    const proven = this.#worthMeeting().filter(
      (peer) => !scores.isDoubtful(peer) && scores.rests(peer, sources(peer)) === 0,
    );
    return proven.length === 0 || this.#partners === null ? null : proven[this.#partners.below(proven.length)]!;
  }

  /** While names from some address prefix are of no use, three in four meetings are with those that have answered before. */
  #isWary(): boolean {
    return this.#config.scores.doubted().length > 0 && this.#partners !== null && this.#partners.below(4) > 0;
  }

  /** Whom the policy would like to meet of those near; null where it would as soon meet anybody. */
  #wish(near: readonly PeerId[], age: (peer: PeerId) => number, random: Random): PeerId | null {
    const { learner } = this.#life.peer;
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
  #worthMeeting(): PeerId[] {
    const { alive, admits, scores } = this.#config;
    const { learner } = this.#life.peer;
    const isWorth = (peer: PeerId): boolean =>
      learner.near(peer) && !this.#members.isAloof(peer) && admits(peer) && !scores.refuses(peer);
    return alive().filter(isWorth);
  }

  /** While an exchange is in doubt the round stays open, and its partner is asked again instead. */
  #tick(partner: PeerId | null, close: boolean): MeetingEffect[] {
    const { peer, exchange } = this.#life;
    this.#config.scores.tick();
    const alive = this.#config.alive();
    this.#members.seen(alive);
    const forgets = this.#members.tick(this.#kept()).flatMap((old) => this.#forget(old));
    const again = this.exchanging.again();
    if (again !== null) return write(forgets, [again]);
    const entries = close ? [...forgets, ...this.#recount(alive.length === 0), CLOSED] : forgets;
    if (close) step(peer, { kind: "close" });
    if (exchange === null || partner === null) return write(entries, this.#over(null, ""));
    return this.exchanging.begin(partner, entries);
  }

  #kept(): PeerId[] {
    const { view } = this.#life.peer.learner;
    return [...view.pruned, ...(view.kept?.() ?? [])];
  }

  /** Where it is known for sure who is there, it counts at once. */
  #counted(): MeetingEffect[] {
    const { peers, sure } = this.#config.count();
    return sure ? write(this.#resize(peers)) : [];
  }

  /** Where it is not, with the next round. A peer that sees nobody has no say in how many there are. */
  #recount(lonely: boolean): Entry[] {
    const { peers, sure } = this.#config.count();
    return lonely || sure ? [] : this.#resize(this.#members.size(peers));
  }

  #resize(size: number): Entry[] {
    const { peer } = this.#life;
    if (size === peer.peers) return [];
    step(peer, { kind: "resize", peers: size });
    return [resized(size)];
  }

  #over(outcome: TickOutcome, partner: PeerId): MeetingEffect[] {
    this.#round = this.#life.peer.round;
    if (outcome === "stranger") this.#members.rejected(partner);
    const closes = this.#ticks?.end(outcome) === true;
    const ticked: MeetingEffect = { kind: "ticked", outcome };
    return closes ? [ticked, { kind: "next", event: { kind: "tick", partner: null } }] : [ticked];
  }
}

const tickIn = (ms: number): MeetingEffect => ({ kind: "tick-in", ms });
