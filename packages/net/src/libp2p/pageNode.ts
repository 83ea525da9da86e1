import { webSockets } from "@libp2p/websockets";
import { createLibp2p } from "libp2p";
import type { Room } from "../link/network.ts";
import { baseOptions, type CreateNode, defineWithResolvers, keyFrom, wall } from "./base.ts";
import { Cut } from "./cut.ts";
import { mayDialFromPage } from "./gate.ts";
import { Libp2pNetwork } from "./network.ts";
import type { Libp2pSettings } from "./options.ts";
import type { PageTransport } from "./page.ts";
import { withoutNotes } from "./peerStore.ts";
import { Relay } from "./relay.ts";

/** Joins a room from a tab, and leaves it with the page. */
export async function joinFromPage(
  settings: Libp2pSettings,
  room: Room,
  transports: readonly PageTransport[],
  insecure: boolean,
): Promise<Libp2pNetwork> {
  const network = await Libp2pNetwork.join(settings, room, pageNode(transports, insecure));
  followPage(network);
  return network;
}

/**
 * A page that is closed, or that its user leaves, says goodbye while it still can. One that the browser only put aside (its
 * back/forward cache) goes on when it is shown again.
 */
function followPage(network: Libp2pNetwork): void {
  const { ended: signal } = network;
  addEventListener("pagehide", () => network.hide(), { signal });
  addEventListener("pageshow", ({ persisted }) => (persisted ? network.show() : undefined), { signal });
}

function pageNode(transports: readonly PageTransport[], insecure: boolean): CreateNode {
  return async (settings) => {
    defineWithResolvers();
    const relay = new Relay(transports.map(({ suffix }) => suffix));
    const cut = new Cut();
    const key = await keyFrom(settings.privateKey);
    const libp2p = withoutNotes(
      await createLibp2p({
        ...baseOptions(key, wall(settings.connections)),
        addresses: { listen: [] },
        transports: [webSockets(), relay.transport, ...transports.map(({ transport }) => transport)],
        connectionGater: { denyDialMultiaddr: (address) => !mayDialFromPage(address, insecure), ...cut.gater },
      }),
    );
    const ways = transports.map(({ suffix }) => suffix);
    const mayDial = (address: string): boolean =>
      mayDialFromPage(address, insecure) && (!address.includes("/webrtc") || ways.includes("/webrtc"));
    return { libp2p, key, relay, cut, arrivals: null, mayDial };
  };
}
