/** The peer as a pure state machine. What other packages of Coterie use beyond this is in `internal.ts`, which promises nothing. */

import { useLongVectors } from "./policies/longVectors.ts";

// A peer: `step` is the only way to change it.
export { type Arms, armsFrom } from "./bandit/arms.ts";
export type { ChoiceRule } from "./bandit/choice.ts";
// To write a policy.
export { Local } from "./bandit/local.ts";
// Policies.
export type { CentralPolicy } from "./central/centre.ts";
// Errors.
export { ConfigError, InvariantError, ProtocolViolation } from "./errors.ts";
// What other policies would have earned, from a log of decisions.
export { assign } from "./evaluate/assign.ts";
export { toDsjson } from "./evaluate/dsjson.ts";
export type { ChoiceEntry, LogEntry, OutcomeEntry } from "./evaluate/entry.ts";
export type { Estimate } from "./evaluate/estimators.ts";
export { type EvaluateOptions, evaluate } from "./evaluate/evaluate.ts";
export type { Evaluation } from "./evaluate/evaluator.ts";
export { parseLog } from "./evaluate/line.ts";
export { OverlapError } from "./evaluate/overlap.ts";
export { type ShadowReport, shadowReport } from "./evaluate/shadow.ts";
export type { TargetReport } from "./evaluate/tally.ts";
export type { TargetSpec } from "./evaluate/targets.ts";
export { compareVariants, type VariantsReport } from "./evaluate/variants.ts";
// Many peers in lockstep; traces with one right answer.
export { createFleet, type Fleet, type FleetConfig } from "./fleet/fleet.ts";
export type { PeerId } from "./gossip/neighbourhood.ts";
export type { KindredOptions } from "./kindred/options.ts";
export { Reader, Writer } from "./numbers/bytes.ts";
export { Random } from "./numbers/random.ts";
export * as check from "./options.ts";
export type { Effect } from "./peer/effects.ts";
export type { Learner, LearnerView, Offer, OfferCodec, Outcome, Policy } from "./peer/learner.ts";
export { type Input, initialPeer, type Peer, type PeerConfig, step } from "./peer/peer.ts";
export { fromSnapshot, snapshot } from "./peer/snapshot.ts";
export { type DcbOptions, dcb } from "./policies/dcb.ts";
export { type DccbOptions, dccb } from "./policies/dccb.ts";
export { kindred } from "./policies/kindred.ts";
export { isCentral, parsePolicy, policyKinds } from "./policies/parse.ts";
export { random } from "./policies/random.ts";
export { roundRobin } from "./policies/roundRobin.ts";
export { solo } from "./policies/solo.ts";
export { Unsociable } from "./policies/unsociable.ts";
export { replay } from "./replay/replay.ts";
export { parseTrace, type Trace } from "./replay/trace.ts";
export type { WireLimits } from "./wire/frame.ts";
export { readLocal, writeLocal } from "./wire/state.ts";

// Of this file itself bundlers take nothing, so that pages have it only where they ask for it.
useLongVectors();
