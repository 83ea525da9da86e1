import { ProtocolViolation } from "../errors.ts";
import type { Offer } from "../peer/learner.ts";

/** The offer as this policy's, or a violation: a partner of another policy has nothing we could read. */
export function expectOffer<T extends Offer>(offer: Offer, policy: T["policy"]): T {
  if (offer.policy !== policy) throw new ProtocolViolation("mismatch", "offer.policy", offer.policy, `be ${policy}`);
  return offer as T;
}

export function expectFrames(frames: readonly Uint8Array[], count: number): void {
  if (frames.length !== count) throw new ProtocolViolation("mismatch", "frames", frames.length, `be ${count}`);
}
