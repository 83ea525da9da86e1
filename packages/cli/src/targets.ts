import { ConfigError, isCentral, type Policy, parsePolicy, policyKinds, type TargetSpec } from "@coterie/core";
import { TARGET_NAMES } from "@coterie/core/internal";

/** Policies that one peer can be asked about alone: with a centre or in a ring they cannot. */
const KINDS = policyKinds.filter((kind) => {
  const policy = parsePolicy("policy", { kind });
  return !isCentral(policy) && policy.pairing !== "ring";
});

const BOUND = `be logged, ${TARGET_NAMES.join(", ")}, item=NAME, or a policy: ${KINDS.join(", ")}, or {"kind": …}`;

/** What `--target` names: nothing for `logged`, of which only what was earned is said. */
export function parseTarget(given: string): TargetSpec | null {
  if (given === "logged") return null;
  const word = TARGET_NAMES.find((name) => name === given);
  if (word !== undefined) return word;
  if (given.startsWith("item=") && given.length > 5) return { item: given.slice(5) };
  return policyOf(given);
}

function policyOf(given: string): Policy {
  const value = given.trimStart().startsWith("{") ? parseJson(given) : { kind: given };
  const { kind } = (value ?? {}) as { kind?: unknown };
  if (!KINDS.some((known) => known === kind)) throw new ConfigError("--target", given, BOUND);
  const policy = parsePolicy("--target", value as Record<string, unknown>);
  if (isCentral(policy)) throw new ConfigError("--target", given, BOUND);
  return policy;
}

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new ConfigError("--target", given, BOUND);
  }
}
