import type { PeerId } from "@coterie/core";
import { type Libp2pNetwork, type Libp2pOptions, libp2p } from "../index.ts";

export const ROOM = { name: "front-page", agreement: "a".repeat(64) };
export const LOCAL = ["/ip4/127.0.0.1/tcp/0"];

/** A peer on this machine that answers a request with its reversed bytes. */
export async function join(options: Libp2pOptions = {}, room = ROOM): Promise<Libp2pNetwork> {
  const network = await libp2p({ listen: LOCAL, ...options })(room);
  network.link.serve(async (_, message) => message.slice().reverse());
  return network;
}

/** Waits until something holds. The limit is below the test's own, so that a test that waits in vain says for what. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, mostMs = 240_000): Promise<void> {
  const end = performance.now() + mostMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`in vain waited until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const knows = (network: Libp2pNetwork, peer: PeerId): boolean => network.alive().includes(peer);
