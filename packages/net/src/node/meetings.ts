import { type PeerId, step } from "@coterie/core";
import { begin, work } from "@coterie/core/internal";
import type { Entry } from "../store/store.ts";
import { type MeetingEffect, type MeetingEvent, type TickOutcome, write, writeLater } from "./event.ts";
import { Exchanging, type ExchangingConfig } from "./exchanging.ts";
import { CLOSED, forgotten, type Life, placed, resized } from "./journal.ts";
import { ANSWER_MS } from "./limits.ts";
import { MeetingPartners, type MeetingPartnersConfig } from "./meetingPartners.ts";
import { Members } from "./members.ts";
import type { Places } from "./places.ts";
import { Reporting } from "./reporting.ts";
import { Ticks } from "./ticks.ts";

/** The bounds of half of a tick's time: whoever ticks often cannot wait as long, and a first connection takes its time. */
const MOST_HURRY_MS = ANSWER_MS / 2;
const LEAST_HURRY_MS = 2000;

export interface MeetingsConfig extends ExchangingConfig, MeetingPartnersConfig {
  /** How many are in the room, this peer included, and whether that is no guess. */
  readonly count: () => { readonly peers: number; readonly sure: boolean };
  /** The answer to `to` carries records of these origins. */
  readonly brings: (to: PeerId, origins: readonly PeerId[]) => void;
}

/**
 * The peer and its meetings, as one pure machine: when it ticks, whom it meets, what it makes of that. A write is an effect of
 * the very step that changed the state, so that entries have the order of what happened.
 */
export class Meetings {
  readonly exchanging: Exchanging;
  readonly #reporting: Reporting;
  readonly #config: MeetingsConfig;
  readonly #members = new Members();
  readonly #partners: MeetingPartners;
  #life: Life;
  #ticks: Ticks | null = null;
  #stopped = false;
  /** The round when the last tick was over. */
  #round: number;
  /** How many others there were when that was last told. */
  #told = 0;

  constructor(life: Life, config: MeetingsConfig) {
    this.#life = life;
    this.#config = config;
    this.#round = life.peer.round;
    this.#partners = new MeetingPartners(
      config,
      () => this.#life,
      (peer) => this.#members.isAloof(peer),
    );
    this.exchanging = new Exchanging(config, config, () => this.#life, {
      over: (outcome, partner) => this.#over(outcome, partner),
      hurryMs: () => this.#hurryMs(),
      instead: () => this.#partners.instead(),
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
    // Asked for each connection: to find out from whom the next choice will borrow would be too much for that.
    return this.#life.peer.learner.view.borrows?.(peer) ?? false;
  }

  step(event: MeetingEvent, now: number): MeetingEffect[] {
    switch (event.kind) {
      case "remember":
        return this.#life.places.remember(event.places) ? write([placed(this.#life.places)]) : [];
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
        const { partner = this.#partners.draw(now), close = this.#closes() } = event;
        return this.#tick(partner, close);
      }
      case "closed-round":
        return write([], this.#meet(event.partner, []), true);
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
    this.#partners.random = random.fork("partners");
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
    const ms = this.#partners.worthMeeting().length === 0 ? null : this.#ticks.hasten();
    return ms === null ? [] : [tickIn(ms)];
  }

  #due(now: number): MeetingEffect[] {
    const partner = this.#partners.draw(now);
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

  /** Half of a tick's time; of one that somebody else's clock gives as much as ever. */
  #hurryMs(): number {
    const half = (this.#ticks?.clock.periodMs ?? Number.POSITIVE_INFINITY) / 2;
    return Math.min(MOST_HURRY_MS, Math.max(LEAST_HURRY_MS, half));
  }

  /** While an exchange is in doubt the round stays open, and its partner is asked again instead. */
  #tick(partner: PeerId | null, close: boolean): MeetingEffect[] {
    const { peer } = this.#life;
    this.#config.scores.tick();
    const alive = this.#config.alive();
    this.#members.seen(alive);
    const forgets = this.#members.tick(this.#kept()).flatMap((old) => this.#forget(old));
    const again = this.exchanging.again();
    if (again !== null) return write(forgets, [again]);
    const entries = close ? [...forgets, ...this.#recount(alive.length === 0), CLOSED] : forgets;
    if (close) begin(peer, { kind: "close" });
    if (!close || !work(peer)) return this.#meet(partner, entries);
    // Written down before anything that happens while it works; on the disk before others are told anything.
    return writeLater(entries, [{ kind: "next", event: { kind: "closed-round", partner }, work: true }]);
  }

  #meet(partner: PeerId | null, entries: readonly Entry[]): MeetingEffect[] {
    if (this.#life.exchange === null || partner === null) return write(entries, this.#over(null, ""));
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
