export { type Arms, armsFrom, checkArms } from "./bandit/arms.ts";
export { Ball, REFRESH_EVERY } from "./bandit/ball.ts";
export { type Choice, Chooser } from "./bandit/choice.ts";
export { Local } from "./bandit/local.ts";
export type { BallOptions } from "./bandit/options.ts";
export { type Radius, radiusAt } from "./bandit/radius.ts";
export { Statistics } from "./bandit/statistics.ts";
export type { CentralPolicy, Centre } from "./central/centre.ts";
export { type ClubOptions, club } from "./central/club.ts";
export { type CofibaOptions, cofiba } from "./central/cofiba.ts";
export { oracle, pooled } from "./central/pooled.ts";
export { type SclubOptions, sclub } from "./central/sclub.ts";
export { assert, ConfigError, InvariantError, ProtocolViolation, type ViolationReason } from "./errors.ts";
export * from "./evaluate/index.ts";
export { CentralFleet } from "./fleet/central.ts";
export { createFleet, type Fleet, type FleetConfig, type Traffic } from "./fleet/fleet.ts";
export type { Offered } from "./fleet/offered.ts";
export { PeerFleet } from "./fleet/peers.ts";
export { type Delay, delayAt } from "./gossip/delay.ts";
export { Neighbourhood, type PeerId, sameDigest } from "./gossip/neighbourhood.ts";
export { Pairer, type Pairing } from "./gossip/pairing.ts";
export { distance, type Threshold, thresholdAt } from "./gossip/threshold.ts";
export type { Weight } from "./gossip/weight.ts";
export type { KindredOptions } from "./kindred/options.ts";
export { publish, type Record } from "./kindred/record.ts";
export { type Accelerator, accelerate, type Fit, type Ridge } from "./numbers/accelerator.ts";
export { type Complain, type Field, Reader, Writer } from "./numbers/bytes.ts";
export { exp } from "./numbers/exp.ts";
export { Factor } from "./numbers/factor.ts";
export { hashText } from "./numbers/hash.ts";
export { ln, log2 } from "./numbers/ln.ts";
export { addObservation, slotSize, toDense, traceOf, triangleSize } from "./numbers/packed.ts";
export { Random } from "./numbers/random.ts";
export * as check from "./options.ts";
export { type Carry, carryHeritage, carryVector, type Term } from "./peer/carry.ts";
export type { Effect, Effects } from "./peer/effects.ts";
export { checkHeritage, MOST_RENEWED } from "./peer/heritage.ts";
export type {
  Heritage,
  Learner,
  LearnerView,
  Offer,
  OfferCodec,
  OfferedRecords,
  Outcome,
  Policy,
} from "./peer/learner.ts";
export { checkPartners, meetAll, meetPair } from "./peer/lockstep.ts";
export { createPeer, type Input, type Peer, type PeerConfig, scoreArms, step } from "./peer/peer.ts";
export { restore, snapshot } from "./peer/snapshot.ts";
export { type DcbOffer, type DcbOptions, dcb } from "./policies/dcb.ts";
export { type DccbOffer, type DccbOptions, dccb, type Sharing } from "./policies/dccb.ts";
export { kindred } from "./policies/kindred.ts";
export type { KindredOffer } from "./policies/kindredOffer.ts";
export { isCentral, type PolicyKind, parsePolicy, policyKinds } from "./policies/parse.ts";
export { random } from "./policies/random.ts";
export { type RoundRobinOffer, roundRobin } from "./policies/roundRobin.ts";
export { solo } from "./policies/solo.ts";
export { Unsociable } from "./policies/unsociable.ts";
export { type Answer, type AnswerRound, replay } from "./replay/replay.ts";
export { parseTrace, type Trace } from "./replay/trace.ts";
export { HEADER_BYTES, type Precision, refusal, WIRE_VERSION, type WireLimits } from "./wire/frame.ts";
export { bytesOfSlots, greetingBytes } from "./wire/payload.ts";
export { decodeRecords, encodeRecords, recordBody } from "./wire/records.ts";
export { readLocal, writeLocal } from "./wire/state.ts";
