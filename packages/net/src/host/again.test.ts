import { dcb, Random } from "@coterie/core";
import type { DcbOffer } from "@coterie/core/internal";
import { expect, it } from "vitest";
import type { Link } from "../link/link.ts";
import { MemoryNetwork } from "../link/memory.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { PeerHost } from "./host.ts";
import { gated } from "./testing/gated.ts";

const policy = dcb({ delay: { rounds: 100 }, weight: "mean" });

const open = (name: string, link: Link, store: Store): Promise<PeerHost> =>
  PeerHost.open({
    peer: { id: name, dimension: 2, policy, peers: 2 },
    store,
    link,
    agreement: "room",
    limits: { dimension: 2, most: 1000, reward: 10 },
    random: Random.seeded(name.charCodeAt(0)),
  });

const counted = (host: PeerHost): number => {
  const { slots } = host.peer.learner.offer() as DcbOffer;
  return Array.from({ length: slots.length }, (_, k) => slots.count(k)).reduce((sum, count) => sum + count, 0);
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("a proposal that comes again is answered no sooner than its first answer is on the disk", async () => {
  const network = new MemoryNetwork();
  const disk = memoryDisk();
  const store = memoryStore(disk)();
  const gate = gated(store);
  const slow = await open("b", network.link("b"), store);
  // The network carries every request twice, and takes whichever answer comes first.
  const link = network.link("a");
  const twice: Link = {
    ...link,
    serve: (handler) => link.serve(handler),
    close: () => link.close(),
    request: (to, message, options) => {
      const first = link.request(to, message, options);
      return Promise.race([first, settled().then(() => link.request(to, message, options))]);
    },
  };
  const proposer = await open("a", twice, memoryStore()());
  await proposer.observe(Float64Array.of(0.5, 0.1), 1);
  await slow.tick(null);
  gate.open = new Promise(() => {});
  void proposer.tick("b");
  for (let turn = 0; turn < 5; turn++) await settled();
  // It was mixed there, but a crash can still undo that: so nobody has heard of it.
  expect(counted(slow)).toBe(0.5);
  expect(counted(proposer)).toBe(1);
  const again = await open(
    "c",
    network.link("c"),
    memoryStore({ ...disk, pairs: new Map(disk.pairs), taken: false })(),
  );
  expect(counted(again) + counted(proposer)).toBe(1);
});
