import {
  ConfigError,
  type Offer,
  type OfferCodec,
  type Peer,
  type PeerId,
  ProtocolViolation,
  type Reader,
  type Record,
  step,
  type WireLimits,
  type Writer,
} from "@coterie/core";
import { AnsweredExchanges } from "./answered.ts";
import { Leaps } from "./leaps.ts";
import {
  type Answer,
  decodeAnswer,
  decodeProposal,
  type ExchangeId,
  encodeAnswer,
  encodeProposal,
  type Proposal,
  type Verdict,
} from "./message.ts";
import { holdsRecords, recordsIn, withRecords } from "./records.ts";

export interface ExchangeConfig {
  readonly peer: Peer;
  /** What both sides must agree on; see `Proposal`. */
  readonly agreement: string;
  readonly limits: WireLimits;
}

/** The exchange that this peer proposed and does not know the end of. */
export interface Flight {
  readonly id: ExchangeId;
  readonly partner: PeerId;
}

/** What must be on the disk before the message beside it leaves. */
export type ExchangeRecord =
  | { readonly kind: "flight"; readonly id: ExchangeId; readonly partner: PeerId }
  | { readonly kind: "landed"; readonly id: ExchangeId; readonly answer: Uint8Array }
  | { readonly kind: "answered"; readonly id: ExchangeId; readonly partner: PeerId; readonly proposal: Uint8Array }
  | { readonly kind: "given-up"; readonly id: ExchangeId };

/** The answer to be to whoever asks for records, before it is known which of them may leave. */
export interface Draft {
  readonly proposal: Proposal;
  readonly verdict: Verdict;
  /** What the asker told of itself; null where it gets nothing. */
  readonly theirs: Offer | null;
  /** What it lacks. */
  readonly records: readonly Record[];
}

/** An answer that was read and not yet believed. */
export interface Arrival {
  readonly bytes: Uint8Array;
  readonly answer: Answer;
  /** With `mix`: what the partner sent. */
  readonly offer: Offer | null;
  readonly records: readonly Record[];
}

/** What came of a proposal of another peer. */
export interface Answered {
  readonly records: ExchangeRecord[];
  readonly answer: Uint8Array;
  readonly verdict: Verdict;
  /** What the other side did wrong, though it gets an answer. */
  readonly complaint: ProtocolViolation | null;
}

/** What came of one of our own. */
export interface Concluded {
  readonly records: ExchangeRecord[];
  /** Null where the answer was to an older one. */
  readonly verdict: Verdict | null;
  readonly complaint: ProtocolViolation | null;
}

const DISAGREED = "another room, feature schema, policy or version";
const TOO_FAR = "too many rounds ahead";

/** A proposal that came late: its exchange is over and its answer gone. Nobody waits for another. */
export class ExchangeOver extends Error {
  override readonly name = "ExchangeOver";
}

/**
 * Exactly-once averaging between two peers. If one side averages and the other does not, mass is lost for good, so:
 * one exchange in flight, named by an id; the proposal is written down before it leaves, the answer before it is
 * given; a proposal that comes again gets the very same answer; and while a peer does not know what became of its
 * proposal its buffer stands still: it mixes with nobody and closes no round (it chooses and learns all the same).
 *
 * Versioned records ask for less: the newest wins, so an exchange may be lost, repeated or half done. There the proposer
 * greets and the other side sends what the greeting lacks; nothing stands still meanwhile, and nothing is at risk.
 *
 * Pure: no clock, no IO. Whatever it returns as `records` the host writes down first; `restore` plays them back.
 */
export class Exchange {
  readonly #config: ExchangeConfig;
  readonly #codec: OfferCodec;
  /** Averages must be mixed exactly once; of records the newest wins. */
  readonly once: boolean;
  readonly #answered = new AnsweredExchanges();
  readonly #leaps: Leaps;
  #flight: Flight | null = null;
  #proposal: Uint8Array | null = null;
  /** Exchanges given up while in doubt: each may have left the two sides uneven by one exchange. */
  massAtRisk = 0;

  constructor(config: ExchangeConfig) {
    const { policy } = config.peer.config;
    if (policy.codec === null) throw new ConfigError("policy", policy.kind, "be one that exchanges");
    // Epochs end by rounds counted together; peers that tick each by themselves would never hold the same one.
    const { buffer } = policy.options as { buffer?: string };
    if (buffer === "epoch") throw new ConfigError("policy.buffer", buffer, "be slots on a network");
    this.#config = config;
    this.#codec = policy.codec;
    this.#leaps = new Leaps(config.peer);
    this.once = policy.delivery === "once";
  }

  get flight(): Flight | null {
    return this.#flight;
  }

  /** Begins an exchange, if none is in flight. The proposal may be sent again and again until it is answered. */
  propose(partner: PeerId, id: ExchangeId): { records: ExchangeRecord[]; proposal: Uint8Array } {
    if (this.#flight !== null)
      throw new ConfigError("exchange", this.#flight.partner, "be over before the next begins");
    this.#begin({ id, partner });
    const records: ExchangeRecord[] = this.once ? [{ kind: "flight", id, partner }] : [];
    return { records, proposal: this.#makeProposal(id) };
  }

  /** The proposal in flight, to be sent again: the buffer has stood still, so it is the same. */
  again(): Uint8Array {
    if (this.#flight === null) throw new ConfigError("exchange", null, "be in flight to be sent again");
    return this.#proposal ?? this.#makeProposal(this.#flight.id);
  }

  /** Answers a proposal. Throws a ProtocolViolation, with nothing changed, for what no correct peer sends. */
  answer(partner: PeerId, bytes: Uint8Array): Answered {
    if (!this.once) {
      const draft = this.draft(partner, bytes);
      const answer = this.finish(draft, draft.records);
      return { records: [], answer, verdict: draft.verdict, complaint: null };
    }
    const proposal = decodeProposal(bytes);
    const known = this.#answered.find(proposal.id);
    // Any answer would be taken for the end by a proposer that waits after all; without one it gives up, and counts that.
    if (known === null) throw new ExchangeOver(`exchange ${proposal.id} is over`);
    if (known !== undefined)
      return { records: [], answer: known, verdict: decodeAnswer(known).verdict, complaint: null };
    const { answer, complaint } = this.#decide(partner, proposal);
    const encoded = encodeAnswer(answer);
    this.#answered.remember(proposal.id, partner, encoded);
    // Refusals are written down too: a duplicate that comes late must not be applied after the proposer moved on.
    return {
      records: [{ kind: "answered", id: proposal.id, partner, proposal: bytes }],
      answer: encoded,
      verdict: answer.verdict,
      complaint,
    };
  }

  /** Of versioned records: which ones whoever greets so lacks. Changes nothing. */
  draft(partner: PeerId, bytes: Uint8Array): Draft {
    const { peer, agreement, limits } = this.#config;
    const proposal = decodeProposal(bytes);
    if (proposal.agreement !== agreement) return { proposal, verdict: "refused", theirs: null, records: [] };
    const theirs = this.#codec.decode(proposal.frames, limits);
    const verdict = peer.learner.judge(partner, theirs, peer.round);
    if (verdict !== "mix") return { proposal, verdict, theirs: null, records: [] };
    const mine = peer.learner.offer();
    const records = holdsRecords(mine) && holdsRecords(theirs) ? mine.recordsFor(theirs.greeting) : [];
    return { proposal, verdict, theirs, records };
  }

  /** The answer that a draft becomes, with those of its records that may leave. */
  finish({ proposal, verdict, theirs }: Draft, records: readonly Record[]): Uint8Array {
    const offer = theirs === null ? null : withRecords(this.#config.peer.learner.offer(), records);
    const frames = offer === null || theirs === null ? [] : this.#codec.encode(offer, 8, theirs);
    return encodeAnswer(this.#reply(proposal, verdict, verdict === "refused" ? DISAGREED : "", frames));
  }

  /** Turns a proposal away without a look at what it brings. */
  refuse(bytes: Uint8Array, reason: string): Uint8Array {
    return encodeAnswer(this.#reply(decodeProposal(bytes), "refused", reason));
  }

  /** Reads an answer, so that what it brings can be checked before `conclude`. Changes nothing. */
  arrive(bytes: Uint8Array): Arrival {
    const answer = decodeAnswer(bytes);
    const expected = this.#flight?.id === answer.id && answer.verdict === "mix";
    const offer = expected ? this.#codec.decode(answer.frames, this.#config.limits) : null;
    return { bytes, answer, offer, records: recordsIn(offer) };
  }

  /** The same without some of its records: as if they had never been sent, for the log too. */
  without(arrival: Arrival, unwanted: ReadonlySet<Record>): Arrival {
    if (unwanted.size === 0 || arrival.offer === null) return arrival;
    const records = arrival.records.filter((record) => !unwanted.has(record));
    const offer = withRecords(arrival.offer, records);
    const answer = { ...arrival.answer, frames: this.#codec.encode(offer, 8, offer) };
    return { bytes: encodeAnswer(answer), answer, offer, records };
  }

  /** Takes the answer to the proposal in flight; one to an older proposal changes nothing. */
  conclude(arrived: Uint8Array | Arrival): Concluded {
    const { bytes, answer, offer } = arrived instanceof Uint8Array ? this.arrive(arrived) : arrived;
    const flight = this.#flight;
    if (flight === null || answer.id !== flight.id) return { records: [], verdict: null, complaint: null };
    // Whoever waits for an answer of ours says `busy`, or turns us away unheard.
    if (answer.verdict !== "busy" && answer.verdict !== "refused") this.#answered.heard(flight.partner);
    const { verdict } = answer;
    const complaint = this.#apply(flight.partner, answer, offer);
    this.#land();
    const landed: ExchangeRecord = { kind: "landed", id: answer.id, answer: bytes };
    if (this.once) return { records: [landed], verdict, complaint };
    return { records: verdict === "mix" ? [{ kind: "flight", ...flight }, landed] : [], verdict, complaint };
  }

  /** The partner is gone for good: go on without knowing, and count it. */
  giveUp(): ExchangeRecord[] {
    if (this.#flight === null) return [];
    const { id } = this.#flight;
    this.#land();
    if (!this.once) return [];
    this.massAtRisk += 1;
    return [{ kind: "given-up", id }];
  }

  /** Plays back what was written down, in order, on a peer restored from the snapshot before it. */
  restore(record: ExchangeRecord): void {
    if (record.kind === "flight") this.#begin({ id: record.id, partner: record.partner });
    if (record.kind === "landed") this.conclude(record.answer);
    if (record.kind === "answered") this.answer(record.partner, record.proposal);
    if (record.kind === "given-up") this.giveUp();
    this.#leaps.wake();
  }

  /** What a snapshot keeps beside the peer's own. */
  write(out: Writer): void {
    out.f64(this.massAtRisk);
    out.text(this.#flight === null ? "" : this.#flight.id);
    out.text(this.#flight === null ? "" : this.#flight.partner);
    this.#answered.write(out);
    this.#leaps.write(out);
  }

  read(from: Reader): void {
    this.massAtRisk = from.f64("exchange.massAtRisk");
    const [id, partner] = [from.text("exchange.flight"), from.text("exchange.partner")];
    this.#flight = id === "" ? null : { id, partner };
    this.#answered.read(from);
    this.#leaps.read(from);
  }

  #begin(flight: Flight): void {
    this.#flight = flight;
    this.#leaps.turn();
  }

  #land(): void {
    this.#flight = null;
    this.#proposal = null;
  }

  #makeProposal(id: ExchangeId): Uint8Array {
    const { peer, agreement } = this.#config;
    const frames = this.#codec.encode(peer.learner.offer(), 8);
    this.#proposal = encodeProposal({ id, round: peer.round, agreement, frames });
    return this.#proposal;
  }

  #reply({ id }: Proposal, verdict: Verdict, reason = "", frames: readonly Uint8Array[] = []): Answer {
    return { id, round: this.#config.peer.round, verdict, reason, frames };
  }

  #decide(partner: PeerId, proposal: Proposal): { answer: Answer; complaint: ProtocolViolation | null } {
    const { peer, agreement } = this.#config;
    const { round } = proposal;
    const reply = (verdict: Verdict, reason?: string, frames?: readonly Uint8Array[]) => ({
      answer: this.#reply(proposal, verdict, reason, frames),
      complaint: null,
    });
    if (proposal.agreement !== agreement) return reply("refused", DISAGREED);
    const offer = this.#codec.decode(proposal.frames, this.#config.limits);
    checkDate(offer, round);
    const allowed = this.#leaps.allows(round);
    this.#leaps.hear(partner, round);
    if (this.#flight !== null) return reply("busy");
    if (round < peer.round) return reply("behind");
    // An answer all the same: who is right is not for us to say, and the proposer must not wait in doubt.
    if (!allowed) return { ...reply("refused", TOO_FAR), complaint: this.#leaps.complaint(round) };
    if (round > peer.round) this.#leaps.follow(round);
    const mine = this.#codec.encode(peer.learner.offer(), 8);
    const verdict = this.#meet(partner, offer);
    return reply(verdict, "", verdict === "mix" ? mine : []);
  }

  #apply(partner: PeerId, answer: Answer, offer: Offer | null): ProtocolViolation | null {
    const { peer } = this.#config;
    if (answer.verdict === "prune") {
      step(peer, { kind: "part", partner });
      step(peer, { kind: "settle" });
    }
    if (offer !== null) this.#meet(partner, offer);
    // Records have no round to be in.
    if (!this.once) return null;
    const { round, verdict } = answer;
    const allowed = this.#leaps.allows(round);
    this.#leaps.hear(partner, round);
    if (verdict !== "behind" || round <= peer.round) return null;
    if (!allowed) return this.#leaps.complaint(round);
    this.#leaps.follow(round);
    return null;
  }

  #meet(partner: PeerId, offer: Offer): Verdict {
    const { peer } = this.#config;
    const effect = step(peer, { kind: "meet", partner, offer })[0];
    step(peer, { kind: "settle" });
    if (effect?.kind !== "met") throw new ProtocolViolation("mismatch", "meeting", effect?.kind, "have an outcome");
    return effect.outcome;
  }
}

/** Before anything changes: whoever is in `round` has slots up to the round before, or speaks of two rounds at once. */
function checkDate(offer: Offer, round: number): void {
  const { slots } = offer as { readonly slots?: { readonly newestRound: number } };
  if (slots === undefined || slots.newestRound === round - 1) return;
  throw new ProtocolViolation("mismatch", "offer.round", slots.newestRound, `be ${round - 1}`);
}
