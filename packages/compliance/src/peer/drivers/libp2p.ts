import { libp2p } from "@coterie/net";
import { networkDriver } from "./network.ts";

const LISTEN = ["/ip4/127.0.0.1/tcp/0"];

/** Real peers over TCP on this machine, encrypted and authenticated. */
export const overLibp2p = networkDriver("libp2p on TCP", () => {
  let bootstrap: readonly string[] = [];
  return async (room) => {
    const network = await libp2p({ listen: LISTEN, bootstrap })(room);
    if (bootstrap.length === 0) bootstrap = network.addresses();
    return network;
  };
});
