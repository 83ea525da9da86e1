import { ConfigError } from "../errors.ts";
import { log2 } from "../numbers/ln.ts";
import { atLeast, fields, join } from "../options.ts";

/** How long a slot stays in the buffer before it is promoted. */
export type Delay = { readonly factor: number; readonly networkExponent: number } | { readonly rounds: number };

export function parseDelay(field: string, value: unknown, networkExponent: number): Delay {
  if (value === undefined) return { factor: 4, networkExponent };
  const given = fields(field, value, ["factor", "networkExponent", "rounds"]);
  if (given.rounds !== undefined) {
    for (const name of ["factor", "networkExponent"]) {
      if (given[name] !== undefined)
        throw new ConfigError(join(field, name), given[name], "not be combined with rounds");
    }
    return { rounds: atLeast(join(field, "rounds"), given.rounds, 0) };
  }
  return {
    factor: atLeast(join(field, "factor"), given.factor, 0),
    networkExponent:
      given.networkExponent === undefined
        ? networkExponent
        : atLeast(join(field, "networkExponent"), given.networkExponent, 0),
  };
}

/** L(t) = factor · (networkExponent · log2 V + log2 t): the most slots a buffer holds after round t. Never falls. */
export function delayAt(delay: Delay, peers: number, round: number): number {
  if ("rounds" in delay) return delay.rounds;
  return delay.factor * (delay.networkExponent * log2(peers) + log2(round));
}
