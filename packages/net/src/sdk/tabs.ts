import type { Ask } from "../host/asking.ts";
import type { PeerHost, TickOutcome } from "../host/host.ts";
import { LEAVING, type Member } from "../store/shared/member.ts";
import type { Settling } from "./settling.ts";
import type { TickRequest } from "./ticking.ts";

/** What a peer does for other tabs that share its store, and when it comes to own it. */
export interface TabConfig {
  readonly host: PeerHost;
  readonly settling: Settling;
  readonly tick: (request: TickRequest) => Promise<TickOutcome>;
  readonly adopt: (state: Uint8Array) => Promise<void>;
  /** Joins the network and begins to tick: this tab owns the store now. */
  readonly begin: () => Promise<void>;
  /** Whether the peer is being closed. */
  readonly closing: () => boolean;
  /** Some tab erases the store: `forget` where this one owns it. */
  readonly end: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** A peer as one of several tabs. */
export function memberOf({ host, settling, tick, adopt, begin, closing, end, onFailure }: TabConfig): Member {
  return {
    save: () => host.save(true),
    async serve(given) {
      const ask = given as Ask;
      // What has been asked before it closed is still written down.
      if (closing() && (ask.kind === "tick" || ask.kind === "adopt")) throw LEAVING;
      if (ask.kind === "tick") return tick(ask.partner === undefined ? {} : { partner: ask.partner });
      if (ask.kind === "adopt") return adopt(ask.state);
      return host.serve(ask);
    },
    hear: (entries) => host.hear(entries),
    load: (recovered, unanswered) =>
      host.load(recovered, () => {
        // Those that were not handed over yet are asked for too.
        settling.flush();
        return unanswered() as readonly Ask[];
      }),
    async own(recovered, served) {
      await host.own(recovered, () => {
        settling.flush();
        served();
      });
      if (!closing()) await begin();
    },
    fail: onFailure,
    end,
  };
}
