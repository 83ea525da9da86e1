import {
  type Offer,
  type OfferCodec,
  type PeerId,
  ProtocolViolation,
  type Reader,
  step,
  type Writer,
} from "@coterie/core";
import type { OfferedRecords, PeerRecord } from "@coterie/core/internal";
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
import { Introductions } from "./introductions.ts";
import {
  DISAGREED,
  decodeAnswer,
  decodeProposal,
  type ExchangeId,
  encodeAnswer,
  encodeProposal,
  type Verdict,
} from "./message.ts";
import { contradict, decodeProofs, encodeProofs, type Proof, Proofs } from "./proofs.ts";

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
  /** In a room that strangers may join; null where all peers are known to be real. */
  readonly #introductions: Introductions | null;
  readonly #proofs = new Proofs();
  flight: Flight | null = null;

  constructor(config: ExchangeConfig, codec: OfferCodec, offered: OfferedRecords) {
    const { id, policy } = config.peer.config;
    this.#introductions = policy.wary === true ? new Introductions(id) : null;
    this.#config = config;
    this.#codec = codec;
    this.#offered = offered;
  }

  propose(partner: PeerId, id: ExchangeId): { records: ExchangeRecord[]; proposal: Uint8Array } {
    this.flight = { id, partner };
    return { records: [], proposal: this.again() };
  }

  again(): Uint8Array {
    const { peer, agreement } = this.#config;
    const frames = this.#codec.encode(peer.learner.offer());
    return encodeProposal({ id: this.flight!.id, round: peer.round, agreement, frames });
  }

  answer(partner: PeerId, bytes: Uint8Array): Answered {
    const { peer, agreement, limits } = this.#config;
    const proposal = decodeProposal(bytes);
    const theirs = proposal.agreement === agreement ? this.#codec.decode(proposal.frames, limits) : null;
    const verdict = theirs === null ? "refused" : peer.learner.judge(partner, theirs, peer.round);
    const reader = verdict === "mix" ? theirs : null;
    if (theirs !== null) this.#introductions?.meet(partner);
    const lacked = reader === null ? NOTHING : this.#lackedBy(reader);
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

  /** What `reader` lacks and this peer stands for. */
  #lackedBy(reader: Offer): readonly PeerRecord[] {
    const { learner, peers } = this.#config.peer;
    const lacked = this.#offered.lackedBy(reader, learner.offer());
    const introductions = this.#introductions;
    return introductions === null ? lacked : lacked.filter(({ origin }) => introductions.vouchesFor(origin, peers));
  }

  #encode(id: ExchangeId, verdict: Verdict, reader: Offer | null, records: readonly PeerRecord[]): Uint8Array {
    const { peer } = this.#config;
    const offer = reader === null ? null : this.#offered.only(peer.learner.offer(), records);
    const frames = reader === null || offer === null ? [] : this.#codec.encode(offer, reader);
    const proofs = reader === null ? NOTHING : this.#proofs.for((record) => this.#offered.holds(reader, record));
    if (proofs.length > 0) frames.push(encodeProofs(proofs, this.#config.limits.dimension));
    return encodeAnswer({ id, round: peer.round, verdict, reason: verdict === "refused" ? DISAGREED : "", frames });
  }

  arrive(bytes: Uint8Array): Arrival {
    const answer = decodeAnswer(bytes);
    const expected = this.flight?.id === answer.id && answer.verdict === "mix";
    const { limits } = this.#config;
    const [greeting, sent, told] = answer.frames;
    if (!expected || told === undefined) {
      const offer = expected ? this.#codec.decode(answer.frames, limits) : null;
      return { bytes, answer, offer, records: offer === null ? NOTHING : this.#affordable(offer) };
    }
    const offer = this.#codec.decode([greeting!, sent!], limits);
    return { bytes, answer, offer, records: this.#affordable(offer), proofs: decodeProofs(told, limits) };
  }

  /** No correct peer sends more than agreed. */
  #affordable(offer: Offer): readonly PeerRecord[] {
    const records = this.#offered.lackedBy(offer, offer);
    const { budget = Number.POSITIVE_INFINITY } = this.#config.peer.config.policy;
    if (records.length > budget) {
      throw new ProtocolViolation("too-long", "records", records.length, `be at most ${budget}, the room's budget`);
    }
    return records;
  }

  conclude(arrival: Arrival, admits: (origin: PeerId) => boolean = () => true): Concluded {
    const { flight } = this;
    const { verdict, id } = arrival.answer;
    if (flight === null || id !== flight.id) return { records: [], verdict: null, complaint: null };
    const proofs = this.#caughtIn(arrival);
    for (const proof of proofs) this.#proofs.add(proof);
    const welcome = arrival.records.filter(({ origin }) => admits(origin) && !this.#proofs.has(origin));
    const kept = arrival.offer === null ? NOTHING : this.#introduced(flight.partner, welcome);
    const { bytes, offer } = this.#only(arrival, kept);
    if (offer !== null) this.#take(flight.partner, offer);
    this.flight = null;
    const landed: ExchangeRecord = { kind: "landed", id, answer: bytes };
    const caught = proofs.map(([{ origin }]) => origin);
    return {
      records: [
        ...(offer === null ? [] : [{ kind: "flight", ...flight } as const, landed]),
        ...(caught.length === 0 ? [] : [this.#written(id, proofs)]),
      ],
      verdict,
      complaint: null,
      taken: kept.map(({ origin }) => origin),
      caught,
      expired: this.#introductions?.expired(this.#config.peer.peers) ?? NOTHING,
    };
  }

  #take(partner: PeerId, offer: Offer): void {
    step(this.#config.peer, { kind: "meet", partner, offer });
    step(this.#config.peer, { kind: "settle" });
  }

  #introduced(partner: PeerId, records: readonly PeerRecord[]): readonly PeerRecord[] {
    return this.#introductions?.admit(partner, records, this.#config.peer.peers) ?? records;
  }

  #written(id: ExchangeId, proofs: readonly Proof[]): ExchangeRecord {
    return { kind: "caught", id, proofs: encodeProofs(proofs, this.#config.limits.dimension) };
  }

  /**
   * Origins that are not known yet to say different things under one version, and now show it. Proofs of origins of which
   * nothing is held are of no use here, and would let a liar push out those that are.
   */
  #caughtIn({ records, proofs = NOTHING }: Arrival): Proof[] {
    const { learner, config } = this.#config.peer;
    const offer = learner.offer();
    const caught = new Map<PeerId, Proof>();
    const note = (proof: Proof): void => {
      const [{ origin }] = proof;
      if (origin !== config.id && !this.#proofs.has(origin) && !caught.has(origin)) caught.set(origin, proof);
    };
    for (const record of records) {
      const held = this.#offered.held(offer, record.origin);
      // Without signatures nothing is proved.
      const signed = held !== null && held.signature !== null && record.signature !== null;
      if (signed && contradict(held, record)) note([held, record]);
    }
    for (const proof of proofs) if (this.#offered.held(offer, proof[0].origin) !== null) note(proof);
    return [...caught.values()];
  }

  /** The same as if only these records had been sent. */
  #only(arrival: Arrival, kept: readonly PeerRecord[]): Pick<Arrival, "bytes" | "offer"> {
    const { answer, offer, records, proofs } = arrival;
    if (offer === null || (kept.length === records.length && proofs === undefined)) return arrival;
    const rest = this.#offered.only(offer, kept);
    return { bytes: encodeAnswer({ ...answer, frames: this.#codec.encode(rest, rest) }), offer: rest };
  }

  /** Nothing is in doubt: whatever the partner would have sent comes with the next exchange. */
  unanswered(): Unanswered {
    this.flight = null;
    return { records: [], verdict: "given-up" };
  }

  restore(record: ExchangeRecord): void {
    if (record.kind === "flight") this.flight = { id: record.id, partner: record.partner };
    if (record.kind === "landed") this.#landAgain(record.answer);
    if (record.kind === "caught")
      for (const proof of decodeProofs(record.proofs, this.#config.limits)) this.#proofs.add(proof);
  }

  /** What was not to be taken in is not in the log. */
  #landAgain(answer: Uint8Array): void {
    const { flight } = this;
    const { offer, records } = this.arrive(answer);
    if (flight === null || offer === null) return;
    this.#introductions?.restore(flight.partner, records);
    this.#take(flight.partner, offer);
    this.flight = null;
  }

  /** A question that nobody has answered yet is forgotten with its process. */
  write(out: Writer): void {
    this.#proofs.write(out, this.#config.limits.dimension);
    out.u8(this.#introductions === null ? 0 : 1);
    this.#introductions?.write(out);
  }

  read(from: Reader): void {
    this.#proofs.read(from, this.#config.limits);
    if (from.u8("introductions") === 0) return;
    // Where strangers no longer matter, what is known of them is read past.
    (this.#introductions ?? new Introductions("")).read(from);
  }
}
