import { type PeerDiscovery, peerDiscoverySymbol } from "@libp2p/interface";
import { tcp } from "@libp2p/tcp";
import { webSockets } from "@libp2p/websockets";
import { createLibp2p } from "libp2p";
import { WebSocket } from "ws";
import { ArrivalLimit } from "./arrivals.ts";
import { baseOptions, defineWithResolvers, keyFrom, type Libp2pNode, wall } from "./base.ts";
import { Cut } from "./cut.ts";
import { guarded } from "./entrance.ts";
import { type DiscoveryComponents, LocalDiscovery } from "./localDiscovery.ts";
import { Names } from "./names.ts";
import { noiseKeys } from "./noiseKeys.ts";
import type { Libp2pSettings } from "./options.ts";
import { withoutNotes } from "./peerStore.ts";
import { Relay } from "./relay.ts";

/** A libp2p node as a peer on Node needs it. */
export async function createNode(settings: Libp2pSettings, tag: string): Promise<Libp2pNode> {
  prepare();
  const relay = new Relay();
  const cut = new Cut();
  const arrivals = new ArrivalLimit();
  const names = new Names([...settings.bootstrap, ...settings.hubs]);
  const key = await keyFrom(settings.privateKey);
  const libp2p = withoutNotes(
    await createLibp2p({
      ...baseOptions(key, wall(settings.connections), { crypto: noiseKeys }),
      addresses: { listen: [...settings.listen] },
      transports: [guarded(tcp(), arrivals), guarded(webSockets(), arrivals), relay.transport],
      peerDiscovery: settings.mdns ? [(parts) => localDiscovery(parts, tag, settings)] : [],
      // Rooms are found on a LAN and on one machine too: whether an address is one to dial the node decides.
      connectionGater: { denyDialMultiaddr: (address) => names.denies(address), ...cut.gater },
    }),
  );
  return { libp2p, key, relay, cut, arrivals, mayDial };
}

function localDiscovery(parts: DiscoveryComponents, tag: string, { onEvent }: Libp2pSettings): PeerDiscovery {
  const failed = (message: string): void => onEvent({ kind: "no-multicast", message });
  return new LocalDiscovery(parts, `_coterie-${tag}._udp.local`, failed)[peerDiscoverySymbol];
}

/** WebRTC is for tabs. */
const mayDial = (address: string): boolean => !address.includes("/webrtc");

/** What libp2p needs and Node 20 lacks; whatever is there already stays. */
export function prepare(): void {
  defineWithResolvers();
  if (!("WebSocket" in globalThis)) Object.assign(globalThis, { WebSocket: PageSocket });
}

/**
 * As on a page: an error that nobody listens for ends the socket and nothing else. libp2p leaves a socket behind when it gives
 * up a dial; refused after that, it would end the process.
 */
class PageSocket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols);
    this.on("error", () => {});
  }
}
