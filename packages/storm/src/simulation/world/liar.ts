import type { Offer, Policy, Random, WireLimits } from "@coterie/core";
import * as parts from "@coterie/net/internal";
import type { LiarStyle } from "../plan/fault.ts";
import type { Tamper } from "./driver.ts";

/** What a liar does with its messages; null for one whose messages are its own, and only their content is a lie. */
export function tamperer(style: LiarStyle, random: Random, policy: Policy, limits: WireLimits): Tamper | null {
  if (style === "invents") return null;
  if (style === "mute") return () => null;
  if (style === "garbles") return (body) => garbled(body, random);
  if (style === "leads" && policy.delivery === "once") return (body, says) => ahead(body, says, random, policy, limits);
  let before: Uint8Array | null = null;
  return (body) => {
    const sent = before !== null && random.below(2) === 0 ? before : body.slice();
    before = body.slice();
    return sent;
  };
}

function garbled(body: Uint8Array, random: Random): Uint8Array {
  const bytes = body.slice(0, random.below(4) === 0 ? random.below(body.length + 1) : body.length);
  for (let k = random.below(4); k > 0 && bytes.length > 0; k--) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

/** From a few rounds to as many as a message can say, and dated so that it fits. */
function ahead(
  body: Uint8Array,
  says: "proposal" | "answer",
  random: Random,
  { codec }: Policy,
  limits: WireLimits,
): Uint8Array {
  if (parts.isProbing(body)) return body;
  const lead = 2 ** (2 + random.below(30));
  const later = (round: number): number => Math.min(round + lead, 0xffffffff);
  if (says === "answer") {
    const answer = parts.decodeAnswer(body);
    return parts.encodeAnswer({ ...answer, round: later(answer.round), verdict: "behind", frames: [] });
  }
  const proposal = parts.decodeProposal(body);
  const round = later(proposal.round);
  const offer = codec!.decode(proposal.frames, limits) as Offer & { readonly slots: { newestRound: number } };
  offer.slots.newestRound = round - 1;
  return parts.encodeProposal({ ...proposal, round, frames: codec!.encode(offer) });
}
