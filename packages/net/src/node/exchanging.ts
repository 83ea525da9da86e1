import { ConfigError, type PeerId, ProtocolViolation, type Random, step } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";
import type { Answered, Arrival, Concluded, Unanswered } from "../exchange/exchange.ts";
import {
  checkReady,
  DISAGREED,
  type ExchangeId,
  encodeProbe,
  isProbe,
  readyFor,
  refusal,
  type Verdict,
} from "../exchange/message.ts";
import { digitsOf } from "../hex.ts";
import type { NameSource } from "../membership/shares.ts";
import type { Entry } from "../store/store.ts";
import { type MeetingEffect, type MeetingEvent, type TickOutcome, write, writeLater } from "./event.ts";
import { exchanged, forgotten, type Life, regained } from "./journal.ts";
import { causeOf, type Scores } from "./scores.ts";

export interface ExchangingConfig {
  /** Whom to have to do with, as a partner and as the origin of a record. */
  readonly admits: (peer: PeerId) => boolean;
  /** Names exchanges; every start of a peer needs another stream. */
  readonly random: Random;
}

/** What is known of partners. */
export interface PartnerKnowledge {
  readonly scores: Scores;
  /** Where a peer's entry came from. */
  readonly sources: (peer: PeerId) => readonly NameSource[];
  /** Whether partners may be anybody, so that nothing is promised to one of whom nothing is known. */
  readonly wary: () => boolean;
  /** Whether anybody may come, because no key is asked for. */
  readonly open: () => boolean;
}

/** What happens beside an exchange. */
interface Beside {
  /** What follows when an exchange of our own has come to an end, or to none for now. */
  readonly over: (outcome: TickOutcome, partner: PeerId) => MeetingEffect[];
  /** How long the answer of somebody in doubt is waited for, so that somebody else can be met in the same tick. */
  readonly hurryMs: () => number;
  /** Whom to meet in place of a stranger that did not answer; null for nobody. */
  readonly instead: () => PeerId | null;
  /** Records of these origins came. */
  readonly heardOf: (origins: readonly PeerId[]) => void;
  /** The answer to `to` carries records of these origins. */
  readonly brings: (to: PeerId, origins: readonly PeerId[]) => void;
}

/** What happens in the course of an exchange. */
export type ExchangingEvent = Extract<
  MeetingEvent,
  { kind: "replied" | "unanswered" | "checked" | "proposal" | "sealed" }
>;

/** Nobody answered a probe: nothing was promised, so nothing is in doubt. */
const UNPROMISED: Unanswered = { records: [], verdict: "given-up" };

/** One exchange after the other: what is written down before what is said, and what is made of the answer. */
export class Exchanging {
  /** What partners sent that no correct peer sends, by reason. */
  readonly violations = new Map<ViolationReason, number>();
  readonly #config: ExchangingConfig;
  readonly #strangers: PartnerKnowledge;
  readonly #life: () => Life;
  readonly #beside: Beside;
  /** Whom our proposal went to, where its entry came from, and an answer of which the records are being checked. */
  #asked: PeerId = "";
  #sources: readonly NameSource[] = [];
  /** The probe under way. */
  #probe: ExchangeId | null = null;
  /** Whether what is under way got half of a tick's time, and leaves nothing in doubt. */
  #hurried = false;
  /** How often it is asked; of an exchange from before the start as often as ever. */
  #patience: number | undefined;
  #arrival: Arrival | null = null;
  readonly #answering = new Map<number, { readonly from: PeerId; readonly answered: Answered }>();

  constructor(config: ExchangingConfig, strangers: PartnerKnowledge, life: () => Life, beside: Beside) {
    this.#config = config;
    this.#strangers = strangers;
    this.#life = life;
    this.#beside = beside;
  }

  /**
   * Proposes an exchange; in one write with other entries, because a synced one costs the same for two as for one. Whoever never
   * answered, or did not the last time, gets about half of a tick's time. Where statistics are averaged, one that was proposed an exchange and
   * says nothing keeps the proposer in doubt, which then meets nobody else; so such a partner is first asked whether it is there.
   */
  begin(partner: PeerId, entries: readonly Entry[]): MeetingEffect[] {
    const { scores, sources, wary, open } = this.#strangers;
    this.#sources = sources(partner);
    const isDoubtful = wary() && scores.isDoubtful(partner);
    if (isDoubtful && this.#life().peer.config.policy.delivery === "once") {
      this.#probe = this.#newId();
      const probe = this.#propose(partner, encodeProbe(this.#probe, this.#life().peer.round), this.#beside.hurryMs());
      return write(entries, [probe]);
    }
    // A proposal to exchange records promises nothing: it is as good as a probe.
    return this.#begin(partner, entries, isDoubtful && open() ? this.#beside.hurryMs() : undefined);
  }

  #begin(partner: PeerId, entries: readonly Entry[], withinMs?: number): MeetingEffect[] {
    const { records, proposal } = this.#exchange.propose(partner, this.#newId());
    // Among strangers one is waited for as many ticks as it has answered exchanges: nobody costs more than it gave.
    this.#patience = this.#strangers.open() ? Math.max(1, this.#strangers.scores.credit(partner)) : undefined;
    return write([...entries, ...records.map(exchanged)], [this.#propose(partner, proposal, withinMs)]);
  }

  /** The exchange in doubt, asked for again; null where there is none. */
  again(): MeetingEffect | null {
    const { exchange } = this.#life();
    const flight = exchange?.flight ?? null;
    if (exchange === null || flight === null) return null;
    this.#sources = this.#strangers.sources(flight.partner);
    return this.#propose(flight.partner, exchange.again());
  }

  step(event: ExchangingEvent): MeetingEffect[] {
    switch (event.kind) {
      case "replied":
        return this.#replied(event.answer);
      case "checked":
        return event.error === null ? this.#conclude(this.#arrival!) : this.#unanswered(event.error, false);
      case "unanswered":
        return this.#unanswered(null, event.unsent);
      case "proposal":
        return this.#proposal(event.call, event.from, event.proposal);
      case "sealed": {
        const { from, answered } = this.#answering.get(event.call)!;
        this.#answering.delete(event.call);
        this.#beside.brings(
          from,
          event.records.map(({ origin }) => origin),
        );
        return this.#reply(event.call, from, answered, answered.answer(event.records));
      }
    }
  }

  get #exchange() {
    const { exchange, peer } = this.#life();
    if (exchange === null) throw new ConfigError("policy", peer.config.policy.kind, "be one that exchanges");
    return exchange;
  }

  #propose(to: PeerId, proposal: Uint8Array, withinMs?: number): MeetingEffect {
    this.#asked = to;
    this.#hurried = withinMs !== undefined;
    return { kind: "propose", to, proposal, ...(withinMs !== undefined && { withinMs }) };
  }

  /** An answer to our proposal. What it brings is believed once it is known to be what its origins said. */
  #replied(answer: Uint8Array): MeetingEffect[] {
    try {
      if (this.#probe !== null) {
        checkReady(answer, this.#probe);
        this.#probe = null;
        return this.#begin(this.#asked, []);
      }
      this.#arrival = this.#exchange.arrive(answer);
      const { records, proofs = [] } = this.#arrival;
      const signed = [...records, ...proofs.flat()];
      return signed.length === 0 ? this.#conclude(this.#arrival) : [{ kind: "check", records: signed }];
    } catch (error) {
      return this.#unanswered(error, false);
    }
  }

  #conclude(arrival: Arrival): MeetingEffect[] {
    try {
      const concluded = this.#exchange.conclude(arrival, this.#config.admits);
      const { records, verdict, complaint, taken = [] } = concluded;
      if (verdict !== null) this.#strangers.scores.answered(this.#asked, this.#sources);
      this.#beside.heardOf(taken);
      const told = verdict === null ? [] : this.#told("proposed", this.#asked, verdict);
      const complained = complaint === null ? [] : this.count(complaint, this.#asked);
      const apart = verdict === "refused" && arrival.answer.reason === DISAGREED ? this.#misfit(this.#asked) : [];
      const [found, regainedOne] = this.#regain(arrival);
      const [dropped, caught] = this.#drop(concluded);
      const ended = [...complained, ...caught, ...told, ...apart, ...regainedOne];
      const entries = [...records.map(exchanged), ...found, ...dropped];
      const then = [...ended, ...this.#beside.over(verdict, this.#asked)];
      // Until this is on the disk a crash leaves the exchange in doubt, and the partner gives the same answer again, because nothing was said
      // to it since: whatever we say next is written down first, and this with it. Records come again anyway.
      const later = found.length + dropped.length === 0;
      return later ? writeLater(entries, then) : write(entries, then);
    } catch (error) {
      return this.#unanswered(error, false);
    }
  }

  /** Origins of which nothing is to be kept any more. */
  #drop({ caught = [], expired = [] }: Concluded): [Entry[], MeetingEffect[]] {
    const { peer } = this.#life();
    const entries = [...caught, ...expired].map((partner) => {
      step(peer, { kind: "forget", partner });
      return forgotten(partner);
    });
    const told = caught.flatMap((origin) =>
      this.count(new ProtocolViolation("equivocation", "record", origin.slice(-12), "be one for each version"), origin),
    );
    return [entries, told];
  }

  /** Where own observations were lost, the answer may bring them back. */
  #regain({ offer, records }: Arrival): [Entry[], MeetingEffect[]] {
    const { peer, loss } = this.#life();
    const regains = offer === null ? null : loss.answered(peer, records);
    if (regains === null) return [[], []];
    const before = peer.learner.view.own;
    loss.take(peer, regains);
    return [[regained(regains)], [{ kind: "tell", event: { kind: "regained", own: peer.learner.view.own, before } }]];
  }

  /** No answer came, or none that could be read. */
  #unanswered(error: unknown, unsent: boolean): MeetingEffect[] {
    const counted = error instanceof ProtocolViolation ? this.count(error, this.#asked) : [];
    this.#strangers.scores.silent(this.#asked, this.#sources);
    const { records, verdict } = this.#probe === null ? this.#exchange.unanswered(unsent, this.#patience) : UNPROMISED;
    this.#probe = null;
    if (records.some(({ kind }) => kind === "given-up")) this.#strangers.scores.abandoned(this.#asked);
    const told = this.#told("proposed", this.#asked, verdict);
    const other = this.#hurried && this.#strangers.open() ? this.#beside.instead() : null;
    if (other !== null) return [...counted, ...told, ...this.begin(other, [])];
    const over = this.#beside.over(verdict === "in-doubt" ? verdict : null, this.#asked);
    return [...counted, ...write(records.map(exchanged), [...told, ...over])];
  }

  #proposal(call: number, from: PeerId, proposal: Uint8Array): MeetingEffect[] {
    try {
      const { round } = this.#life().peer;
      if (isProbe(proposal)) return [{ kind: "reply", call, answer: readyFor(proposal, round) }];
      if (!this.#config.admits(from)) {
        return [{ kind: "reply", call, answer: refusal(proposal, round, "not admitted") }];
      }
      const answered = this.#exchange.answer(from, proposal);
      const { records, lacked, waits } = answered;
      if (lacked.length === 0)
        return write(records.map(exchanged), this.#reply(call, from, answered, answered.answer([])), waits);
      this.#answering.set(call, { from, answered });
      return write(records.map(exchanged), [{ kind: "seal", call, records: lacked }], waits);
    } catch (error) {
      const counted = error instanceof ProtocolViolation ? this.count(error, from) : [];
      return [...counted, { kind: "reject", call, error }];
    }
  }

  #reply(call: number, from: PeerId, { verdict, complaint, repeated }: Answered, answer: Uint8Array): MeetingEffect[] {
    const complained = complaint === null ? [] : this.count(complaint, from);
    const told = repeated ? [] : this.#told("answered", from, verdict);
    if (!repeated && verdict !== "refused") {
      const { scores, sources } = this.#strangers;
      scores.proposed(from, sources(from));
    }
    // Whoever claims a round too far is refused with a complaint.
    const apart = verdict === "refused" && complaint === null ? this.#misfit(from) : [];
    return [...complained, ...told, ...apart, { kind: "reply", call, answer }];
  }

  #misfit(partner: PeerId): MeetingEffect[] {
    return [{ kind: "tell", event: { kind: "misfit", partner } }];
  }

  #told(side: "proposed" | "answered", partner: PeerId, verdict: Verdict | "in-doubt" | "given-up"): MeetingEffect[] {
    return [{ kind: "tell", event: { kind: "exchange", side, partner, verdict } }];
  }

  /** A partner broke the protocol. */
  count({ reason, message }: ProtocolViolation, partner: PeerId): MeetingEffect[] {
    this.violations.set(reason, (this.violations.get(reason) ?? 0) + 1);
    this.#strangers.scores.add(partner, causeOf(reason));
    return [{ kind: "tell", event: { kind: "violation", partner, reason, message } }];
  }

  #newId(): ExchangeId {
    let id = "";
    for (let k = 0; k < 4; k++) id += digitsOf(this.#config.random.uint32());
    return id;
  }
}
