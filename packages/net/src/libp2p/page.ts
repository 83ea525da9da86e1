import { check } from "@coterie/core";
import type { Libp2pOptions as NodeOptions } from "libp2p";
import type { NetworkFactory, Room } from "../link/network.ts";
import { checkPageAddresses } from "./gate.ts";
import type { Libp2pNetwork } from "./network.ts";
import { checkOptions, type Libp2pOptions } from "./options.ts";

/** A further way to connect, from another package. */
export interface PageTransport {
  readonly transport: NonNullable<NodeOptions["transports"]>[number];
  /** What an address that goes through a hub becomes over it: `/webrtc` behind `/p2p-circuit`. */
  readonly suffix: string;
}

/** How a peer in a tab reaches others. */
export interface PageOptions extends Omit<Libp2pOptions, "listen" | "relay" | "mdns"> {
  /** Ways to connect beside WebSockets and a hub's relay. */
  readonly transports?: readonly PageTransport[];
  /** Also dials WebSockets that are not encrypted, and private addresses beyond this machine. */
  readonly insecure?: boolean;
}

const FIELDS = [
  "bootstrap",
  "hubs",
  "roomKey",
  "tickets",
  "privateKey",
  "connections",
  "messageBytes",
  "onEvent",
  "transports",
  "insecure",
] as const;

/**
 * Peers that talk over libp2p from a browser tab: over WebSockets to a hub, and through it to everybody else. libp2p itself is
 * loaded when the room is joined, so that it is no part of what a page has to load at once.
 */
export function libp2p(options: PageOptions = {}): NetworkFactory<Libp2pNetwork> {
  check.fields("options", options, FIELDS);
  const { transports = [], insecure = false, ...rest } = options;
  const settings = checkOptions({ ...rest, listen: [], relay: true });
  checkPageAddresses("bootstrap", settings.bootstrap, insecure);
  checkPageAddresses("hubs", settings.hubs, insecure);
  const join = async (room: Room): Promise<Libp2pNetwork> => {
    const { joinFromPage } = await import("./pageNode.ts");
    return joinFromPage(settings, room, transports, insecure);
  };
  return Object.assign(join, { open: settings.roomKey === null });
}
