import { type Libp2pNetwork, libp2p } from "@coterie/net";
import type { Driver } from "../stage.ts";
import { Linked, type LinkedEnd } from "./linked.ts";

const LISTEN = ["/ip4/127.0.0.1/tcp/0"];
const MOST_MS = 30_000;

/** Real peers over TCP on this machine, encrypted and authenticated. */
export const overLibp2p: Driver = {
  name: "libp2p on TCP",
  without: {},
  setup: (config) => {
    const networks = new Map<LinkedEnd, Libp2pNetwork>();
    let bootstrap: readonly string[] = [];
    return Linked.setup(config, {
      place: async (identity, agreement) => {
        let refusals = 0;
        const onEvent = ({ kind }: { kind: string }): void => {
          if (kind === "refused") refusals += 1;
        };
        const network = await libp2p({ listen: LISTEN, bootstrap, onEvent })({ name: "room", agreement, identity });
        if (bootstrap.length === 0) bootstrap = network.addresses();
        const leave = (): Promise<void> => network.close();
        const place: LinkedEnd = { self: network.self, link: network.link, refusals: () => refusals, leave };
        networks.set(place, network);
        return place;
      },
      settled: (places) => allKnow(places, (place) => networks.get(place)?.alive() ?? []),
      close: async () => {},
    });
  },
};

async function allKnow(places: readonly LinkedEnd[], alive: (place: LinkedEnd) => readonly string[]): Promise<void> {
  const end = performance.now() + MOST_MS;
  const known = (): boolean =>
    places.every((place) => places.every((other) => other === place || alive(place).includes(other.self)));
  while (!known()) {
    if (performance.now() > end) throw new Error(`after ${MOST_MS} ms not all peers know all others`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
