import { type Peer, type PeerId, ProtocolViolation, type Reader, step, type Writer } from "@coterie/core";

/** A lag up to here is that of clocks that tick apart, whatever the length of the buffer. */
const USUAL_LAG = 2;

/** A peer stands still while it is in doubt, for 20 ticks of its own; whoever is ahead by no more is like us. */
const NEAR_LEAD = 24;

/** Rounds that all partners together may move us by between two proposals of our own: a clock that is as much slower. */
const LEAPS_PER_TURN = 64;

/** Nobody is followed beyond: half of what 32 bits hold. The rest is for our own clock, which needs centuries for it. */
const LAST_ROUND = 0x7fffffff;

/** So many more voices from far behind than others make us the one who is too far. */
const AHEAD = 2;

/** More doublings than this lead from any round to any other. */
const MOST_PATIENCE = 32;

/** Partners whose word counts between two proposals of our own. */
const MOST_HEARD = 256;

/**
 * Which partners that are in a later round are followed there. Rounds merge on contact, so the honest differ by little,
 * unless it is us who were away; and a round is only a number, which anybody can claim. So:
 *
 *     follow a lead of at most  near · 2^patience,  and of 64 · 2^patience in all between two proposals of our own
 *
 * where patience rises by one with each partner that is further ahead than near and falls by two with each that is not,
 * one word per partner between two proposals. One that comes
 * back after any absence meets only peers far ahead, and follows after a number of meetings that grows with the logarithm
 * of the absence. One that is far ahead alone is outvoted by everybody else: by two, because a liar speaks to everybody in
 * every round, and an honest peer to one. And where most are far behind us it is we who were led astray: then nobody is
 * followed, until they have come near.
 *
 * Every change comes with a step that is written down (a proposal, an answer given, an answer taken), so a peer that lives
 * through its log again decides the same.
 */
export class Leaps {
  #patience = 0;
  /** Partners that are far behind us, less those that are not; at least 0. */
  #ahead = 0;
  #spent = 0;
  /** Whether somebody in about our round was heard since the proposal before the last. */
  #near = 0;
  readonly #heard = new Set<PeerId>();

  constructor(readonly peer: Peer) {}

  /** A proposal of our own begins. */
  turn(): void {
    this.#spent = 0;
    this.#near = Math.max(0, this.#near - 1);
    this.#heard.clear();
  }

  /** A partner says that it is in `round`. */
  hear(partner: PeerId, round: number): void {
    const lead = round - this.peer.round;
    const bound = nearLead(this.peer);
    const far = lead > bound;
    if (Math.abs(lead) <= bound) this.#near = 2;
    if (this.#heard.has(partner) || this.#heard.size >= MOST_HEARD) return;
    this.#heard.add(partner);
    this.#patience = Math.min(MOST_PATIENCE, Math.max(0, this.#patience + (far ? 1 : -2)));
    this.#ahead = Math.min(MOST_PATIENCE, Math.max(0, this.#ahead + (lead < -bound ? 1 : -1)));
  }

  /** Whether to go on in a partner's `round`. Judged by what was heard of others before. */
  allows(round: number): boolean {
    const lead = round - this.peer.round;
    if (lead <= 0) return true;
    if (this.#ahead >= AHEAD) return false;
    const scale = 2 ** this.#patience;
    const near = lead <= nearLead(this.peer) * scale && this.#spent + lead <= LEAPS_PER_TURN * scale;
    return round <= LAST_ROUND && near;
  }

  /** Goes on in `round`. */
  follow(round: number): void {
    this.#spent += round - this.peer.round;
    advance(this.peer, round);
  }

  /** What a round that is not followed is held for: nothing where it may be us who are late. */
  complaint(round: number): ProtocolViolation | null {
    if (this.#near === 0 && round <= LAST_ROUND) return null;
    // Rounds are used up, but by somebody in about our round.
    if (round - this.peer.round <= nearLead(this.peer)) return null;
    return new ProtocolViolation("leap", "message.round", round, `be near ${this.peer.round}, as others are`);
  }

  /** After a time of which nobody knows how long it was, what was heard before says nothing against anybody. */
  wake(): void {
    this.#near = 0;
  }

  write(out: Writer): void {
    out.u8(this.#patience);
    out.u8(this.#ahead);
    out.f64(this.#spent);
    out.u32(this.#heard.size);
    for (const partner of this.#heard) out.text(partner);
  }

  read(from: Reader): void {
    this.#patience = Math.min(MOST_PATIENCE, from.u8("leaps.patience"));
    this.#ahead = Math.min(MOST_PATIENCE, from.u8("leaps.ahead"));
    this.#spent = from.f64("leaps.spent");
    this.#heard.clear();
    for (let left = from.u32("leaps.heard"); left > 0; left--) this.#heard.add(from.text("leaps.heard"));
  }
}

const nearLead = (peer: Peer): number => Math.max(NEAR_LEAD, usualLag(peer));

/** Up to this lag rounds are closed one by one; after a longer one what waits is dated anew. */
const usualLag = (peer: Peer): number => Math.max(USUAL_LAG, peer.learner.view.buffered / 4);

/**
 * Goes on in `round`. Peers that tick each by themselves are always a round or two apart; those rounds are closed, so
 * that slots keep their dates. (Were all that waits dated anew at each such meeting, it would wait for ever.) Only after
 * a longer absence is it dated anew: it has missed the mixing that its age would stand for.
 */
function advance(peer: Peer, round: number): void {
  if (round - peer.round > usualLag(peer)) step(peer, { kind: "catch-up", round });
  while (peer.round < round) step(peer, { kind: "close" });
}
