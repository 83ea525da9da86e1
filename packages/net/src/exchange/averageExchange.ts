import {
  ConfigError,
  type Offer,
  type OfferCodec,
  type Outcome,
  type PeerId,
  ProtocolViolation,
  type Reader,
  step,
  type Writer,
} from "@coterie/core";
import type { PeerRecord } from "@coterie/core/internal";
import { AnsweredExchanges } from "./answered.ts";
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
import { Leaps } from "./leaps.ts";
import {
  type Answer,
  DISAGREED,
  decodeAnswer,
  decodeProposal,
  type ExchangeId,
  encodeAnswer,
  encodeProposal,
  type Proposal,
  type Verdict,
} from "./message.ts";

const NO_RECORDS: readonly PeerRecord[] = [];
const TOO_FAR = "too many rounds ahead";
/** Times that a partner is asked before its exchange is given up, unless told otherwise. */
const PATIENCE = 20;

/** A proposal that came late: its exchange is over and its answer gone. Nobody waits for another. */
export class ExchangeOver extends Error {
  override readonly name = "ExchangeOver";
}

/**
 * Exactly-once averaging between two peers. If one side averages and the other does not, mass is lost for good, so:
 * one exchange in flight, named by an id; the proposal is written down before it leaves, the answer before it is
 * given; a proposal that comes again gets the very same answer; and while a peer does not know what became of its
 * proposal its buffer stands still: it mixes with nobody and closes no round (it chooses and learns all the same).
 */
export class AverageExchange implements Exchange {
  readonly #config: ExchangeConfig;
  readonly #codec: OfferCodec;
  readonly #answered = new AnsweredExchanges();
  readonly #leaps: Leaps;
  /** Times in a row that nobody answered. */
  #silences = 0;
  /** Whether the proposal in flight may have left. */
  #sent = false;
  /** While an exchange is in flight its proposal stays the same. */
  #proposal: Uint8Array | null = null;
  #flight: Flight | null = null;
  massAtRisk = 0;

  constructor(config: ExchangeConfig, codec: OfferCodec) {
    this.#config = config;
    this.#codec = codec;
    this.#leaps = new Leaps(config.peer);
  }

  get flight(): Flight | null {
    return this.#flight;
  }

  propose(partner: PeerId, id: ExchangeId): { records: ExchangeRecord[]; proposal: Uint8Array } {
    if (this.#flight !== null)
      throw new ConfigError("exchange", this.#flight.partner, "be over before the next begins");
    this.#flight = { id, partner };
    const proposal = this.again();
    this.#sent = false;
    this.#leaps.turn();
    return { records: [{ kind: "flight", id, partner }], proposal };
  }

  /** The buffer has stood still, so it is the same. */
  again(): Uint8Array {
    if (this.#flight === null) throw new ConfigError("exchange", null, "be in flight to be sent again");
    const { peer, agreement } = this.#config;
    const frames = (): Uint8Array[] => this.#codec.encode(peer.learner.offer());
    this.#proposal ??= encodeProposal({ id: this.#flight.id, round: peer.round, agreement, frames: frames() });
    return this.#proposal;
  }

  #land(): void {
    this.#flight = null;
    this.#proposal = null;
  }

  answer(partner: PeerId, bytes: Uint8Array): Answered {
    const proposal = decodeProposal(bytes);
    const known = this.#answered.find(proposal.id);
    // Any answer would be taken for the end by a proposer that waits after all; without one it gives up, and counts that.
    if (known === null) throw new ExchangeOver(`exchange ${proposal.id} is over`);
    if (known !== undefined) {
      const { verdict } = decodeAnswer(known);
      // What was answered the first time may still be on its way to the disk.
      const again = { records: [], verdict, complaint: null, repeated: true, waits: true };
      return { ...again, lacked: NO_RECORDS, answer: () => known };
    }
    const { answer, complaint } = this.#decide(partner, proposal);
    const encoded = encodeAnswer(answer);
    this.#answered.remember(proposal.id, partner, encoded);
    return {
      // Refusals are written down too: a duplicate that comes late must not be applied after the proposer moved on.
      records: [{ kind: "answered", id: proposal.id, partner, proposal: bytes }],
      verdict: answer.verdict,
      complaint,
      repeated: false,
      waits: false,
      lacked: NO_RECORDS,
      answer: () => encoded,
    };
  }

  arrive(bytes: Uint8Array): Arrival {
    const answer = decodeAnswer(bytes);
    const expected = this.#flight?.id === answer.id && answer.verdict === "mix";
    const offer = expected ? this.#codec.decode(answer.frames, this.#config.limits) : null;
    return { bytes, answer, offer, records: NO_RECORDS };
  }

  conclude({ bytes, answer, offer }: Arrival): Concluded {
    const flight = this.#flight;
    this.#silences = 0;
    if (flight === null || answer.id !== flight.id) return { records: [], verdict: null, complaint: null };
    const { verdict } = answer;
    // Whoever waits for an answer of ours says `busy`, or turns us away unheard.
    if (verdict !== "busy" && verdict !== "refused") this.#answered.heard(flight.partner);
    const complaint = this.#apply(flight.partner, answer, offer);
    this.#land();
    return { records: [{ kind: "landed", id: answer.id, answer: bytes }], verdict, complaint };
  }

  unanswered(unsent: boolean, patience = PATIENCE): Unanswered {
    if (!unsent) this.#sent = true;
    // Nobody has heard of it, so nothing is in doubt.
    if (!this.#sent) return { records: this.#end("withdrawn"), verdict: "given-up" };
    this.#silences += 1;
    if (this.#silences < (this.#config.patience ?? patience)) return { records: [], verdict: "in-doubt" };
    return { records: this.giveUp(), verdict: "given-up" };
  }

  /** The partner is gone for good: go on without knowing, and count it. */
  giveUp(): ExchangeRecord[] {
    if (this.#flight !== null) this.massAtRisk += 1;
    return this.#end("given-up");
  }

  #end(kind: "given-up" | "withdrawn"): ExchangeRecord[] {
    const flight = this.#flight;
    this.#silences = 0;
    this.#land();
    return flight === null ? [] : [{ kind, id: flight.id }];
  }

  restore(record: ExchangeRecord): void {
    if (record.kind === "flight") {
      this.#flight = { id: record.id, partner: record.partner };
      // It may have left before the crash.
      this.#sent = true;
      this.#leaps.turn();
    }
    if (record.kind === "landed") this.conclude(this.arrive(record.answer));
    if (record.kind === "answered") this.answer(record.partner, record.proposal);
    if (record.kind === "given-up") this.giveUp();
    if (record.kind === "withdrawn") this.#end("withdrawn");
    this.#leaps.wake();
  }

  write(out: Writer): void {
    out.f64(this.massAtRisk);
    out.text(this.#flight?.id ?? "");
    out.text(this.#flight?.partner ?? "");
    this.#answered.write(out);
    this.#leaps.write(out);
  }

  read(from: Reader): void {
    this.massAtRisk = from.f64("exchange.massAtRisk");
    const [id, partner] = [from.text("exchange.flight"), from.text("exchange.partner")];
    this.#flight = id === "" ? null : { id, partner };
    this.#sent = id !== "";
    this.#answered.read(from);
    this.#leaps.read(from);
  }

  #decide(partner: PeerId, proposal: Proposal): { answer: Answer; complaint: ProtocolViolation | null } {
    const { peer, agreement } = this.#config;
    const { id, round } = proposal;
    const reply = (verdict: Verdict, reason = "", frames: readonly Uint8Array[] = []) => ({
      answer: { id, round: peer.round, verdict, reason, frames },
      complaint: null,
    });
    if (proposal.agreement !== agreement) return reply("refused", DISAGREED);
    const offer = this.#codec.decode(proposal.frames, this.#config.limits);
    this.#checkDate(offer, round);
    const allowed = this.#leaps.allows(round);
    this.#leaps.hear(partner, round);
    if (this.#flight !== null) return reply("busy");
    if (round < peer.round) return reply("behind");
    // An answer all the same: who is right is not for us to say, and the proposer must not wait in doubt.
    if (!allowed) return { ...reply("refused", TOO_FAR), complaint: this.#leaps.complaint(round) };
    if (round > peer.round) this.#leaps.follow(round);
    const mine = this.#codec.encode(peer.learner.offer());
    const verdict = this.#meet(partner, offer);
    return reply(verdict, "", verdict === "mix" ? mine : []);
  }

  #apply(partner: PeerId, { round, verdict }: Answer, offer: Offer | null): ProtocolViolation | null {
    const { peer } = this.#config;
    if (verdict === "prune") {
      step(peer, { kind: "part", partner });
      step(peer, { kind: "settle" });
    }
    if (offer !== null) this.#meet(partner, offer);
    const allowed = this.#leaps.allows(round);
    this.#leaps.hear(partner, round);
    if (verdict !== "behind" || round <= peer.round) return null;
    if (!allowed) return this.#leaps.complaint(round);
    this.#leaps.follow(round);
    return null;
  }

  /** The two meet, as far as this one knows: it takes in what the other one offers, if they come to that. */
  #meet(partner: PeerId, offer: Offer): Outcome {
    const { peer } = this.#config;
    const effect = step(peer, { kind: "meet", partner, offer })[0];
    step(peer, { kind: "settle" });
    if (effect?.kind !== "met") throw new ProtocolViolation("mismatch", "meeting", effect?.kind, "have an outcome");
    return effect.outcome;
  }

  /** Before anything changes: whoever is in `round` has slots up to the round before, or speaks of two rounds at once. */
  #checkDate(offer: Offer, round: number): void {
    const newest = this.#codec.newestRound?.(offer) ?? round - 1;
    if (newest !== round - 1) throw new ProtocolViolation("mismatch", "offer.round", newest, `be ${round - 1}`);
  }
}
