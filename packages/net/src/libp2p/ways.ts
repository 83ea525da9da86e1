import type { PeerId } from "@coterie/core";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";

/** Whether everything on a connection to this address goes through a hub. Over WebRTC only its beginning does. */
export const isRelayed = (address: string): boolean => address.includes("/p2p-circuit") && !isTabToTab(address);
export const isTabToTab = (address: string): boolean => address.includes("/webrtc");

/** A peer's addresses in the order in which to try them: direct ones, tab to tab, and through a hub if nothing else. */
export function waysTo(peer: PeerId, addresses: readonly string[]): readonly (readonly Multiaddr[])[] {
  const rank = (address: string): number => (isRelayed(address) ? 2 : isTabToTab(address) ? 1 : 0);
  return [0, 1, 2]
    .map((wanted) => addresses.filter((it) => rank(it) === wanted).flatMap((it) => dialable(it, peer)))
    .filter(({ length }) => length > 0);
}

/** An address with the name of who must be there; none where it does not parse or names somebody else. */
function dialable(address: string, peer: PeerId): Multiaddr[] {
  try {
    const parsed = multiaddr(address);
    const last = parsed.getComponents().at(-1);
    if (last?.name !== "p2p") return [parsed.encapsulate(`/p2p/${peer}`)];
    return last.value === peer ? [parsed] : [];
  } catch {
    return [];
  }
}
