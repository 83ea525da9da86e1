import type { PeerEvent } from "@coterie/net";
import type { NetworkEvent } from "@coterie/net/internal";
import type { Log, LogFields, LogLevel } from "./log.ts";

type Line = readonly [level: LogLevel, message: string, fields: LogFields];
/** How each kind of event is written down; a kind that is not here is not. */
type Lines<E extends { readonly kind: string }> = {
  readonly [K in E["kind"]]?: (event: Extract<E, { readonly kind: K }>) => Line;
};

/** What is as it should be; else somebody may want to know. */
const EXPECTED: readonly string[] = ["learned", "noted", "duplicate"];

/** What happens at every tick is for debugging. */
const OF_PEER: Lines<PeerEvent> = {
  exchange: ({ side, partner, verdict, round }) =>
    verdict === "given-up"
      ? ["warn", "exchange given up", { side, partner, verdict, round }]
      : ["debug", "exchange", { side, partner, verdict, round }],
  prune: ({ partner }) => ["info", "parted", { partner }],
  neighbourhood: ({ members, near }) => ["info", "neighbourhood", { members, near }],
  violation: ({ partner, reason, message }) => ["warn", "violation", { partner, cause: reason, detail: message }],
  distrust: ({ what, who }) => ["warn", "distrust", { what, who }],
  repaired: ({ reason, keptAt, restored }) =>
    restored ? ["warn", "store restored", { reason, keptAt }] : ["error", "store repaired", { reason, keptAt }],
  regained: ({ own, before }) => ["warn", "observations regained", { own, before }],
  upgraded: ({ from, to, dropped }) => ["warn", "state upgraded", { from, to, dropped }],
  migrated: ({ changes, kept, fresh, gone }) => {
    const fields = { changes: changes.join("; "), kept: kept.length, fresh: fresh.length, gone: gone.length };
    return ["warn", "state migrated", fields];
  },
  misfit: ({ who, count }) => {
    const detail = "same room, but other features, policy, tickets or version";
    return ["warn", "misfit", { who, count, detail }];
  },
  "bad-item": ({ message }) => ["warn", "item left out", { detail: message }],
  dropped: ({ count, most, message }) => ["warn", "choices dropped", { count, most, detail: message }],
  reported: ({ what, chooser, answer }) => {
    return [EXPECTED.includes(answer) ? "debug" : "warn", "reported", { what, chooser, answer }];
  },
  warning: ({ features, message }) => ["warn", "warning", { features, detail: message }],
  failure: ({ error }) => ["error", "failure", { error }],
};

const OF_NETWORK: Lines<NetworkEvent> = {
  "open-room": ({ message }) => ["warn", "open room", { detail: message }],
  refused: ({ peer, by, reason, limit }) => {
    return ["warn", "refused", { peer, by, reason, ...(limit !== undefined && { limit }) }];
  },
  violation: ({ peer, cause }) => ["warn", "violation", { peer, cause }],
  misfits: ({ hub, count }) => {
    const detail = "same room, but other features, policy, tickets or key";
    return ["warn", "misfits", { hub, count, detail }];
  },
  unreachable: ({ address, message }) => ["warn", "unreachable", { address, detail: message }],
  "no-multicast": ({ message }) => ["warn", "no multicast", { detail: message }],
};

function write(log: Log, line: Line | undefined): void {
  if (line !== undefined) log[line[0]](line[1], line[2]);
}

/** A peer's events as lines of its log. */
export function logPeer(log: Log, event: PeerEvent): void {
  write(log, (OF_PEER[event.kind] as ((event: PeerEvent) => Line) | undefined)?.(event));
}

/** The same for what a network notices, a hub's too. */
export function logNetwork(log: Log, event: NetworkEvent): void {
  write(log, (OF_NETWORK[event.kind] as ((event: NetworkEvent) => Line) | undefined)?.(event));
}
