import { check } from "@coterie/core";
import { webSockets } from "@libp2p/websockets";
import { createLibp2p, type Libp2pOptions as NodeOptions } from "libp2p";
import type { NetworkFactory, Room } from "../link/network.ts";
import { baseOptions, type CreateNode, defineWithResolvers, keyFrom, wall } from "./base.ts";
import { Cut } from "./cut.ts";
import { checkPageAddresses, mayDialFromPage } from "./gate.ts";
import { Libp2pNetwork } from "./network.ts";
import { checkOptions, type Libp2pOptions } from "./options.ts";
import { Relay } from "./relay.ts";

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
  "privateKey",
  "connections",
  "messageBytes",
  "onEvent",
  "transports",
  "insecure",
] as const;

/** Peers that talk over libp2p from a browser tab: over WebSockets to a hub, and through it to everybody else. */
export function libp2p(options: PageOptions = {}): NetworkFactory<Libp2pNetwork> {
  check.fields("options", options, FIELDS);
  const { transports = [], insecure = false, ...rest } = options;
  const settings = checkOptions({ ...rest, listen: [], relay: true });
  checkPageAddresses("bootstrap", settings.bootstrap, insecure);
  checkPageAddresses("hubs", settings.hubs, insecure);
  const createNode = pageNode(transports, insecure);
  const join = (room: Room): Promise<Libp2pNetwork> => Libp2pNetwork.join(settings, room, createNode);
  return Object.assign(join, { open: settings.roomKey === null });
}

function pageNode(transports: readonly PageTransport[], insecure: boolean): CreateNode {
  return async (settings) => {
    defineWithResolvers();
    const relay = new Relay(transports.map(({ suffix }) => suffix));
    const cut = new Cut();
    const key = await keyFrom(settings.privateKey);
    const libp2p = await createLibp2p({
      ...baseOptions(key, wall(settings.connections)),
      addresses: { listen: [] },
      transports: [webSockets(), relay.transport, ...transports.map(({ transport }) => transport)],
      connectionGater: { denyDialMultiaddr: (address) => !mayDialFromPage(address, insecure), ...cut.gater },
    });
    const ways = transports.map(({ suffix }) => suffix);
    const mayDial = (address: string): boolean =>
      mayDialFromPage(address, insecure) && (!address.includes("/webrtc") || ways.includes("/webrtc"));
    return { libp2p, key, relay, cut, mayDial };
  };
}
