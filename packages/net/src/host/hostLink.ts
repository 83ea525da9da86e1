import type { PeerId } from "@coterie/core";
import { isOfReports } from "../exchange/report.ts";
import { type Link, LinkError } from "../link/link.ts";
import { unlessAborted } from "../link/wait.ts";
import type { MeetingEffect, MeetingEvent } from "../node/event.ts";

type Propose = Extract<MeetingEffect, { kind: "propose" }>;
type Reply = { readonly answer: Uint8Array } | { readonly error: unknown };

/** What a peer says over its link, and what it is asked there: every outcome is an event of the node. */
export class HostLink {
  #link: Link | null = null;
  #calls = 0;
  readonly #replies = new Map<number, Reply>();
  readonly #feed: (event: MeetingEvent) => Promise<void>;

  constructor(feed: (event: MeetingEvent) => Promise<void>) {
    this.#feed = feed;
  }

  attach(link: Link): void {
    this.#link = link;
    link.serve((from, message) => this.#answer(from, message));
  }

  /** What the node answers to a call. */
  reply(call: number, reply: Reply): void {
    this.#replies.set(call, reply);
  }

  async close(): Promise<void> {
    await this.#link?.close();
  }

  async propose({ to, proposal, withinMs }: Propose, signal: AbortSignal | undefined): Promise<MeetingEvent> {
    try {
      if (this.#link === null) throw new LinkError(`no way to ${to}: no link yet`, true);
      // Not every link lets go when it is told to.
      const answer = await unlessAborted(this.#link.request(to, proposal, { signal, withinMs }), signal);
      return { kind: "replied", answer };
    } catch (error) {
      return { kind: "unanswered", unsent: error instanceof LinkError && error.unsent };
    }
  }

  async tellReports(to: PeerId, message: Uint8Array, date: number): Promise<MeetingEvent> {
    const answer = await this.#link?.request(to, message).catch(() => null);
    return { kind: "report-answered", to, answer: answer ?? null, date };
  }

  async #answer(from: PeerId, message: Uint8Array): Promise<Uint8Array> {
    const call = this.#calls++;
    await this.#feed(
      isOfReports(message)
        ? { kind: "reports", call, from, message }
        : { kind: "proposal", call, from, proposal: message },
    );
    const reply = this.#replies.get(call);
    this.#replies.delete(call);
    if (reply !== undefined && "answer" in reply) return reply.answer;
    throw reply?.error;
  }
}
