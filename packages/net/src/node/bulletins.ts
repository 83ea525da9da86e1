import type { PeerId } from "@coterie/core";
import type { Bulletin, Claim, MembershipEvent, News, Occasion } from "../membership/entry.ts";
import type { Membership } from "../membership/membership.ts";
import type { Route } from "../membership/shares.ts";
import type { Connections } from "./connections.ts";
import type { ContactPoints } from "./contactPoints.ts";
import type { GossipEvent } from "./event.ts";
import type { Scores } from "./scores.ts";
import type { Tickets } from "./tickets.ts";

/** News of the room that go along with messages: what is told, and what is taken of what others tell. */
export class Bulletins {
  readonly #membership: Membership;
  readonly #connections: Connections;
  readonly #points: ContactPoints;
  readonly #scores: Scores;
  readonly #tickets: Tickets | null;

  /** `tickets`: null where nobody needs one. */
  constructor(
    membership: Membership,
    connections: Connections,
    points: ContactPoints,
    scores: Scores,
    tickets: Tickets | null,
  ) {
    this.#membership = membership;
    this.#connections = connections;
    this.#points = points;
    this.#scores = scores;
    this.#tickets = tickets;
  }

  /** What goes along with a message. */
  pack(to: PeerId, occasion: Occasion, now: number): Bulletin {
    return { news: this.#membership.pack(to, occasion, now) };
  }

  /** What a hub is told: our own entry, and nobody else's. */
  introduce(to: PeerId, now: number): Bulletin {
    // Where a ticket is asked for, an entry without one is nothing to pass on.
    return { news: this.#held(this.#membership.introduce(to, now), now) };
  }

  /** Whether an entry says something that is worth checking its signature for. */
  wants(news: News, from: PeerId, occasion: Occasion, now: number, hub = false): boolean {
    const { claim } = news.entry;
    if (this.#scores.refuses(from) || !this.holds(claim, now)) return false;
    const shows = claim.id === from && this.#tickets?.isNews(claim) === true;
    return shows || this.#membership.wants(news, from, occasion, now, this.#via(from, hub));
  }

  /** What came is taken in; null where it is not, for want of a ticket. */
  take(
    { from, occasion, news, told, hub = false }: Extract<GossipEvent, { kind: "heard" }>,
    now: number,
  ): MembershipEvent[] | null {
    const via = this.#via(from, hub);
    const held = this.#held(news, now);
    for (const { entry } of held) if (entry.claim.id === from) this.#tickets?.show(entry.claim);
    if (!hub && !this.#points.isHub(from) && this.#tickets?.admits(from, now) === false) return null;
    const events = held.flatMap((one) => this.#membership.learn(one, from, occasion, now, via));
    if (occasion === "gossip" && this.#scores.doubts(`by ${from}`) <= 1) {
      this.#membership.counted(this.#held(told, now), from, now);
    }
    return events;
  }

  /** Whether an entry has the ticket that it needs. */
  holds(claim: Claim, now: number): boolean {
    return this.#tickets?.holds(claim, now) ?? true;
  }

  #held(news: readonly News[], now: number): readonly News[] {
    return this.#tickets === null ? news : news.filter(({ entry }) => this.holds(entry.claim, now));
  }

  /** How its messages come. Who was named to us by our app brings names as a hub does, whatever others do at its address. */
  #via(from: PeerId, hub: boolean): Route {
    const via = this.#connections.via(from);
    return hub || this.#points.isHub(from) || this.#points.isGiven(from) ? { ...via, hub: true } : via;
  }
}
