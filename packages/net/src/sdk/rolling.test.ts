import { kindred, Random } from "@coterie/core";
import { expect, it } from "vitest";
import { flag, number, oneHot } from "../features/index.ts";
import { type Libp2pNetwork, libp2p } from "../libp2p/index.ts";
import { LOCAL, until } from "../libp2p/testing/room.ts";
import { MemoryNetwork } from "../link/memory.ts";
import { memory } from "../link/memoryRoom.ts";
import type { NetworkFactory } from "../link/network.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import { articles } from "./testing/room.ts";

/** Two versions of an app: the second has one more topic and longer articles. */
const VERSIONS = {
  1: { topic: oneHot(["sport", "arts", "tech"]), words: number(0, 3000), fresh: flag() },
  2: { topic: oneHot(["sport", "arts", "tech", "food"]), words: number(0, 4000), fresh: flag() },
} as const;

let starts = 0;
async function open(version: 1 | 2, disk: MemoryDisk, network: NetworkFactory) {
  const events: PeerEvent[] = [];
  const peer = await createPeer({
    room: "r",
    features: VERSIONS[version],
    policy: kindred(),
    store: memoryStore(disk),
    network,
    tick: false,
    seed: 300 + starts++,
    onEvent: (event) => events.push(event),
  });
  return { peer, misfits: () => events.filter(({ kind }) => kind === "misfit") };
}
type Peer = Awaited<ReturnType<typeof open>>["peer"];

async function live(peers: readonly Peer[], rounds: number): Promise<void> {
  const random = Random.seeded(5);
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers) {
      const choice = peer.choose(articles(random));
      await choice.reward(choice.item.topic === "arts" ? 1 : 0);
      await peer.tick();
    }
  }
}

it("during a rolling deploy two versions tell that they share nothing, and come together again afterwards", async () => {
  const network = new MemoryNetwork();
  const [one, other] = [memoryDisk(), memoryDisk()];
  const a = await open(1, one, memory(network));
  const b = await open(1, other, memory(network));
  await live([a.peer, b.peer], 20);
  expect(a.peer.state()).toMatchObject({ lenders: [b.peer.self], misfits: 0 });
  await a.peer.close();

  const a2 = await open(2, one, memory(network));
  expect(a2.peer.state()).toMatchObject({ own: 20, self: a.peer.self });
  await live([a2.peer, b.peer], 20);
  // Once each, however often they meet.
  expect(a2.misfits()).toEqual([{ kind: "misfit", who: b.peer.self, count: 1 }]);
  expect(b.misfits()).toEqual([{ kind: "misfit", who: a2.peer.self, count: 1 }]);
  expect(a2.peer.state()).toMatchObject({ lenders: [], misfits: 1, own: 40 });
  expect(b.peer.state().misfits).toBe(1);
  await b.peer.close();

  const b2 = await open(2, other, memory(network));
  await live([a2.peer, b2.peer], 10);
  expect(a2.peer.state()).toMatchObject({ lenders: [b2.peer.self], misfits: 0, own: 50 });
  expect(b2.peer.state()).toMatchObject({ lenders: [a2.peer.self], misfits: 0, own: 50 });
  await a2.peer.close();
  await b2.peer.close();
});

it("the same over libp2p, where versions do not even greet each other", { timeout: 300_000 }, async () => {
  const joined: Libp2pNetwork[] = [];
  const net =
    (bootstrap: readonly string[] = []): NetworkFactory =>
    async (room) => {
      const network = await libp2p({ listen: LOCAL, bootstrap })(room);
      joined.unshift(network);
      return network;
    };
  const [one, other] = [memoryDisk(), memoryDisk()];
  const a = await open(1, one, net());
  const b = await open(2, other, net(joined[0]!.addresses()));
  await until(() => a.peer.state().misfits === 1 && b.peer.state().misfits === 1, "both are told");
  expect(a.misfits()).toEqual([{ kind: "misfit", who: b.peer.self, count: 1 }]);
  expect(b.misfits()).toEqual([{ kind: "misfit", who: a.peer.self, count: 1 }]);
  expect(b.peer.state().alive).toEqual([]);
  await live([a.peer, b.peer], 5);
  await a.peer.close();

  const a2 = await open(2, one, net(joined[0]!.addresses()));
  await until(async () => {
    for (const { peer } of [a2, b]) await peer.tick();
    return [a2, b].every(({ peer }) => (peer.state().lenders ?? []).length === 1);
  }, "each borrows from the other");
  expect(a2.peer.state()).toMatchObject({ own: 5, misfits: 0 });
  await a2.peer.close();
  await b.peer.close();
});
