import type { Connection, Connections } from "./connections.ts";
import { INBOUND_IN_DOUBT, INBOUND_PER_PREFIX } from "./limits.ts";
import type { Scores } from "./scores.ts";

/**
 * How many may call from one address prefix, of those that have not answered an exchange yet: whoever has an address can call under
 * any number of names. From a prefix in doubt few are heard.
 */
export class Inbound {
  constructor(
    readonly connections: Connections,
    readonly scores: Scores,
  ) {}

  /** Whether a connection that just opened is one too many. */
  isTooMany({ peer, outbound }: Connection): boolean {
    const { prefix } = this.connections.via(peer);
    if (outbound !== false || prefix === null || this.scores.stands(peer)) return false;
    const most = this.scores.doubts(`from ${prefix}`) > 1 ? INBOUND_IN_DOUBT : INBOUND_PER_PREFIX;
    return this.#strangers(prefix).length > most;
  }

  /** Those too many from prefixes that came into doubt. */
  excess(): Connection[] {
    return this.scores.doubted().flatMap((prefix) => this.#strangers(prefix).slice(INBOUND_IN_DOUBT));
  }

  #strangers(prefix: string): Connection[] {
    return this.connections.from(prefix).filter(({ peer }) => !this.scores.stands(peer));
  }
}
