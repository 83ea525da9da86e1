import type { Offer, OfferCodec, PeerId, Reader, Writer } from "@coterie/core";
import type { OfferedRecords, Record } from "@coterie/core/internal";
import { Asking, DISAGREED } from "./asking.ts";
import type {
  Answered,
  Arrival,
  Concluded,
  Exchange,
  ExchangeConfig,
  ExchangeRecord,
  Flight,
  Unanswered,
} from "./exchange.ts";
import { meet } from "./meet.ts";
import { decodeAnswer, decodeProposal, type ExchangeId, encodeAnswer, type Verdict } from "./message.ts";

const NOTHING: readonly never[] = [];

/**
 * Versioned records: of each the newest wins, so an exchange may be lost, repeated or half done, and nothing is at risk.
 * The proposer greets, and the other side sends what the greeting lacks; nothing stands still meanwhile. Only what was
 * taken in is written down, because only that changes the peer.
 */
export class RecordExchange implements Exchange {
  readonly massAtRisk = 0;
  readonly #config: ExchangeConfig;
  readonly #codec: OfferCodec;
  readonly #offered: OfferedRecords;
  readonly #asking: Asking;

  constructor(config: ExchangeConfig, codec: OfferCodec, offered: OfferedRecords) {
    this.#config = config;
    this.#codec = codec;
    this.#offered = offered;
    this.#asking = new Asking(config, codec);
  }

  get flight(): Flight | null {
    return this.#asking.flight;
  }

  propose(partner: PeerId, id: ExchangeId): { records: ExchangeRecord[]; proposal: Uint8Array } {
    return { records: [], proposal: this.#asking.propose(partner, id) };
  }

  again(): Uint8Array {
    return this.#asking.proposal();
  }

  answer(partner: PeerId, bytes: Uint8Array): Answered {
    const { peer, agreement, limits } = this.#config;
    const proposal = decodeProposal(bytes);
    const theirs = proposal.agreement === agreement ? this.#codec.decode(proposal.frames, limits) : null;
    const verdict = theirs === null ? "refused" : peer.learner.judge(partner, theirs, peer.round);
    const reader = verdict === "mix" ? theirs : null;
    const lacked = reader === null ? NOTHING : this.#offered.lackedBy(reader, peer.learner.offer());
    return {
      records: [],
      verdict,
      complaint: null,
      repeated: false,
      // Others may hear of a version only once a crash cannot undo it: else the next one would have the same number.
      waits: lacked.some(({ origin }) => origin === peer.config.id),
      lacked,
      answer: (some) => this.#encode(proposal.id, verdict, reader, some),
    };
  }

  #encode(id: ExchangeId, verdict: Verdict, reader: Offer | null, records: readonly Record[]): Uint8Array {
    const { peer } = this.#config;
    const offer = reader === null ? null : this.#offered.only(peer.learner.offer(), records);
    const frames = reader === null || offer === null ? NOTHING : this.#codec.encode(offer, 8, reader);
    return encodeAnswer({ id, round: peer.round, verdict, reason: verdict === "refused" ? DISAGREED : "", frames });
  }

  arrive(bytes: Uint8Array): Arrival {
    const answer = decodeAnswer(bytes);
    const expected = this.#asking.flight?.id === answer.id && answer.verdict === "mix";
    const offer = expected ? this.#codec.decode(answer.frames, this.#config.limits) : null;
    return { bytes, answer, offer, records: offer === null ? NOTHING : this.#offered.lackedBy(offer, offer) };
  }

  conclude(arrival: Arrival, admits: (origin: PeerId) => boolean = () => true): Concluded {
    const { flight } = this.#asking;
    const { verdict, id } = arrival.answer;
    if (flight === null || id !== flight.id) return { records: [], verdict: null, complaint: null };
    const { bytes, offer } = this.#without(arrival, admits);
    if (offer !== null) meet(this.#config.peer, flight.partner, offer);
    this.#asking.land();
    const landed: ExchangeRecord = { kind: "landed", id, answer: bytes };
    return { records: offer === null ? [] : [{ kind: "flight", ...flight }, landed], verdict, complaint: null };
  }

  /** The same as if records of those who are not admitted had never been sent. */
  #without(arrival: Arrival, admits: (origin: PeerId) => boolean): Pick<Arrival, "bytes" | "offer"> {
    const { answer, offer, records } = arrival;
    const kept = records.filter(({ origin }) => admits(origin));
    if (offer === null || kept.length === records.length) return arrival;
    const rest = this.#offered.only(offer, kept);
    return { bytes: encodeAnswer({ ...answer, frames: this.#codec.encode(rest, 8, rest) }), offer: rest };
  }

  /** Nothing is in doubt: whatever the partner would have sent comes with the next exchange. */
  unanswered(): Unanswered {
    this.#asking.land();
    return { records: [], verdict: "given-up" };
  }

  restore(record: ExchangeRecord): void {
    if (record.kind === "flight") this.#asking.flight = { id: record.id, partner: record.partner };
    if (record.kind === "landed") this.conclude(this.arrive(record.answer));
  }

  /** A question that nobody has answered yet is forgotten with its process. */
  write(_out: Writer): void {}
  read(_from: Reader): void {}
}
