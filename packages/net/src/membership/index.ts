export type { Notary } from "../identity/signature.ts";
export type { Bulletin, Claim, MembershipEvent, News, Occasion, SignedEntry } from "./entry.ts";
export { EXPIRE_MS, KIN_EXPIRE_MS, MEMBERSHIP_LIMITS, roundMs, SWAP_SIZE, VIEW_SIZE } from "./limits.ts";
export { Membership } from "./membership.ts";
export { genuine, signedBy } from "./receive.ts";
