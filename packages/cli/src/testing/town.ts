import { createPeer, type PeerState, solo, vectors } from "@coterie/net";
import { launch, type Service, until } from "./service.ts";
import { clusterOf, DIMENSION, occasion, RANGE } from "./users.ts";

/** A day is a few choices of every user, and at least one turn of every peer's clock. */
const CHOICES_A_DAY = 4;
const TICK_MS = 250;

interface Chosen {
  readonly id: string;
  readonly index: number;
}

export interface TownOptions {
  readonly seed: number;
  readonly bootstrap: string;
  readonly roomKey: string;
  /** Where the peer of a user keeps its store. */
  readonly store: (user: number) => string;
}

/** Simulated users, each with a peer in a process of its own. */
export class Town {
  readonly peers = new Map<number, Service>();
  /** How many days each user has lived. */
  readonly days = new Map<number, number>();
  /** What all were paid together. */
  earned = 0;

  constructor(readonly options: TownOptions) {}

  async moveIn(user: number): Promise<Service> {
    const { store, bootstrap, roomKey } = this.options;
    const place = ["--room", "two tastes", "--store", store(user), "--listen", "/ip4/127.0.0.1/tcp/0"];
    const learning = ["--dimension", `${DIMENSION}`, `--reward-range=${RANGE.join(",")}`, "--tick-ms", `${TICK_MS}`];
    const args = ["peer", ...place, ...learning, "--bootstrap", bootstrap];
    const peer = await launch(args, { COTERIE_ROOM_KEY: roomKey });
    this.peers.set(user, peer);
    return peer;
  }

  state(user: number): Promise<PeerState> {
    return this.#peer(user).ask("/state");
  }

  async states(): Promise<(PeerState & { readonly user: number })[]> {
    return Promise.all(Array.from(this.peers.keys(), async (user) => ({ user, ...(await this.state(user)) })));
  }

  /** All users make their choices, each in its own time; the day is over when every peer has closed a round. */
  async liveOneDay(): Promise<void> {
    await Promise.all(Array.from(this.peers.keys(), (user) => this.#live(user)));
  }

  /** The neighbourhood of every user's peer as that peer sees it: whom it borrows from, and itself; by their numbers. */
  async neighbourhoods(): Promise<Map<number, number[]>> {
    const found = await this.states();
    const users = new Map(found.map(({ self, user }) => [self, user]));
    const inOrder = found.sort((a, b) => a.user - b.user);
    return new Map(
      inOrder.map(({ user, lenders }) => {
        const tied = [user, ...(lenders ?? []).map((name) => users.get(name) ?? Number.NaN)];
        return [user, tied.sort((a, b) => a - b)];
      }),
    );
  }

  /** The truth: the users of each one's cluster. */
  clusters(): Map<number, number[]> {
    const users = [...this.peers.keys()].sort((a, b) => a - b);
    return new Map(users.map((user) => [user, users.filter((other) => clusterOf(other) === clusterOf(user))]));
  }

  /** Asks for a choice on some occasion, and leaves it at that. */
  async choose(user: number, index: number): Promise<Chosen & { readonly reward: number }> {
    const { items, rewards } = occasion(this.options.seed, user, index);
    const { choices } = await this.#peer(user).ask<{ choices: [Chosen] }>("/choose", { items });
    return { ...choices[0], reward: rewards[choices[0].index] ?? Number.NaN };
  }

  async reward(user: number, { id, reward }: { readonly id: string; readonly reward: number }): Promise<string> {
    return (await this.#peer(user).ask<{ result: string }>("/reward", { id, reward })).result;
  }

  /** What the same users are paid on the same occasions by peers that never talk. */
  async rewardAlone(): Promise<number> {
    let sum = 0;
    for (const [user, lived] of this.days) {
      const options = { room: "alone", features: vectors(DIMENSION), policy: solo(), tick: false } as const;
      const peer = await createPeer({ ...options, reward: { range: RANGE } });
      for (let k = 0; k < lived * CHOICES_A_DAY; k++) {
        const { items, rewards } = occasion(this.options.seed, user, k);
        const choice = peer.choose(items);
        const reward = rewards[choice.index] ?? Number.NaN;
        await choice.reward(reward);
        sum += reward;
        if ((k + 1) % CHOICES_A_DAY === 0) await peer.tick();
      }
      await peer.close();
    }
    return sum;
  }

  async #live(user: number): Promise<void> {
    const day = this.days.get(user) ?? 0;
    const { round } = await this.state(user);
    for (let k = 0; k < CHOICES_A_DAY; k++) {
      const chosen = await this.choose(user, day * CHOICES_A_DAY + k);
      const result = await this.reward(user, chosen);
      if (result !== "learned") throw new Error(`a reward of user ${user} was ${result}`);
      this.earned += chosen.reward;
    }
    this.days.set(user, day + 1);
    await until(`peer ${user} has closed a round`, async () => (await this.state(user)).round > round);
  }

  #peer(user: number): Service {
    const peer = this.peers.get(user);
    if (peer === undefined) throw new Error(`user ${user} has no peer now`);
    return peer;
  }
}
