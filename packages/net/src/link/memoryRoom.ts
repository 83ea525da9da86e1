import { ConfigError, type PeerId } from "@coterie/core";
import type { MemoryNetwork } from "./memory.ts";
import type { Network, NetworkFactory } from "./network.ts";

type Listener = Parameters<Network["onMembers"]>[0];

/** The members of one room within a process, each with those who want to hear of others. */
type Members = Map<PeerId, Set<Listener>>;

const ROOMS = new WeakMap<MemoryNetwork, Map<string, Members>>();

/**
 * A network within one process, for tests and for many peers side by side. Everybody attached to the room is alive, and
 * all of them know at once. Each call of `memory` is one place: a peer that comes back to it has the same name, by default
 * that of its key.
 */
export function memory(network: MemoryNetwork, self?: PeerId): NetworkFactory {
  const rooms = ROOMS.get(network) ?? new Map<string, Members>();
  ROOMS.set(network, rooms);
  return async ({ name, identity, signal }) => {
    signal?.throwIfAborted();
    const members = rooms.get(name) ?? new Map<PeerId, Set<Listener>>();
    rooms.set(name, members);
    self ??= identity?.id ?? unused(members);
    if (members.has(self)) throw new ConfigError("network.self", self, `be a name that is not used in room ${name}`);
    return attach(network, members, self);
  };
}

function attach(network: MemoryNetwork, members: Members, self: PeerId): Network {
  const tell = (kind: "joined" | "left"): void => {
    for (const [peer, listeners] of members)
      if (peer !== self) for (const changed of listeners) changed({ kind, peer: self });
  };
  const mine = new Set<Listener>();
  members.set(self, mine);
  const link = network.link(self);
  tell("joined");
  return {
    self,
    link,
    alive: () => [...members.keys()].filter((peer) => peer !== self).sort(),
    onMembers(changed) {
      mine.add(changed);
      return () => mine.delete(changed);
    },
    async close() {
      if (members.get(self) !== mine) return;
      members.delete(self);
      tell("left");
      await link.close();
    },
  };
}

function unused(members: Members): PeerId {
  let k = 1;
  while (members.has(`peer-${k}`)) k += 1;
  return `peer-${k}`;
}
