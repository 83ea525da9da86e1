import { check } from "@coterie/core";
import type { NetworkFactory, Room } from "../link/network.ts";
import { Libp2pNetwork } from "./network.ts";
import { createNode } from "./node.ts";
import { checkOptions, FIELDS, type Libp2pOptions } from "./options.ts";

export { type NetworkEvent, type NetworkViolation, RefusedError } from "./events.ts";
export { type Hub, startHub } from "./hub.ts";
export type { HubOptions } from "./hubOptions.ts";
export { PROTOCOL } from "./limits.ts";
export { Libp2pNetwork } from "./network.ts";
export type { Libp2pOptions } from "./options.ts";

/** Peers that talk over libp2p: TCP, encrypted and authenticated by Noise; WebSockets where an address asks for it. */
export function libp2p(options: Libp2pOptions = {}): NetworkFactory<Libp2pNetwork> {
  check.fields("options", options, FIELDS);
  const settings = checkOptions(options);
  const join = (room: Room): Promise<Libp2pNetwork> => Libp2pNetwork.join(settings, room, createNode);
  return Object.assign(join, { open: settings.roomKey === null });
}
