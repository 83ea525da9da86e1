import {
  createPeer,
  kindred,
  type Link,
  LinkError,
  MemoryNetwork,
  memory,
  memoryDisk,
  memoryStore,
  type Network,
  type NetworkFactory,
  oneHot,
  type PeerEvent,
  type PeerOptions,
  type StoreFactory,
} from "@coterie/net";
import * as parts from "@coterie/net/internal";
import type { Transcript } from "./transcript.ts";

export const DRINKS = ["tea", "milk", "cola"] as const;
export type Drink = (typeof DRINKS)[number];
export const features = { drink: oneHot(DRINKS) };
export const MENU = DRINKS.map((drink) => ({ drink }));
type Options = Partial<PeerOptions<typeof features>>;
export type Actor = Awaited<ReturnType<Cast["enter"]>>;

/** What a person with this favourite says of a drink, without noise. */
export const likes =
  (favourite: Drink) =>
  (drink: Drink): number =>
    drink === favourite ? 0.9 : 0.1;

const NEVER = { now: () => 1_780_000_000_000, after: () => () => {} };

/**
 * Peers of one room in one process: the shipped SDK, node, exchange and store over a memory link. Whatever is said, written
 * down or told to the app stands in the transcript. Nothing depends on the time or on the machine.
 */
export class Cast {
  /** What happens to the next messages; then all of them arrive. */
  readonly fates: ("delivered" | "lost" | "answer-lost")[] = [];
  /** Whether what is written to disks is told. */
  disks = false;
  readonly #disks = new Map<string, ReturnType<typeof memoryDisk>>();
  readonly #network = new MemoryNetwork(() => this.fates.shift() ?? "delivered");
  #seeds = 0;

  constructor(readonly transcript: Transcript) {}

  /** Opens a peer. Who comes back under the same name finds its disk. */
  async enter(name: string, options: Options = {}) {
    const peer = await createPeer({
      room: "drinks",
      features,
      policy: kindred(),
      network: this.#overheard(name),
      store: this.#watched(name),
      tick: false,
      clock: NEVER,
      seed: ++this.#seeds,
      onEvent: (event) => this.#heard(name, event),
      ...options,
    });
    const { origin } = peer.state();
    if (origin !== null) this.transcript.name(origin, name);
    return { name, peer };
  }

  /** Its process dies between two steps: only what is on the disk is left. */
  crash({ name }: { readonly name: string }): void {
    const disk = this.#disks.get(name)!;
    this.#disks.set(name, { ...disk, pairs: new Map(disk.pairs), taken: false });
    this.transcript.say(name, "crashes");
    this.left(name);
  }

  /** Its sockets are closed, as those of a dead process are. */
  left(name: string): void {
    this.#gone.get(name)?.();
  }

  /** Somebody is shown all drinks in turn, and says what it thinks of each. */
  async teach({ name, peer }: Actor, worth: (drink: Drink) => number, times: number): Promise<void> {
    for (let k = 0; k < times; k++) {
      const index = k % DRINKS.length;
      await peer.observe(MENU, index, worth(DRINKS[index]!));
    }
    this.transcript.say(name, `learns from ${times} of its own rewards`);
  }

  /** What it would choose, and what that rests on. */
  tell({ name, peer }: Actor): void {
    const { own, lenders, near } = peer.state();
    const choice = peer.score(MENU).reduce((best, one) => ((one.score ?? 0) > (best.score ?? 0) ? one : best));
    const from = lenders === null ? `near: ${list(near)}` : `borrows from: ${list(lenders)}`;
    this.transcript.say(name, `would choose ${choice.item.drink}; own observations: ${own}; ${from}`);
  }

  async meet(one: Actor, other: { readonly name: string }): Promise<void> {
    await one.peer.tick({ partner: other.name });
  }

  readonly #gone = new Map<string, () => void>();

  /** The network with an ear in the line. */
  #overheard(name: string): NetworkFactory {
    return async (room) => {
      const network: Network = await memory(this.#network, name)({ ...room, identity: undefined });
      this.#gone.set(name, () => void network.close());
      return { ...network, link: this.#tapped(name, network.link) };
    };
  }

  #tapped(name: string, link: Link): Link {
    return {
      ...link,
      request: async (to, message, options) => {
        const { round } = parts.decodeProposal(message);
        this.transcript.say(name, `-> ${to}: proposes an exchange, being in round ${round}`);
        try {
          const answer = await link.request(to, message, options);
          const { verdict, reason } = parts.decodeAnswer(answer);
          this.transcript.say(to, `-> ${name}: answers "${verdict}"${reason === "" ? "" : `: ${reason}`}`);
          return answer;
        } catch (error) {
          if (error instanceof LinkError) this.transcript.say(name, `hears no answer from ${to}`);
          throw error;
        }
      },
    };
  }

  #watched(name: string): StoreFactory {
    return () => {
      const disk = this.#disks.get(name) ?? memoryDisk();
      this.#disks.set(name, disk);
      const store = memoryStore(disk)();
      return new Proxy(store, {
        get: (target, field) => {
          const value: unknown = Reflect.get(target, field, target);
          if (field === "append") return this.#appending(name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    };
  }

  #appending(name: string, store: parts.Store): parts.Store["append"] {
    return async (entries, options) => {
      await store.append(entries, options);
      if (this.disks) this.transcript.say(name, `[disk] ${entries.map(({ kind }) => kind).join(", ")}`);
    };
  }

  #heard(name: string, event: PeerEvent): void {
    const say = (what: string): void => this.transcript.say(name, `tells its app: ${what}`);
    if (event.kind === "exchange")
      say(`${event.side === "proposed" ? "my exchange with" : "asked by"} ${event.partner}: ${event.verdict}`);
    if (event.kind === "prune") say(`${event.partner} is of another kind; we part`);
    if (event.kind === "misfit") say(`${event.who} gives the room the same name and agrees on something else`);
    if (event.kind === "migrated")
      say(
        `went on under other features (${event.changes.join("; ")}); new: ${list(event.fresh)}; gone: ${list(event.gone)}`,
      );
    if (event.kind === "owner") say("this tab owns the store now, and is the peer on the network");
  }
}

export const list = (names: readonly string[]): string =>
  names.length === 0 ? "nobody" : [...names].sort().join(", ");
