/** Suites of checks: for those who write a policy, and for those who drive peers in a new way. */
export { type Check, ComplianceError, comply } from "./check.ts";
export { peerCompliance } from "./peer/compliance.ts";
export { networkDriver } from "./peer/drivers/network.ts";
export type { Links, PeerDriver, Stage, StageConfig } from "./peer/stage.ts";
export { policyCompliance } from "./policy/compliance.ts";
