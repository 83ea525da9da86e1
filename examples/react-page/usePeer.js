import { createPeer, flag, indexed, libp2p, number, oneHot, shared } from "@coterie/net/browser";
import { useEffect, useState } from "react";
import { kinds } from "./recipes.js";

/** Where peers meet, if the address names a hub: `?hub=/dns4/hub.example/tcp/443/wss`. */
const hub = new URLSearchParams(location.search).get("hub");

const open = (signal) =>
  createPeer({
    room: "what-to-cook",
    features: { kind: oneHot(kinds), minutes: number(0, 120), vegetarian: flag() },
    // All tabs of this browser are one peer.
    store: shared(indexed("what-to-cook")),
    ...(hub !== null && { network: libp2p({ bootstrap: [hub] }) }),
    signal,
  });

/**
 * A peer for as long as the component lives. In development React runs an effect, cleans up and runs it again at once: then the
 * second peer is opened while the first one is being closed. A shared store allows that.
 */
export function usePeer() {
  const [opened, setOpened] = useState({ peer: null, error: null });
  useEffect(() => {
    const ended = new AbortController();
    const opening = open(ended.signal);
    opening.then(
      (peer) => ended.signal.aborted || setOpened({ peer, error: null }),
      (error) => ended.signal.aborted || setOpened({ peer: null, error }),
    );
    return () => {
      ended.abort();
      opening.then(
        (peer) => peer.close(),
        () => {},
      );
    };
  }, []);
  return opened;
}
