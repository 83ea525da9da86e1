/** Suites of checks: for those who write a policy, and for those who drive peers in a new way. */
export { type Check, ComplianceError, comply } from "./check.ts";
export { peerCompliance } from "./peer/compliance.ts";
export { overLibp2p } from "./peer/drivers/libp2p.ts";
export { Linked, type LinkedEnd, type Wires } from "./peer/drivers/linked.ts";
export { lockstep } from "./peer/drivers/lockstep.ts";
export { inMemory } from "./peer/drivers/memory.ts";
export type { Driver, Links, Stage, StageConfig } from "./peer/stage.ts";
export { policyCompliance } from "./policy/compliance.ts";
