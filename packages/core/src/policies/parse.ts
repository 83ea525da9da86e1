import type { CentralPolicy } from "../central/centre.ts";
import { club } from "../central/club.ts";
import { cofiba } from "../central/cofiba.ts";
import { oracle, pooled } from "../central/pooled.ts";
import { sclub } from "../central/sclub.ts";
import { ConfigError } from "../errors.ts";
import { oneOf } from "../options.ts";
import type { Policy } from "../peer/learner.ts";
import { dcb } from "./dcb.ts";
import { dccb } from "./dccb.ts";
import { kindred } from "./kindred.ts";
import { random } from "./random.ts";
import { roundRobin } from "./roundRobin.ts";
import { solo } from "./solo.ts";

/** Every policy by its name in files and on the command line. */
const POLICIES = {
  random,
  solo,
  pooled,
  oracle,
  club,
  sclub,
  cofiba,
  dcb,
  dccb,
  "round-robin": roundRobin,
  kindred,
} as const satisfies Record<string, (options?: never) => Policy | CentralPolicy>;

/** The name of a policy in files and on the command line. */
export type PolicyKind = keyof typeof POLICIES;

/** All of them. */
export const policyKinds = Object.keys(POLICIES) as readonly PolicyKind[];

/** A policy from plain data, `{ kind, …options }`; the message of an error names the place below `field`. */
export function parsePolicy(field: string, value: Readonly<Record<string, unknown>>): Policy | CentralPolicy {
  if (typeof value !== "object" || value === null) throw new ConfigError(field, value, "be an object");
  const { kind, ...options } = value;
  const make = POLICIES[oneOf(`${field}.kind`, kind, policyKinds)] as (options: object) => Policy | CentralPolicy;
  try {
    return make(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${field}.${error.field}`, error.value, error.bound);
  }
}

/** Does it need a centre? */
export const isCentral = (policy: Policy | CentralPolicy): policy is CentralPolicy => "createCentre" in policy;
