import { type Peer, step } from "@coterie/core";
import { MOST_RENEWED } from "@coterie/core/internal";
import type { Entry } from "../store/store.ts";
import { renewed } from "./journal.ts";

/** 1 January 2026. */
const EPOCH_MS = 1_767_225_600_000;

/**
 * Others may hold records of this peer that it does not know of any more, or other records than it would publish next
 * under the same version; `most`: so many more than it knows of. Sixteenths of a second since 2026 are above them all: a
 * peer publishes when it has seen a tenth more than before, so never so often for long.
 *
 *     version = max(own + most, (date - 2026) / 62.5 ms)
 */
export function renew(peer: Peer, most: number, date: number): Entry[] {
  const { learner } = peer;
  if (learner.renew === undefined) return [];
  const clock = Math.floor((date - EPOCH_MS) / 62.5);
  const version = Math.min(MOST_RENEWED, Math.max((learner.heritage?.().version ?? 0) + most, clock));
  step(peer, { kind: "renew", version });
  return [renewed(version)];
}
