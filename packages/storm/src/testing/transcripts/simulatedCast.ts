import { type PeerId, Random } from "@coterie/core";
import { createPeer, dcb, type RoomPeer, vectors } from "@coterie/net";
import type { DiskUser } from "../../simulation/world/disk.ts";
import { SimulatedDriver, type Surroundings } from "../../simulation/world/driver.ts";
import { SimulatedNetwork } from "../../simulation/world/network.ts";
import { RunDigest } from "../../simulation/world/runDigest.ts";
import { Scheduler } from "../../simulation/world/scheduler.ts";
import type { Transcript } from "./transcript.ts";

const FEATURES = vectors(2);

interface Member {
  readonly name: string;
  readonly peer: RoomPeer<typeof FEATURES>;
  readonly driver: SimulatedDriver;
  readonly life: DiskUser;
}

/**
 * Peers that find and lose each other: the shipped node under storm's seeded scheduler and network, in virtual time. Told is
 * who comes into whose view and goes out of it.
 */
export class SimulatedCast {
  readonly #scheduler = new Scheduler();
  readonly #network: SimulatedNetwork;
  readonly #random = Random.seeded(7);
  readonly #members = new Map<string, Member>();
  readonly #names: string[] = [];
  /** Who saw whom when it was last told. */
  readonly #told = new Map<string, readonly string[]>();
  #exchanges = 0;

  /** `bootstrap`: those whose address everybody was given. */
  constructor(
    readonly transcript: Transcript,
    readonly bootstrap: readonly string[],
  ) {
    this.#network = new SimulatedNetwork(this.#scheduler, this.#random.fork("network"), new RunDigest());
    this.#network.rough = true;
  }

  async enter(name: string): Promise<void> {
    const life: DiskUser = { dead: false };
    const seed = this.#names.push(name);
    let driver: SimulatedDriver | null = null;
    const opening = createPeer({
      room: "storm",
      features: FEATURES,
      policy: dcb(),
      network: async ({ identity, node }) => {
        this.transcript.name(identity!.id, name);
        this.#ids.set(identity!.id, name);
        driver = new SimulatedDriver(
          identity!.id,
          this.#surroundings,
          this.#random.fork(name),
          life,
          node!,
          seed,
          null,
        );
        return driver;
      },
      tick: { periodMs: 1000, jitter: 0.2 },
      clock: {
        now: () => 1_780_000_000_000 + this.#scheduler.now,
        after: (delayMs, callback) => this.#scheduler.after(delayMs, () => life.dead || callback()),
      },
      seed,
      onEvent: (event) => {
        if (event.kind === "exchange" && event.side === "proposed" && event.verdict === "mix") this.#exchanges += 1;
      },
    });
    await this.#scheduler.run(this.#scheduler.now + 100);
    this.#members.set(name, { name, peer: await opening, driver: driver!, life });
    this.#told.delete(name);
    this.transcript.say(name, "starts");
  }

  /** Its process is gone without a word. */
  kill(name: string): void {
    this.#members.get(name)!.life.dead = true;
    this.#members.delete(name);
    this.transcript.say(name, "is gone, without a word");
  }

  /** No message passes between these and all others. */
  cut(names: readonly string[]): () => void {
    const partition = { side: new Set(names.map((name) => this.#names.indexOf(name))), oneWay: false };
    this.#network.cuts.add(partition);
    return () => this.#network.cuts.delete(partition);
  }

  /** Lets so many seconds pass, then tells who came and went, who sees whom, and how many exchanges there were. */
  async pass(seconds: number): Promise<void> {
    this.#exchanges = 0;
    await this.#scheduler.run(this.#scheduler.now + 1000 * seconds);
    this.transcript.note(`${seconds} s pass; ${this.#exchanges === 0 ? "no exchange" : "exchanges go on"}`);
    for (const { name, driver } of this.#members.values()) {
      const before = this.#told.get(name) ?? [];
      const seen = driver
        .alive()
        .map((id) => this.transcript.named(id))
        .sort();
      this.#told.set(name, seen);
      const changes = [
        ...seen.filter((other) => !before.includes(other)).map((other) => `finds ${other}`),
        ...before.filter((other) => !seen.includes(other)).map((other) => `loses ${other}`),
      ];
      this.transcript.say(name, `${changes.join(", ") || "no change"}; sees ${seen.join(", ") || "nobody"}`);
    }
  }

  async close(): Promise<void> {
    for (const { life } of this.#members.values()) life.dead = true;
    this.#members.clear();
  }

  readonly #ids = new Map<PeerId, string>();

  get #surroundings(): Surroundings {
    const named = (peer: PeerId): string => this.#ids.get(peer) ?? "";
    return {
      network: this.#network,
      coded: true,
      index: (peer) => this.#names.indexOf(named(peer)),
      find: (peer) => this.#members.get(named(peer))?.driver ?? null,
      bootstrap: this.bootstrap,
      at: (address) => this.#members.get(address)?.driver.self ?? null,
    };
  }
}
