import {
  ConfigError,
  type Offer,
  type OfferCodec,
  type Peer,
  type PeerId,
  ProtocolViolation,
  type Reader,
  step,
  type WireLimits,
  type Writer,
} from "@coterie/core";
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

const DISAGREED = "another room, feature schema, policy or version";

/** Answers kept for proposers that ask again. A proposer retries for minutes, not for thousands of exchanges. */
const MOST_ANSWERS = 1024;

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
  readonly #answers = new Map<ExchangeId, Uint8Array>();
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
    this.once = policy.delivery === "once";
  }

  get flight(): Flight | null {
    return this.#flight;
  }

  /** Begins an exchange, if none is in flight. The proposal may be sent again and again until it is answered. */
  propose(partner: PeerId, id: ExchangeId): { records: ExchangeRecord[]; proposal: Uint8Array } {
    if (this.#flight !== null)
      throw new ConfigError("exchange", this.#flight.partner, "be over before the next begins");
    this.#flight = { id, partner };
    const records: ExchangeRecord[] = this.once ? [{ kind: "flight", id, partner }] : [];
    return { records, proposal: this.#makeProposal(id) };
  }

  /** The proposal in flight, to be sent again: the buffer has stood still, so it is the same. */
  again(): Uint8Array {
    if (this.#flight === null) throw new ConfigError("exchange", null, "be in flight to be sent again");
    return this.#proposal ?? this.#makeProposal(this.#flight.id);
  }

  /** Answers a proposal. Throws a ProtocolViolation, with nothing changed, for what no correct peer sends. */
  answer(partner: PeerId, bytes: Uint8Array): { records: ExchangeRecord[]; answer: Uint8Array; verdict: Verdict } {
    const proposal = decodeProposal(bytes);
    const known = this.#answers.get(proposal.id);
    if (known !== undefined) return { records: [], answer: known, verdict: decodeAnswer(known).verdict };
    const answer = this.once ? this.#decide(partner, proposal) : this.#tell(partner, proposal);
    const encoded = encodeAnswer(answer);
    if (!this.once) return { records: [], answer: encoded, verdict: answer.verdict };
    this.#remember(proposal.id, encoded);
    // Refusals are written down too: a duplicate that comes late must not be applied after the proposer moved on.
    return {
      records: [{ kind: "answered", id: proposal.id, partner, proposal: bytes }],
      answer: encoded,
      verdict: answer.verdict,
    };
  }

  /** Takes the answer to the proposal in flight; one to an older proposal changes nothing. */
  conclude(bytes: Uint8Array): { records: ExchangeRecord[]; verdict: Verdict | null } {
    const answer = decodeAnswer(bytes);
    const flight = this.#flight;
    if (flight === null || answer.id !== flight.id) return { records: [], verdict: null };
    this.#apply(flight.partner, answer);
    this.#land();
    const landed: ExchangeRecord = { kind: "landed", id: answer.id, answer: bytes };
    if (this.once) return { records: [landed], verdict: answer.verdict };
    const learnt = answer.verdict === "mix";
    return { records: learnt ? [{ kind: "flight", ...flight }, landed] : [], verdict: answer.verdict };
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
    if (record.kind === "flight") this.#flight = { id: record.id, partner: record.partner };
    if (record.kind === "landed") this.conclude(record.answer);
    if (record.kind === "answered") this.answer(record.partner, record.proposal);
    if (record.kind === "given-up") this.giveUp();
  }

  /** What a snapshot keeps beside the peer's own. */
  write(out: Writer): void {
    out.f64(this.massAtRisk);
    out.text(this.#flight === null ? "" : this.#flight.id);
    out.text(this.#flight === null ? "" : this.#flight.partner);
    out.u32(this.#answers.size);
    for (const [id, answer] of this.#answers) {
      out.text(id);
      out.u32(answer.length);
      out.raw(answer);
    }
  }

  read(from: Reader): void {
    this.massAtRisk = from.f64("exchange.massAtRisk");
    const [id, partner] = [from.text("exchange.flight"), from.text("exchange.partner")];
    this.#flight = id === "" ? null : { id, partner };
    const count = from.u32("exchange.answers");
    for (let k = 0; k < count; k++) {
      const answered = from.text("exchange.answers");
      this.#answers.set(answered, from.raw("exchange.answers", from.u32("exchange.answers")));
    }
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

  /** The records that whoever greets so lacks. Changes nothing here. */
  #tell(partner: PeerId, proposal: Proposal): Answer {
    const { peer, agreement, limits } = this.#config;
    if (proposal.agreement !== agreement) return this.#reply(proposal, "refused", DISAGREED);
    const theirs = this.#codec.decode(proposal.frames, limits);
    const verdict = peer.learner.judge(partner, theirs, peer.round);
    const frames = verdict === "mix" ? this.#codec.encode(peer.learner.offer(), 8, theirs) : [];
    return this.#reply(proposal, verdict, "", frames);
  }

  #decide(partner: PeerId, proposal: Proposal): Answer {
    const { peer, agreement } = this.#config;
    const reply = (verdict: Verdict, reason?: string, frames?: readonly Uint8Array[]): Answer =>
      this.#reply(proposal, verdict, reason, frames);
    if (proposal.agreement !== agreement) return reply("refused", DISAGREED);
    const offer = this.#codec.decode(proposal.frames, this.#config.limits);
    if (this.#flight !== null) return reply("busy");
    if (proposal.round < peer.round) return reply("behind");
    if (proposal.round > peer.round) advance(peer, proposal.round);
    const mine = this.#codec.encode(peer.learner.offer(), 8);
    const verdict = this.#meet(partner, offer);
    return reply(verdict, "", verdict === "mix" ? mine : []);
  }

  #apply(partner: PeerId, answer: Answer): void {
    const { peer } = this.#config;
    if (answer.verdict === "behind" && answer.round > peer.round) advance(peer, answer.round);
    if (answer.verdict === "prune") {
      step(peer, { kind: "part", partner });
      step(peer, { kind: "settle" });
    }
    if (answer.verdict === "mix") this.#meet(partner, this.#codec.decode(answer.frames, this.#config.limits));
  }

  #meet(partner: PeerId, offer: Offer): Verdict {
    const { peer } = this.#config;
    const effect = step(peer, { kind: "meet", partner, offer })[0];
    step(peer, { kind: "settle" });
    if (effect?.kind !== "met") throw new ProtocolViolation("mismatch", "meeting", effect?.kind, "have an outcome");
    return effect.outcome;
  }

  #remember(id: ExchangeId, answer: Uint8Array): void {
    this.#answers.set(id, answer);
    if (this.#answers.size <= MOST_ANSWERS) return;
    const oldest = this.#answers.keys().next().value;
    if (oldest !== undefined) this.#answers.delete(oldest);
  }
}

/** A lag up to here is that of clocks that tick apart, whatever the length of the buffer. */
const USUAL_LAG = 2;

/**
 * Goes on in `round`. Peers that tick each by themselves are always a round or two apart; those rounds are closed, so
 * that slots keep their dates. (Were all that waits dated anew at each such meeting, it would wait for ever.) Only after
 * a longer absence is it dated anew: it has missed the mixing that its age would stand for.
 */
function advance(peer: Peer, round: number): void {
  const lag = round - peer.round;
  if (lag > Math.max(USUAL_LAG, peer.learner.view.buffered / 4)) step(peer, { kind: "catch-up", round });
  while (peer.round < round) step(peer, { kind: "close" });
}
