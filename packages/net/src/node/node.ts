import type { PeerId } from "@coterie/core";
import type {
  GossipEffect,
  GossipEvent,
  MeetingEffect,
  MeetingEvent,
  NodeEffect,
  NodeEvent,
  Remember,
} from "./event.ts";
import type { ExchangingConfig } from "./exchanging.ts";
import { Gossip, type GossipConfig } from "./gossip.ts";
import type { Life } from "./journal.ts";
import { Meetings } from "./meetings.ts";
import type { Places } from "./places.ts";
import { type Distrust, Scores } from "./scores.ts";

/** Every kind of event of the peer's own half. */
const OF_MEETINGS: Readonly<Record<MeetingEvent["kind"], true>> = {
  start: true,
  stop: true,
  gather: true,
  due: true,
  rested: true,
  tick: true,
  "closed-round": true,
  joined: true,
  left: true,
  gone: true,
  remember: true,
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

/** Every kind of effect that takes a network. */
const OF_GOSSIP: Readonly<Record<GossipEffect["kind"], true>> = {
  sign: true,
  call: true,
  contact: true,
  improve: true,
  close: true,
  drop: true,
  farewell: true,
  "round-in": true,
  joined: true,
  left: true,
};

/** Acts on effects. It begins at once, so that the order of effects is that of what they begin. */
type Perform<E> = (effect: E) => Promise<void>;

const DONE = Promise.resolve();
const NOBODY = async (): Promise<void> => {};

/**
 * One peer in a room as a pure machine: `step(event, now) -> effects`. It has two halves. `Meetings` is the peer: its
 * learner, its exchanges, its own clock. `Gossip` is its place in the room: who is there, whom to call and when. What
 * the second finds out the first acts on within the same step. No socket, no disk, no clock: drivers have those. There are
 * two, a host with a disk and a network with sockets, and what follows from an event of one may be for the other to do.
 */
export class Node {
  /** Null where nobody meets anybody: a network by itself. */
  readonly meetings: Meetings | null;
  /** What speaks for and against those it has to do with. */
  readonly scores = new Scores();
  #gossip: Gossip | null = null;
  readonly #host: Perform<MeetingEffect>;
  readonly #onFailure: (error: unknown) => void;
  #network: Perform<GossipEffect> = NOBODY;
  #clock: () => number = () => performance.now();
  /** Where nobody gossips: those of whom a driver says that they are there. */
  readonly #present = new Set<PeerId>();

  /** `onFailure` hears what goes wrong with what nobody waits for: to write down that somebody came. */
  constructor(
    peer: { readonly life: Life; readonly config: ExchangingConfig } | null,
    host: Perform<MeetingEffect> = NOBODY,
    onFailure: (error: unknown) => void = () => {},
  ) {
    this.#host = host;
    this.#onFailure = onFailure;
    const room = {
      alive: () => this.alive(),
      age: (of: PeerId, now: number) => this.#gossip?.age(of, now) ?? null,
      count: () => ({ peers: this.count, sure: this.#gossip === null }),
      brings: (to: PeerId, origins: readonly PeerId[]) => this.#gossip?.bring(to, origins),
      scores: this.scores,
      sources: (of: PeerId) => this.#gossip?.sources(of) ?? [],
      wary: () => this.#gossip !== null,
      open: () => this.#gossip?.open === true,
    };
    this.meetings = peer === null ? null : new Meetings(peer.life, { ...peer.config, ...room });
  }

  /** Takes its place in a room whose members gossip, with a clock that never goes back. */
  enter(config: GossipConfig, clock: () => number, network: Perform<GossipEffect> = NOBODY): Gossip {
    this.#network = network;
    this.#clock = clock;
    const isKin = (peer: PeerId): boolean => this.meetings?.learnsFrom(peer) ?? false;
    const places = this.places?.answered ?? [];
    this.#gossip = new Gossip({ ...config, isKin, places, scores: this.scores }, clock());
    return this.#gossip;
  }

  /** What it remembers of earlier starts. */
  get places(): Places | null {
    return this.meetings?.places ?? null;
  }

  /** What is counted against others, and what came of it. */
  get strangers() {
    const { unreached = 0, size = 0 } = this.#gossip ?? {};
    const counted = Object.fromEntries(this.scores.counts);
    return { counted, ...this.scores.summary, unreached: size === 0 ? 0 : unreached / size };
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

  /** Something happens. Resolves when all that followed is done. */
  async feed(event: NodeEvent): Promise<void> {
    await this.perform(this.step(event, this.#clock()));
  }

  /** What a network has to tell. It does not answer for what the host makes of that. */
  async tell(event: NodeEvent): Promise<void> {
    await Promise.all(this.step(event, this.#clock()).map((effect) => this.#follows(effect)));
  }

  /** The same where nobody waits for what follows: an event that leads to nothing costs no promise. */
  note(event: NodeEvent): void {
    for (const effect of this.step(event, this.#clock())) void this.#follows(effect);
  }

  /** Most steps lead to nothing or to one thing: that takes no promise of its own. */
  perform(effects: readonly NodeEffect[]): Promise<unknown> {
    if (effects.length === 0) return DONE;
    return effects.length === 1 ? this.#act(effects[0]!) : Promise.all(effects.map((effect) => this.#act(effect)));
  }

  #act(effect: NodeEffect): Promise<void> {
    return isOfGossip(effect) ? this.#network(effect) : this.#host(effect);
  }

  #follows(effect: NodeEffect): Promise<void> {
    return isOfGossip(effect) ? this.#network(effect) : this.#host(effect).catch(this.#onFailure);
  }

  /** The machine itself: what follows from an event. */
  step(event: NodeEvent, now: number): NodeEffect[] {
    const effects = isOfMeetings(event) ? this.#met(event, now) : this.#gossiped(event, now);
    const distrusted = this.scores.distrusted();
    return distrusted.length === 0 ? effects : [...effects, ...distrusted.flatMap((one) => this.#distrust(one, now))];
  }

  #gossiped(event: GossipEvent, now: number): NodeEffect[] {
    const effects = this.#gossip?.step(event, now) ?? [];
    // Most of what is heard leads to nothing.
    return effects.length === 0 ? [] : effects.flatMap((effect) => this.#follow(effect, now));
  }

  #met(event: MeetingEvent, now: number): NodeEffect[] {
    if (event.kind === "proposal" || event.kind === "reports") {
      const { call, from } = event;
      if (this.#gossip?.admits(from, now) === false) return [{ kind: "reject", call, error: new NotAdmitted() }];
    }
    if (event.kind === "joined") this.#present.add(event.peer);
    if (event.kind === "left") this.#present.delete(event.peer);
    return this.meetings?.step(event, now) ?? [];
  }

  /** Whoever is refused, for an exchange or for anything else, is cut off at once. */
  #distrust({ what, who }: Distrust, now: number): NodeEffect[] {
    const expelled = what === "peer" ? (this.#gossip?.expel(who, now) ?? []) : [];
    const told = expelled.flatMap((effect) => this.#follow(effect, now));
    return this.meetings === null ? told : [...told, { kind: "tell", event: { kind: "distrust", what, who } }];
  }

  /** Who joins or leaves the room is the peer's business too. */
  #follow(effect: GossipEffect | Remember, now: number): NodeEffect[] {
    if (effect.kind === "remember") return this.meetings?.step(effect, now) ?? [];
    if (effect.kind !== "joined" && effect.kind !== "left") return [effect];
    return [effect, ...(this.meetings?.step(effect, now) ?? [])];
  }
}

/** Who asks has no ticket. */
class NotAdmitted extends Error {
  override readonly name = "NotAdmitted";
  constructor() {
    super("it has no ticket of a hub of the room");
  }
}

const isOfMeetings = (event: NodeEvent): event is MeetingEvent => event.kind in OF_MEETINGS;
const isOfGossip = (effect: NodeEffect): effect is GossipEffect => effect.kind in OF_GOSSIP;
