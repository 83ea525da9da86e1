import type { PeerId, Reader, Writer } from "@coterie/core";
import type { Record } from "@coterie/core/internal";

/**
 * Of those this peer has met, the share that one partner may speak for beside them: one at least. Much larger shares let one
 * liar be most of a small room; without any, records take as long to spread as it takes to meet everybody.
 */
const UNMET_SHARE = 1 / 4;
/** Exchanges after which an origin that is still not met is forgotten; it may be introduced again. */
const UNMET_EXCHANGES = 64;
/** Names of those met that are remembered; the one met longest ago goes first. */
const MOST_MET = 4096;

interface Introduction {
  readonly by: PeerId;
  /** The number of the exchange in which it was introduced. */
  readonly at: number;
}

/**
 * Who has been met, and who brought whom else. Anybody can make up an origin and sign for it; what cannot be made up as
 * cheaply is a peer that talks over a connection of its own, whose name the link vouches for. An origin counts fully once
 * it was met. Until then it takes one of the few places of the partner who brought it. Only records of origins that were met
 * are passed on, so whoever brings a record has met its origin, or lies; and a liar's inventions go no further than to those
 * who talk to it.
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
    if (this.#met.size <= MOST_MET) return;
    for (const oldest of this.#met) {
      this.#met.delete(oldest);
      break;
    }
  }

  /** Whether records of `origin` may be passed on. */
  vouchesFor(origin: PeerId): boolean {
    return origin === this.self || this.#met.has(origin);
  }

  /** Of the records that `from` brought: those to be taken in. */
  admit(from: PeerId, records: readonly Record[]): Record[] {
    this.meet(from);
    this.#exchanges += 1;
    const most = Math.max(1, Math.floor(UNMET_SHARE * this.#met.size));
    let brought = 0;
    for (const { by } of this.#unmet.values()) if (by === from) brought += 1;
    return records.filter(({ origin }) => {
      if (this.vouchesFor(origin) || this.#unmet.has(origin)) return true;
      if (brought >= most) return false;
      brought += 1;
      this.#unmet.set(origin, { by: from, at: this.#exchanges });
      return true;
    });
  }

  /** Those who were introduced long ago and not met since: nothing is to be kept of them. */
  expired(): PeerId[] {
    const old = [...this.#unmet].filter(([, { at }]) => this.#exchanges - at >= UNMET_EXCHANGES);
    for (const [origin] of old) this.#unmet.delete(origin);
    return old.map(([origin]) => origin);
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
