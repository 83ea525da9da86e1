import type { PeerId } from "@coterie/core";
import type { Connection, Libp2p, Stream } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import { LinkError } from "../link/link.ts";
import { onAbort } from "../link/onAbort.ts";
import { withDeadline } from "./deadline.ts";
import { RefusedError, type Watch } from "./events.ts";
import {
  DIAL_MS,
  FRAME_MS,
  HUB_BACKOFF_MS,
  HUB_PROTOCOL,
  HUB_SILENT_MS,
  NOTICES_BYTES,
  TRADE_MS,
  TRADED_AT_ONCE,
} from "./limits.ts";
import { decodeNotices, encodeNotices, type Notice } from "./notices.ts";
import { Outbox } from "./outbox.ts";
import type { Place, Roster } from "./roster.ts";
import { Wire } from "./wire.ts";

interface Parts {
  readonly libp2p: Libp2p;
  /** The other hubs: by name, where each is found. */
  readonly hubs: ReadonlyMap<PeerId, Multiaddr[]>;
  readonly roster: Roster;
  readonly watch: Watch;
  readonly clock: () => number;
}

/**
 * A hub's links to the others of its rooms. Each hub tells every other, once a second, of some of the guests at its own sockets;
 * so whoever comes to one of them is introduced to guests of all. A hub believes only those that it was told to, because it
 * cannot check an entry of a room whose key it has not. Peers check every entry anyway.
 */
export class HubLinks {
  readonly #parts: Parts;
  readonly #outboxes = new Map<PeerId, Outbox>();
  /** Where each hub speaks to us now. */
  readonly #heard = new Map<PeerId, Stream>();
  readonly #end = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Hubs that are linked to this one now, and tell it of their guests. */
  get size(): number {
    return this.#heard.size;
  }

  async start(): Promise<void> {
    const { libp2p, hubs } = this.#parts;
    if (hubs.size === 0) return;
    await libp2p.handle(HUB_PROTOCOL, (stream, connection) => void this.#listen(stream, connection), {
      maxInboundStreams: 4,
    });
    for (const hub of hubs.keys()) void this.#keepTelling(hub);
  }

  close(): void {
    this.#end.abort();
  }

  /** A guest of our own said something new, or is gone. */
  tell(place: Place, peer: PeerId, here: boolean): void {
    for (const outbox of this.#outboxes.values()) outbox.put(place, peer, here);
  }

  async #keepTelling(hub: PeerId): Promise<void> {
    const { signal } = this.#end;
    const [least, most] = HUB_BACKOFF_MS;
    for (let wait: number = least; !signal.aborted; wait = Math.min(most, 2 * wait)) {
      const told = await this.#speak(hub, signal).catch(() => false);
      if (told) wait = least;
      this.#outboxes.delete(hub);
      await pause(wait, signal);
    }
  }

  /** Tells a hub of all guests, and from then on of what is new. True where it ever got through. */
  async #speak(hub: PeerId, end: AbortSignal): Promise<boolean> {
    const { libp2p, hubs, roster, clock } = this.#parts;
    const dial = (signal: AbortSignal): Promise<Stream> =>
      libp2p.dialProtocol(hubs.get(hub) ?? [], HUB_PROTOCOL, { signal });
    const wire = new Wire(await withDeadline(DIAL_MS, dial, end), NOTICES_BYTES);
    const outbox = new Outbox();
    for (const { room, fit, peer } of roster.stays()) outbox.put({ room, fit }, peer, true);
    this.#outboxes.set(hub, outbox);
    let told = false;
    try {
      while (wire.stream.status === "open" && !end.aborted) {
        const notices = outbox.take(TRADED_AT_ONCE).flatMap(({ place, peer, here }): Notice[] => {
          const news = here ? roster.newsOf(place, peer, clock()) : null;
          return here && news === null ? [] : [{ place, peer, news }];
        });
        // Also where there is none, as a sign of life.
        await withDeadline(FRAME_MS, (signal) => wire.write([encodeNotices(notices)], signal), end);
        told = true;
        await pause(TRADE_MS, end);
      }
    } catch {
      // Begun anew.
    }
    wire.abort(new LinkError("the network is closed"));
    return told;
  }

  async #listen(stream: Stream, { remotePeer }: Connection): Promise<void> {
    const { hubs, watch, roster } = this.#parts;
    const hub = remotePeer.toString();
    if (!hubs.has(hub)) {
      watch.violation(hub, "uninvited");
      return stream.abort(new RefusedError("another-room", "us"));
    }
    this.#heard.set(hub, stream);
    const wire = new Wire(stream, NOTICES_BYTES);
    try {
      while (!this.#end.signal.aborted) {
        const read = (signal: AbortSignal): Promise<Uint8Array> => wire.read(signal);
        for (const notice of decodeNotices(await withDeadline(HUB_SILENT_MS, read, this.#end.signal)))
          this.#take(hub, notice);
      }
    } catch (error) {
      wire.abort(error);
    }
    if (this.#heard.get(hub) !== stream) return;
    this.#heard.delete(hub);
    // Those who live come to another hub, and to this one if it is theirs.
    roster.forget(hub);
  }

  #take(hub: PeerId, { place, peer, news }: Notice): void {
    const { roster, clock } = this.#parts;
    if (news === null) roster.unhear(hub, place, peer);
    else roster.hear(hub, place, news.entry, clock() - news.ageMs);
  }
}

/** Ends early, and without an error, when the signal does. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const forget = onAbort(signal, done);
    if (signal.aborted) done();
  });
}
