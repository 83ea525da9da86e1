/** What the other packages of Coterie use of core beyond its main entry. It promises nothing: any release may change it. */
export { checkArms } from "./bandit/arms.ts";
export { Ball, REFRESH_EVERY } from "./bandit/ball.ts";
export { Chooser } from "./bandit/choice.ts";
export type { BallOptions } from "./bandit/options.ts";
export { type Radius, radiusAt } from "./bandit/radius.ts";
export { Statistics } from "./bandit/statistics.ts";
export type { Centre } from "./central/centre.ts";
export { oracle, pooled } from "./central/pooled.ts";
export { assert, type ViolationReason } from "./errors.ts";
export { LOG_VERSION, type LoggedItem } from "./evaluate/entry.ts";
export { Evaluator } from "./evaluate/evaluator.ts";
export { Joiner } from "./evaluate/join.ts";
export { parseLine } from "./evaluate/line.ts";
export { checkPropensities } from "./evaluate/propensity.ts";
export { ShadowTally } from "./evaluate/shadow.ts";
export { type LogShape, Survey } from "./evaluate/survey.ts";
export { TARGET_NAMES } from "./evaluate/targets.ts";
export { VariantsTally } from "./evaluate/variants.ts";
export { CentralFleet } from "./fleet/central.ts";
export type { FleetTraffic } from "./fleet/fleet.ts";
export type { OfferedTurn } from "./fleet/offered.ts";
export { PeerFleet } from "./fleet/peers.ts";
export { type Delay, delayAt } from "./gossip/delay.ts";
export { Neighbourhood, sameDigest } from "./gossip/neighbourhood.ts";
export { Pairer, type Pairing } from "./gossip/pairing.ts";
export { distance, type Threshold, thresholdAt } from "./gossip/threshold.ts";
export { type PeerRecord, publish } from "./kindred/record.ts";
export {
  type Accelerator,
  accelerate,
  accelerator,
  type Fit,
  LEAST_DIMENSION,
  type Ridge,
} from "./numbers/accelerator.ts";
export { exp } from "./numbers/exp.ts";
export { Factor } from "./numbers/factor.ts";
export { hashText } from "./numbers/hash.ts";
export { ln, log2 } from "./numbers/ln.ts";
export { normalBelow, normalReach, studentReach } from "./numbers/normal.ts";
export { addObservation, slotSize, traceOf, triangleSize } from "./numbers/packed.ts";
export { type Carry, carryHeritage, carryVector, type Term } from "./peer/carry.ts";
export { checkHeritage, MOST_RENEWED } from "./peer/heritage.ts";
export type { Heritage, OfferedRecords } from "./peer/learner.ts";
export { checkPartners, meetPair } from "./peer/lockstep.ts";
export { begin, chooseArm, scoreArms, work } from "./peer/peer.ts";
export { writeSnapshot } from "./peer/snapshot.ts";
export type { DcbOffer } from "./policies/dcb.ts";
export type { DccbOffer, Sharing } from "./policies/dccb.ts";
export type { KindredOffer } from "./policies/kindredOffer.ts";
export type { PolicyKind } from "./policies/parse.ts";
export { HEADER_BYTES, WIRE_VERSION } from "./wire/frame.ts";
export { bytesOfSlots, greetingBytes } from "./wire/payload.ts";
export { decodeRecords, encodeRecords, recordBody } from "./wire/records.ts";
