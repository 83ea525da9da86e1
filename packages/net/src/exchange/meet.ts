import { type Offer, type Outcome, type Peer, type PeerId, ProtocolViolation, step } from "@coterie/core";

/** Two peers meet, as far as one of them knows: it takes in what the other one offers, if they come to that. */
export function meet(peer: Peer, partner: PeerId, offer: Offer): Outcome {
  const effect = step(peer, { kind: "meet", partner, offer })[0];
  step(peer, { kind: "settle" });
  if (effect?.kind !== "met") throw new ProtocolViolation("mismatch", "meeting", effect?.kind, "have an outcome");
  return effect.outcome;
}
