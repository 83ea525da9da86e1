export type { Notary } from "../identity/signature.ts";
export type { Claim, News, SignedEntry } from "./entry.ts";
export { heartbeatMs, MEMBERSHIP_LIMITS, ROUNDS_PER_HEARTBEAT, removeMs, suspectMs } from "./limits.ts";
export { Membership, type MembershipEvent } from "./membership.ts";
export type { Bulletin, Pulse } from "./pulse.ts";
export { heartbeat, type Received, receive } from "./receive.ts";
