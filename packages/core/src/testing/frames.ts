import fc from "fast-check";
import { ProtocolViolation, type ViolationReason } from "../errors.ts";
import { initialPeer } from "../peer/peer.ts";
import { HEADER_BYTES } from "../wire/frame.ts";
import { honestOffers } from "./honest-offers.ts";
import { names, refusal } from "./refused.ts";
import { LARGEST_REWARD, smallWorld } from "./small-world.ts";
import { VARIANTS } from "./variants.ts";

/** Honest frames to damage, and what is expected of a decoder that is given them. */

export const PEERS = 4;
export const DIMENSION = 3;
export const limits = { dimension: DIMENSION, most: 40, reward: LARGEST_REWARD };
const world = smallWorld({ seed: 3, peers: PEERS, dimension: DIMENSION, clusters: 2 });

/** The last offers of a run, of each kind of frame. */
export const HONEST = ["dcb", "dccb", "dccb, epoch", "round-robin", "kindred"].map((name) => {
  const run = { policy: VARIANTS[name]!, world, peers: PEERS, dimension: DIMENSION, rounds: 12 };
  return { name, codec: VARIANTS[name]!.codec!, offers: honestOffers(run).slice(-PEERS) };
});

/** Somebody who knows nothing yet, so that everything is sent. */
const STRANGER = new Map(
  HONEST.map(({ name }) => [
    name,
    initialPeer({ id: "x", dimension: DIMENSION, policy: VARIANTS[name]!, peers: 9 }).learner.offer(),
  ]),
);

/** Any of them, and the frames it is sent as. */
export const honest = fc
  .record({ of: fc.constantFrom(...HONEST), peer: fc.nat(PEERS - 1) })
  .map(({ of: { name, codec, offers }, peer }) => {
    const offer = offers[peer]!;
    return { name, codec, offer, frames: codec.encode(offer, STRANGER.get(name)) };
  });

/** The same, with the index of one frame that is to be damaged. */
export const target = honest.chain((it) => fc.nat(it.frames.length - 1).map((index) => ({ ...it, index })));

export const replaced = (frames: readonly Uint8Array[], index: number, frame: Uint8Array): Uint8Array[] =>
  frames.map((old, k) => (k === index ? frame : old));

export function patched(frame: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = frame.slice();
  change(new DataView(copy.buffer));
  return copy;
}

/** The frame with a header that says how long its body now is. */
export const relabelled = (frame: Uint8Array): Uint8Array =>
  patched(frame, (view) => view.setUint32(HEADER_BYTES - 4, frame.length - HEADER_BYTES, true));

/** Expects a violation of this reason at this place, whose message names field, bound and value. */
export function refused(decode: () => unknown, reason: ViolationReason, field: RegExp, value?: unknown): void {
  const violation = refusal(ProtocolViolation, decode);
  names(violation, field);
  if (violation.reason !== reason) throw new Error(`the reason should be ${reason}, not ${violation.reason}`);
  if (value !== undefined && !Object.is(violation.value, value)) throw new Error(`another value: ${violation.message}`);
}
