import type { Policy } from "@coterie/core";
import type { Check } from "../check.ts";
import { meetingChecks } from "./meetings.ts";
import { stateChecks } from "./state.ts";

/**
 * What any policy must pass before its peers run in the lab, on a disk or on a network: determinism, snapshots, a codec
 * that loses nothing, nothing shared, and typed complaints about what others send.
 */
export function policyCompliance(policy: Policy): Check[] {
  return policy.codec === null ? stateChecks(policy) : [...stateChecks(policy), ...meetingChecks(policy)];
}
