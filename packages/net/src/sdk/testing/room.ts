import { dccb, type PeerId, type Policy, Random } from "@coterie/core";
import { flag, type Item, number, oneHot } from "../../features/index.ts";
import { MemoryNetwork } from "../../link/memory.ts";
import { memory } from "../../link/memoryRoom.ts";
import { mortal, type ProcessLife } from "../../link/mortal.ts";
import type { NetworkFactory } from "../../link/network.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "../../store/memory.ts";
import { createPeer } from "../createPeer.ts";
import type { PeerEvent } from "../events.ts";
import type { PeerOptions } from "../options.ts";
import type { RoomPeer } from "../roomPeer.ts";
import { TestClock } from "./clock.ts";

export const SCHEMA = { topic: oneHot(["sport", "arts", "tech"]), words: number(0, 3000), fresh: flag() };
export type Schema = typeof SCHEMA;
export type Article = Item<Schema> & { readonly title: string };

/** Slots are shared after three rounds, and unlike peers part after some dozen observations. */
export const QUICK = dccb({ delay: { rounds: 3 }, threshold: { kind: "practical", factor: 1 }, sharing: "mutual" });

export function articles(random: Random, count = 6): Article[] {
  const topics = ["sport", "arts", "tech"] as const;
  return Array.from({ length: count }, (_, k) => ({
    title: `article ${k}`,
    topic: topics[random.below(3)],
    words: random.below(3000),
    fresh: random.below(2) === 1,
  }));
}

/** Peers of one room in one process, with a clock of their own. */
export class TestRoom {
  readonly clock = new TestClock();
  readonly network: MemoryNetwork;
  readonly peers = new Map<PeerId, RoomPeer<Schema>>();
  readonly events: { readonly peer: PeerId; readonly event: PeerEvent }[] = [];
  readonly #disks = new Map<PeerId, MemoryDisk>();
  readonly #lives = new Map<PeerId, ProcessLife>();
  readonly #detach = new Map<PeerId, () => Promise<void>>();
  #starts = 0;

  constructor(
    readonly policy: Policy = QUICK,
    fate?: ConstructorParameters<typeof MemoryNetwork>[0],
  ) {
    this.network = new MemoryNetwork(fate);
  }

  async open(name: PeerId, options: Partial<PeerOptions<Schema>> = {}): Promise<RoomPeer<Schema>> {
    const disk = this.#disks.get(name) ?? memoryDisk();
    this.#disks.set(name, disk);
    const life = { dead: false };
    this.#lives.set(name, life);
    const peer = await createPeer({
      room: "front-page",
      features: SCHEMA,
      policy: this.policy,
      network: this.#place(name, life),
      store: memoryStore(disk),
      tick: { periodMs: 1000, jitter: 0.2 },
      clock: {
        now: () => this.clock.now(),
        after: (ms, callback) => this.clock.after(ms, () => life.dead || callback()),
      },
      seed: 1000 * this.#starts++ + 7,
      onEvent: (event) => this.events.push({ peer: name, event }),
      ...options,
    });
    this.peers.set(name, peer);
    return peer;
  }

  /** Nothing is closed; what was in memory is gone, and so is what had not reached the disk. The others notice. */
  async crash(name: PeerId): Promise<void> {
    this.#lives.get(name)!.dead = true;
    const disk = this.#disks.get(name)!;
    this.#disks.set(name, { ...disk, pairs: new Map(disk.pairs), taken: false });
    this.peers.delete(name);
    await this.#detach.get(name)!();
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.peers.values(), (peer) => peer.close()));
  }

  #place(name: PeerId, life: ProcessLife): NetworkFactory {
    return async (room) => {
      const network = await memory(this.network, name)(room);
      this.#detach.set(name, () => network.close());
      return { ...network, link: mortal(network.link, life) };
    };
  }
}

/** What an article is worth to a reader of one kind: 1 if it is of the topic they like, and a little for being fresh. */
export const worth = (likes: Article["topic"], { topic, fresh }: Article): number =>
  (topic === likes ? 0.8 : 0.1) + (fresh ? 0.1 : 0);

/** So many seconds of reading: in each every peer chooses and is paid, and all ticks due are made. */
export async function read(
  room: TestRoom,
  seconds: number,
  likes: (name: PeerId) => Article["topic"],
  seed = 1,
): Promise<void> {
  const random = Random.seeded(seed);
  for (let second = 0; second < seconds; second++) {
    for (const [name, peer] of room.peers) {
      const choice = peer.choose(articles(random));
      await choice.reward(worth(likes(name), choice.item));
    }
    await room.clock.pass(1000);
  }
}
