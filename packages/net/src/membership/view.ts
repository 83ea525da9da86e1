import type { PeerId, Random } from "@coterie/core";
import type { News, SignedEntry } from "./entry.ts";
import type { Scope } from "./prefix.ts";
import type { NameSource } from "./shares.ts";

/** Somebody else in the room: the newest it said of itself, and when. */
export interface Known {
  readonly entry: SignedEntry;
  /** When its peer signed that, by our clock. */
  readonly signed: number;
  /** When we last heard the peer itself. */
  met: number;
  /** Who told us. */
  readonly from: PeerId;
  /** When it last answered a call of ours. */
  reached: number;
  /** Whose word it is that it is there. */
  readonly sources: readonly NameSource[];
  /** From where that was said. */
  readonly scope: Scope;
}

/** How long ago the peer was there for sure, as far as it says so itself: by what it signed, or to us. */
export const ageOf = ({ signed, met }: Known, now: number): number => Math.max(0, now - Math.max(signed, met));

/** Entries of others, at most so many. Which of them make room for others is for whoever holds it to say. */
export class View {
  readonly #known = new Map<PeerId, Known>();
  /** Entries of each source. */
  readonly #sources = new Map<NameSource, number>();
  #names: PeerId[] | null = null;

  constructor(
    readonly most: number,
    /** An entry this old is not held. */
    readonly expireMs: number,
  ) {}

  get size(): number {
    return this.#known.size;
  }

  get isFull(): boolean {
    return this.#known.size >= this.most;
  }

  get(peer: PeerId): Known | undefined {
    return this.#known.get(peer);
  }

  all(): Iterable<Known> {
    return this.#known.values();
  }

  /** In their order. */
  names(): readonly PeerId[] {
    this.#names ??= [...this.#known.keys()].sort();
    return this.#names;
  }

  /** How many came from a source. */
  countOf(source: NameSource): number {
    return this.#sources.get(source) ?? 0;
  }

  /** Whether more than `most` came from one source. */
  isCrowded(most: number): boolean {
    for (const count of this.#sources.values()) if (count > most) return true;
    return false;
  }

  put(known: Known): void {
    const { id } = known.entry.claim;
    const before = this.#known.get(id);
    if (before === undefined) this.#names = null;
    if (before?.sources !== known.sources) {
      this.#count(before, -1);
      this.#count(known, 1);
    }
    this.#known.set(id, known);
  }

  /** What was held, if anything. */
  drop(peer: PeerId): Known | undefined {
    const known = this.#known.get(peer);
    if (this.#known.delete(peer)) this.#names = null;
    this.#count(known, -1);
    return known;
  }

  #count(known: Known | undefined, change: 1 | -1): void {
    for (const source of known?.sources ?? []) {
      const count = this.countOf(source) + change;
      if (count > 0) this.#sources.set(source, count);
      else this.#sources.delete(source);
    }
  }

  /** Those too old to be held. */
  expired(now: number): Known[] {
    return [...this.#known.values()].filter((known) => ageOf(known, now) >= this.expireMs);
  }

  oldest(now: number, fits: (known: Known) => boolean): Known | null {
    let found: Known | null = null;
    for (const known of this.#known.values())
      if ((found === null || ageOf(known, now) > ageOf(found, now)) && fits(known)) found = known;
    return found;
  }

  /** So many of those that fit, drawn at random. */
  sample(count: number, random: Random, fits: (known: Known) => boolean): Known[] {
    const all = [...this.#known.values()].filter(fits);
    for (let k = 0; k < Math.min(count, all.length); k++) {
      const other = k + random.below(all.length - k);
      [all[k], all[other]] = [all[other]!, all[k]!];
    }
    return all.slice(0, count);
  }

  /** If it was us who slept, nobody else has been silent. */
  excuse(ms: number): void {
    for (const [peer, known] of this.#known) {
      this.#known.set(peer, { ...known, signed: known.signed + ms, met: known.met + ms });
    }
  }
}

export const newsOf = ({ entry, signed }: Known, now: number): News => ({ entry, ageMs: Math.max(0, now - signed) });
