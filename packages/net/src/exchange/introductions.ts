import type { PeerId, Reader, Writer } from "@coterie/core";
import type { PeerRecord } from "@coterie/core/internal";

/** Of the room, the share that one partner may speak for beside those who were met; one origin at least. */
const UNMET_SHARE = 1 / 4;
/** Of the room, the share that must have been met before only they are spoken of. */
const SETTLED = 1 / 4;
/** Of the room, the share that may always be unmet: whoever was met may have left, and others come. */
const NEWCOMERS = 1 / 8;
/** A larger room counts as one of this size: nobody holds records of all of it. */
const MOST_PEERS = 128;
/** Exchanges after which an origin that is still not met is forgotten; it may be introduced again. */
const UNMET_EXCHANGES = 64;
/** Names of those met that are remembered; the one met longest ago goes first. */
const MOST_MET = 4096;

const atMost = (peers: number): number => Math.min(peers, MOST_PEERS);

interface Introduction {
  readonly by: PeerId;
  /** The number of the exchange in which it was introduced. */
  readonly at: number;
}

/**
 * Who has been met, and who brought whom else. Anybody can make up an origin and sign for it; what cannot be made up as
 * cheaply is a peer that talks over a connection of its own, whose name the link vouches for. In a room of so many peers no
 * more can be unmet than those who were not met yet: so records spread at once among peers that have just come, and by and by
 * the places for origins that exist nowhere are gone. Each takes a place of the partner who brought it; who has brought most
 * loses one first. Whoever has met some of the room passes on only records of origins that it has met: a liar's inventions go
 * no further than to those who talk to it.
 */
export class Introductions {
  readonly #met = new Set<PeerId>();
  readonly #unmet = new Map<PeerId, Introduction>();
  #exchanges = 0;

  constructor(readonly self: PeerId) {}

  /** `peer` talked to us over a connection of its own. */
  meet(peer: PeerId): void {
    this.#unmet.delete(peer);
    this.#met.delete(peer);
    this.#met.add(peer);
    if (this.#met.size > MOST_MET) this.#met.delete(this.#met.values().next().value!);
  }

  /** Whether records of `origin` may be passed on in a room of so many. */
  vouchesFor(origin: PeerId, peers: number): boolean {
    return origin === this.self || this.#met.has(origin) || this.#met.size < SETTLED * atMost(peers);
  }

  /** Of the records that `from` brought: those to be taken in. */
  admit(from: PeerId, records: readonly PeerRecord[], peers: number): PeerRecord[] {
    this.#hear(from);
    const brought = this.#brought().get(from) ?? 0;
    const each = Math.max(1, Math.floor(UNMET_SHARE * atMost(peers)));
    let places = Math.min(each - brought, this.#most(peers) - this.#unmet.size);
    return records.filter(({ origin }) => {
      if (this.#knows(origin)) return true;
      if (places <= 0) return false;
      places -= 1;
      this.#unmet.set(origin, { by: from, at: this.#exchanges });
      return true;
    });
  }

  /** The same again, of records that were taken in before a restart. */
  restore(from: PeerId, records: readonly PeerRecord[]): void {
    this.#hear(from);
    for (const { origin } of records) {
      if (!this.#knows(origin)) this.#unmet.set(origin, { by: from, at: this.#exchanges });
    }
  }

  /** Those who were introduced long ago, or are more than there can be: nothing is to be kept of them. */
  expired(peers: number): PeerId[] {
    const old = [...this.#unmet].filter(([, { at }]) => this.#exchanges - at >= UNMET_EXCHANGES);
    const expired = old.map(([origin]) => origin);
    for (const origin of expired) this.#unmet.delete(origin);
    for (let left = this.#unmet.size - this.#most(peers); left > 0; left--) expired.push(this.#giveUpOne());
    return expired;
  }

  /** The oldest of whoever has brought most. */
  #giveUpOne(): PeerId {
    const [busiest] = [...this.#brought()].reduce((most, each) => (each[1] > most[1] ? each : most));
    const [origin] = [...this.#unmet].find(([, { by }]) => by === busiest)!;
    this.#unmet.delete(origin);
    return origin;
  }

  /** Origins that may be held at once without having been met. */
  #most(peers: number): number {
    const room = atMost(peers);
    return Math.max(Math.floor(NEWCOMERS * room), room - 1 - this.#met.size);
  }

  #brought(): Map<PeerId, number> {
    const brought = new Map<PeerId, number>();
    for (const { by } of this.#unmet.values()) brought.set(by, (brought.get(by) ?? 0) + 1);
    return brought;
  }

  #knows(origin: PeerId): boolean {
    return origin === this.self || this.#met.has(origin) || this.#unmet.has(origin);
  }

  #hear(from: PeerId): void {
    this.meet(from);
    this.#exchanges += 1;
  }

  write(out: Writer): void {
    out.f64(this.#exchanges);
    out.texts([...this.#met]);
    out.u32(this.#unmet.size);
    for (const [origin, { by, at }] of this.#unmet) {
      out.text(origin);
      out.text(by);
      out.f64(at);
    }
  }

  read(from: Reader): void {
    this.#exchanges = from.f64("exchanges");
    for (const peer of from.texts("met")) this.#met.add(peer);
    for (let left = from.u32("unmet"); left > 0; left--) {
      const origin = from.text("unmet");
      this.#unmet.set(origin, { by: from.text("unmet"), at: from.f64("unmet") });
    }
  }
}
