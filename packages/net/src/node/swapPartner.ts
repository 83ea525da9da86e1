import type { PeerId, Random } from "@coterie/core";
import type { Membership } from "../membership/membership.ts";
import { ROAM_EVERY } from "./limits.ts";

export interface Round {
  readonly membership: Membership;
  /** Members to whom there is a connection, and how many such there are to be. */
  readonly connected: readonly PeerId[];
  readonly most: number;
  /** Whether somebody may be called now: not one that is left alone for a while. */
  readonly mayCall: (peer: PeerId) => boolean;
  readonly round: number;
  /** The round in which we last connected to somebody through a hub. */
  readonly circuit: number;
  readonly random: Random;
}

/** Whom to swap entries with. Mostly somebody connected; now and then somebody buried who may be back, or anybody. */
export function drawPartner(
  { membership, connected, most, mayCall, round, circuit, random }: Round,
  now: number,
): PeerId | null {
  const doubtful = membership.doubtful(now).filter(mayCall);
  if (doubtful.length > 0 && (round % 2 === 1 || membership.size === 0)) return oneOf(doubtful, random);
  const age = (peer: PeerId): number => membership.entries.age(peer, now);
  const others = membership.entries.reachable().filter((peer) => !connected.includes(peer) && mayCall(peer));
  // Few connections make a star around the bootstrap peer, and swaps slow: half of those agreed are always kept.
  const due = round % ROAM_EVERY === 3 && round - circuit >= ROAM_EVERY;
  const roams = connected.length < most / 2 || due;
  if (roams && others.length > 0) return youngest(others, age, random);
  return oneOf(connected, random) ?? youngest(others, age, random);
}

/** Of so many drawn the youngest is called: the older an entry, the likelier it is that its peer is gone. */
const DRAWS = 4;

/** The youngest of some that are drawn; null where there is nobody. */
export function youngest(peers: readonly PeerId[], age: (peer: PeerId) => number, random: Random): PeerId | null {
  let best = oneOf(peers, random);
  for (let draw = 1; draw < DRAWS && best !== null; draw++) {
    const other = peers[random.below(peers.length)]!;
    if (age(other) < age(best)) best = other;
  }
  return best;
}

const oneOf = (peers: readonly PeerId[], random: Random): PeerId | null =>
  peers.length === 0 ? null : peers[random.below(peers.length)]!;
