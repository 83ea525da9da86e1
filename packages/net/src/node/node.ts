import type { PeerId } from "@coterie/core";
import type { Effect, GossipEffect, GossipEvent, MeetingEvent, NodeEvent, Remember } from "./event.ts";
import type { ExchangingConfig } from "./exchanging.ts";
import { Gossip, type GossipConfig } from "./gossip.ts";
import type { Life } from "./journal.ts";
import { Meetings } from "./meetings.ts";
import type { Places } from "./places.ts";

/** Every kind of event of the peer's own half. */
const OF_MEETINGS: Readonly<Record<MeetingEvent["kind"], true>> = {
  start: true,
  stop: true,
  gather: true,
  due: true,
  rested: true,
  tick: true,
  joined: true,
  left: true,
  gone: true,
  observe: true,
  remember: true,
  change: true,
  renew: true,
  lost: true,
  replied: true,
  unanswered: true,
  checked: true,
  proposal: true,
  sealed: true,
  report: true,
  "report-due": true,
  "report-answered": true,
  reports: true,
  judged: true,
};

/**
 * One peer in a room as a pure machine: `step(event, now) -> effects`. It has two halves. `Meetings` is the peer: its
 * learner, its exchanges, its own clock. `Gossip` is its place in the room: who is there, whom to call and when. What
 * the second finds out the first acts on within the same step. No socket, no disk, no clock: drivers have those.
 */
export class Node {
  /** Null where nobody meets anybody: a network by itself. */
  readonly meetings: Meetings | null;
  #gossip: Gossip | null = null;
  /** Where nobody gossips: those of whom a driver says that they are there. */
  readonly #present = new Set<PeerId>();

  constructor(peer: { readonly life: Life; readonly config: ExchangingConfig } | null) {
    const room = {
      alive: () => this.alive(),
      age: (of: PeerId, now: number) => this.#gossip?.age(of, now) ?? null,
      count: () => ({ peers: this.count, sure: this.#gossip === null }),
      brings: (to: PeerId, origins: readonly PeerId[]) => this.#gossip?.bring(to, origins),
    };
    this.meetings = peer === null ? null : new Meetings(peer.life, { ...peer.config, ...room });
  }

  /** Takes its place in a room whose members gossip. */
  enter(config: GossipConfig, now: number): Gossip {
    const isKin = (peer: PeerId): boolean => this.meetings?.learnsFrom(peer) ?? false;
    const places = this.places?.answered ?? [];
    this.#gossip = new Gossip({ ...config, isKin, places }, now);
    return this.#gossip;
  }

  /** What it remembers of earlier starts. */
  get places(): Places | null {
    return this.meetings?.places ?? null;
  }

  /** Whether it finds out by itself who is there. */
  get gossips(): boolean {
    return this.#gossip !== null;
  }

  /** Possible partners, in the order of their names. */
  alive(): readonly PeerId[] {
    return this.#gossip?.alive() ?? [...this.#present].sort();
  }

  /** How many are in the room, this peer included, as far as is known. */
  get count(): number {
    return this.#gossip?.count ?? this.#present.size + 1;
  }

  step(event: NodeEvent, now: number): Effect[] {
    if (!isOfMeetings(event))
      return (this.#gossip?.step(event, now) ?? []).flatMap((effect) => this.#follow(effect, now));
    if (event.kind === "joined") this.#present.add(event.peer);
    if (event.kind === "left") this.#present.delete(event.peer);
    return this.meetings?.step(event, now) ?? [];
  }

  /** Who joins or leaves the room is the peer's business too. */
  #follow(effect: GossipEffect | Remember, now: number): Effect[] {
    if (effect.kind === "remember") return this.meetings?.step(effect, now) ?? [];
    if (effect.kind !== "joined" && effect.kind !== "left") return [effect];
    return [effect, ...(this.meetings?.step(effect, now) ?? [])];
  }
}

const isOfMeetings = (event: GossipEvent | MeetingEvent): event is MeetingEvent => event.kind in OF_MEETINGS;
