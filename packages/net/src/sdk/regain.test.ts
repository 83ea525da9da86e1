import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kindred, Random } from "@coterie/core";
import { afterAll, afterEach, expect, it } from "vitest";
import { vectors } from "../features/index.ts";
import { libp2p } from "../libp2p/index.ts";
import { folderStore } from "../store/folder/index.ts";
import { recordsIn, Scratch } from "../store/testing/stage.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import type { RoomPeer } from "./roomPeer.ts";

/** Peers in a room, over libp2p, each with a store on the disk. */

const D = 4;
type Vectors = RoomPeer<ReturnType<typeof vectors>>;
const scratch = new Scratch();
const opened: Vectors[] = [];
const random = Random.seeded(11);
afterEach(() => Promise.all(opened.splice(0).map((peer) => peer.close())));
afterAll(() => scratch.clear());

async function joined(path: string, bootstrap: readonly string[] = []) {
  const events: PeerEvent[] = [];
  let addresses = (): string[] => [];
  const peer = await createPeer({
    room: "regain",
    policy: kindred(),
    features: vectors(D),
    store: folderStore(path),
    network: async (room) => {
      const network = await libp2p({ listen: ["/ip4/127.0.0.1/tcp/0"], bootstrap: [...bootstrap] })(room);
      addresses = () => network.addresses();
      return network;
    },
    tick: false,
    onEvent: (event) => events.push(event),
  });
  opened.push(peer);
  return { peer, events, addresses };
}

const items = () => Array.from({ length: 4 }, () => Array.from({ length: D }, () => (random.uniform() - 0.5) / 2));

async function learn(peer: Vectors, rewards: number): Promise<void> {
  for (let k = 0; k < rewards; k++) {
    const choice = peer.choose(items());
    await choice.reward(choice.item[0]! > 0 ? 1 : 0);
  }
}

/** Ticks until it is so. */
async function until(peer: Vectors, so: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !so(); ) {
    if (performance.now() > end) throw new Error("it did not come about");
    await peer.tick();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** All that was learnt since the peer was born is gone; its name is left, in its first snapshot. */
function loseTheLog(path: string): void {
  const files = readdirSync(recordsIn(path)).filter((name) => !name.startsWith("snapshot-"));
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) rmSync(join(recordsIn(path), name));
}

it("a peer whose store lost its observations gets them back from the room, and keeps what it has learnt since", async () => {
  const [path, other] = [scratch.next(), scratch.next()];
  const first = await joined(path);
  const friend = await joined(other, first.addresses());
  await learn(first.peer, 60);
  const { origin } = first.peer.state();
  const pending = first.peer.choose(items());
  const knows = () => friend.peer.state().evidence > 0;
  await until(friend.peer, knows);
  await first.peer.close();
  opened.splice(opened.indexOf(first.peer), 1);

  loseTheLog(path);
  const { peer, events } = await joined(path, friend.addresses());
  expect(events[0]).toMatchObject({ kind: "repaired" });
  expect(peer.state()).toMatchObject({ origin, own: 0 });
  await learn(peer, 5);
  expect(await peer.reward(pending.id, 1)).toBe("unknown");
  await until(peer, () => events.some(({ kind }) => kind === "regained"));
  const { own } = peer.state();
  expect(events.find(({ kind }) => kind === "regained")).toEqual({ kind: "regained", own, before: 5 });
  // A peer publishes when it has seen a tenth more than before: the last few of the 60 had not left.
  expect(own).toBeGreaterThan(5 + 0.9 * 60);
  expect(own).toBeLessThanOrEqual(5 + 60);
  const { estimate } = peer.state();

  // It is on the disk.
  await peer.close();
  opened.splice(opened.indexOf(peer), 1);
  const again = await joined(path, friend.addresses());
  expect(again.peer.state()).toMatchObject({ origin, own, estimate, quarantined: null });
});

it("a store that lost nothing takes nothing twice", async () => {
  const [path, other] = [scratch.next(), scratch.next()];
  const first = await joined(path);
  const friend = await joined(other, first.addresses());
  await learn(first.peer, 30);
  await until(friend.peer, () => friend.peer.state().evidence > 0);
  await first.peer.close();
  opened.splice(opened.indexOf(first.peer), 1);
  for (const name of readdirSync(recordsIn(path)).filter((it) => it.startsWith("snapshot-"))) {
    writeFileSync(join(recordsIn(path), name), "spoilt");
  }
  const { peer, events } = await joined(path, friend.addresses());
  expect(events[0]).toMatchObject({ kind: "repaired" });
  await until(peer, () => (peer.state().exchanges.mix ?? 0) > 2);
  expect(events.filter(({ kind }) => kind === "regained")).toEqual([]);
  expect(peer.state().own).toBe(30);
});
