import { join } from "node:path";
import { type Policy, Random } from "@coterie/core";
import {
  createPeer,
  folderStore,
  type Libp2pNetwork,
  libp2p,
  type NetworkFactory,
  type Room,
  type RoomPeer,
  vectors,
} from "@coterie/net";

const DIMENSION = 8;
const ITEMS = 6;
const LISTEN = ["/ip4/127.0.0.1/tcp/0"];
/** For all to know each other, on a machine that has other things to do. */
const MEET_MS = 60_000;

type VectorPeer = RoomPeer<ReturnType<typeof vectors>>;

/** Real peers in one process: libp2p over loopback, stores on the disk. They tick when they are told. */
export class SoakRoom {
  readonly peers: VectorPeer[] = [];
  readonly networks: Libp2pNetwork[] = [];
  /** What the peers agree on, for whoever wants to be let in. */
  agreed: Room | null = null;
  /** Ticks, and those that came to a meeting. */
  ticks = 0;
  met = 0;
  readonly #learned: number[] = [];
  readonly #random: Random;

  constructor(
    readonly folder: string,
    readonly policy: Policy,
    seed: number,
  ) {
    this.#random = Random.seeded(seed).fork("soak");
  }

  async open(count: number): Promise<void> {
    const joined: NetworkFactory = async (room) => {
      this.agreed ??= room;
      const bootstrap = this.networks[0]?.addresses() ?? [];
      const network = await libp2p({ listen: LISTEN, bootstrap })(room);
      this.networks.push(network);
      return network;
    };
    for (let k = 0; k < count; k++) {
      const parts = { network: joined, store: folderStore(join(this.folder, `peer-${k}`)), tick: false } as const;
      this.peers.push(await createPeer({ room: "soak", features: vectors(DIMENSION), policy: this.policy, ...parts }));
      this.#learned.push(0);
    }
    const end = performance.now() + MEET_MS;
    while (this.peers.some((peer) => peer.state().alive.length < count - 1)) {
      if (performance.now() > end) throw new Error(`${count} peers did not find each other in ${MEET_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Everybody chooses, is paid, and meets somebody. */
  async round(): Promise<void> {
    await Promise.all(this.peers.map((peer, k) => this.#live(peer, k)));
  }

  /** Rewards that were acknowledged and are not there, or there too often; and exchanges that nobody finished. */
  failures(): string[] {
    return this.peers.flatMap((peer, k) => {
      const { own } = peer.state();
      const learned = this.#learned[k] ?? 0;
      return own === learned ? [] : [`peer ${k} has learnt ${own} rewards, and acknowledged ${learned}`];
    });
  }

  /** Violations that the peers and their networks have counted. */
  violations(): number {
    const counts = [
      ...this.networks.flatMap(({ violations }) => [...violations.values()]),
      ...this.peers.flatMap((peer) => Object.values(peer.state().violations)),
    ];
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async close(): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer.close()));
  }

  async #live(peer: VectorPeer, k: number): Promise<void> {
    const items = Array.from({ length: ITEMS }, () => this.#item());
    const { id, index } = peer.choose(items);
    if ((await peer.reward(id, (items[index]?.[0] ?? 0) > 0 ? 1 : 0)) === "learned") {
      this.#learned[k] = (this.#learned[k] ?? 0) + 1;
    }
    const outcome = await peer.tick();
    this.ticks += 1;
    if (outcome === "mix" || outcome === "keep") this.met += 1;
  }

  #item(): number[] {
    const x = Array.from({ length: DIMENSION }, () => this.#random.normal());
    const length = Math.hypot(...x) * (1 + 1e-12);
    return x.map((value) => value / length);
  }
}
