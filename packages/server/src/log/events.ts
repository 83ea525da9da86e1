import type { PeerEvent } from "@coterie/net";
import type { NetworkEvent } from "@coterie/net/internal";
import type { Log } from "./log.ts";

/** A peer's events as lines of its log. What happens at every tick is for debugging. */
export function logPeer(log: Log, event: PeerEvent): void {
  switch (event.kind) {
    case "exchange": {
      const { side, partner, verdict, round } = event;
      const fields = { side, partner, verdict, round };
      if (verdict === "given-up") log.warn("exchange given up", fields);
      else log.debug("exchange", fields);
      return;
    }
    case "prune":
      log.info("parted", { partner: event.partner });
      return;
    case "neighbourhood":
      log.info("neighbourhood", { members: event.members, near: event.near });
      return;
    case "violation":
      log.warn("violation", { partner: event.partner, cause: event.reason, detail: event.message });
      return;
    case "repaired":
      log.error("store repaired", { reason: event.reason, keptAt: event.keptAt });
      return;
    case "regained":
      log.warn("observations regained", { own: event.own, before: event.before });
      return;
    case "upgraded":
      log.warn("state upgraded", { from: event.from, to: event.to, dropped: event.dropped });
      return;
    case "migrated": {
      const { changes, kept, fresh, gone } = event;
      log.warn("state migrated", {
        changes: changes.join("; "),
        kept: kept.length,
        fresh: fresh.length,
        gone: gone.length,
      });
      return;
    }
    case "misfit":
      log.warn("misfit", {
        who: event.who,
        count: event.count,
        detail: "same room, but other features, policy or version",
      });
      return;
    case "bad-item":
      log.warn("item left out", { detail: event.message });
      return;
    case "dropped":
      log.warn("choices dropped", { count: event.count, most: event.most, detail: event.message });
      return;
    case "reported": {
      const { what, chooser, answer } = event;
      const fields = { what, chooser, answer };
      if (answer === "learned" || answer === "noted" || answer === "duplicate") log.debug("reported", fields);
      else log.warn("reported", fields);
      return;
    }
    case "warning":
      log.warn("warning", { features: event.features, detail: event.message });
      return;
    case "failure":
      log.error("failure", { error: event.error });
  }
}

/** The same for what a network notices, a hub's too. */
export function logNetwork(log: Log, event: NetworkEvent): void {
  switch (event.kind) {
    case "open-room":
      log.warn("open room", { detail: event.message });
      return;
    case "refused":
      log.warn("refused", {
        ...{ peer: event.peer, by: event.by, reason: event.reason },
        ...(event.limit !== undefined && { limit: event.limit }),
      });
      return;
    case "violation":
      log.warn("violation", { peer: event.peer, cause: event.cause });
      return;
    case "misfits":
      log.warn("misfits", {
        hub: event.hub,
        count: event.count,
        detail: "same room, but other features, policy or key",
      });
      return;
    case "unreachable":
      log.warn("unreachable", { address: event.address, detail: event.message });
  }
}
