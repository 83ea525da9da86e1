import type { PeerId } from "@coterie/core";
import type * as parts from "@coterie/net/internal";
import type { Village } from "./village.ts";

const SIGNATURE = new Uint8Array(64);
const NOTHING = new Uint8Array();
/** Entries in one message, and how often a process speaks to each peer, under one name or another. */
const MOST_ENTRIES = 32;
const SPEAKS_MS = 500;

/** One name of a process that means no good. It speaks to everybody, answers gossip, and no exchange. */
export class Stranger {
  stopped = false;
  #beats = 0;

  constructor(
    readonly village: Village,
    readonly id: PeerId,
    readonly address: string,
    /** The names that it tells of, and where it says that they are. */
    readonly names: readonly PeerId[],
    readonly where: string,
    /** How many speak in turn. */
    readonly speakers: number,
  ) {}

  /** Calls everybody, again and again. */
  start(): void {
    if (this.stopped) return;
    for (const resident of this.village.residents.values()) {
      this.village.after(this.village.latency(), () => {
        if (!this.stopped) resident.calledBy(this, this.news());
      });
    }
    this.village.after(SPEAKS_MS * Math.max(1, this.speakers / 20), () => this.start());
  }

  /** Its own entry and some of those it made up, all as fresh as can be. */
  news(): parts.News[] {
    this.#beats += 1;
    const some = this.names.length === 0 ? 0 : this.village.random.below(this.names.length);
    const told = [...this.names.slice(some), ...this.names.slice(0, some)].slice(
      0,
      this.speakers > 1 ? 7 : MOST_ENTRIES - 1,
    );
    return [this.#entry(this.id, this.address), ...told.map((name) => this.#entry(name, this.where))];
  }

  /** Leaves, with all its connections. */
  stop(): void {
    this.stopped = true;
    this.village.strangers.delete(this.id);
    for (const resident of this.village.residents.values()) resident.hungUp(this.id);
  }

  #entry(id: PeerId, address: string): parts.News {
    const beat = { incarnation: 1, heartbeat: this.#beats };
    const claim = { id, addresses: [address], ...beat, serves: true, leaving: false };
    return { entry: { claim, bytes: NOTHING, signature: SIGNATURE }, ageMs: 0 };
  }
}

/** All names of an attack from one process. */
export function invade(village: Village, count: number, each: boolean, where: string, host: string): Stranger[] {
  const random = village.random.fork("strangers");
  const names = Array.from({ length: count }, (_, k) => village.name(random.fork(k)));
  const speakers = each ? names : names.slice(0, 1);
  const strangers = speakers.map(
    (name, k) => new Stranger(village, name, `/ip4/${host}/tcp/${5000 + k}`, names.slice(1), where, speakers.length),
  );
  for (const stranger of strangers) {
    village.strangers.set(stranger.id, stranger);
    village.after(10_000 * random.uniform(), () => stranger.start());
  }
  return strangers;
}
