import { ConfigError, type PageTransport } from "@coterie/net/browser";
import { webRTC } from "@libp2p/webrtc";

export interface WebrtcOptions {
  /**
   * Servers that tell a tab its address as others see it (STUN), or that pass its traffic on (TURN). None unless given:
   * then nothing leaves the network that the tabs are in, and tabs behind different routers go through the hub's relay.
   */
  readonly iceServers?: readonly RTCIceServer[];
}

/**
 * Tab to tab, for `libp2p({ transports: [webrtc()] })` of a browser. A hub's relay carries the first words only; what
 * follows goes from tab to tab, and goes on when the hub is gone.
 */
export function webrtc({ iceServers = [] }: WebrtcOptions = {}): PageTransport {
  if (!Array.isArray(iceServers)) throw new ConfigError("iceServers", iceServers, "be a list of RTCIceServer");
  if (typeof RTCPeerConnection === "undefined") {
    throw new ConfigError("webrtc", "a place without RTCPeerConnection", "be used in a browser's tab");
  }
  return { transport: webRTC({ rtcConfiguration: { iceServers: [...iceServers] } }), suffix: "/webrtc" };
}
