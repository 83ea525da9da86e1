import { sha256Hex } from "../sha256.ts";
import type { Claim, News } from "./entry.ts";

/**
 * Names one entry in few bytes, as 20 hexadecimal digits: 12 of a digest of its peer, and 4 each of the lower halves of
 * incarnation and heartbeat. Nobody finds a key whose name has the same 48 bits as another's.
 */
export type Tag = string;

export const tagOf = ({ id, incarnation, heartbeat }: Claim): Tag =>
  sha256Hex(id).slice(0, 12) + half(incarnation) + half(heartbeat);

const half = (value: number): string => (value % 0x10000).toString(16).padStart(4, "0");

/** The entries that somebody has, by their tags. */
export class TagList {
  readonly #tags = new Set<Tag>();
  /** By peer; made only when a tag is met that is not there, which is seldom once all know all. */
  #versions: Map<string, string> | null = null;

  constructor(
    pulses: readonly Pulse[],
    /** When they were told. */
    readonly at: number,
  ) {
    for (const { tag } of pulses) this.#tags.add(tag);
  }

  /** They have it now, and no other entry of the same peer. */
  add(tag: Tag): void {
    const versions = this.#byPeer();
    const before = versions.get(tag.slice(0, 12));
    if (before !== undefined) this.#tags.delete(tag.slice(0, 12) + before);
    versions.set(tag.slice(0, 12), tag.slice(12));
    this.#tags.add(tag);
  }

  has(tag: Tag): boolean {
    return this.#tags.has(tag);
  }

  /** Whether it is news to them, as far as tags tell: of one start of a peer the larger heartbeat is. */
  lacks(tag: Tag): boolean {
    if (this.#tags.has(tag)) return false;
    const version = this.#byPeer().get(tag.slice(0, 12));
    if (version === undefined || version.slice(0, 4) !== tag.slice(12, 16)) return true;
    return version.slice(4) < tag.slice(16);
  }

  #byPeer(): Map<string, string> {
    this.#versions ??= new Map(Array.from(this.#tags, (tag) => [tag.slice(0, 12), tag.slice(12)]));
    return this.#versions;
  }
}

/**
 * A sign of life of a peer whose entry both sides know, in 13 bytes. Nobody signs it: all that a false one does is
 * that a dead peer is tried once more.
 */
export interface Pulse {
  readonly tag: Tag;
  /** How long ago it was heard. */
  readonly ageMs: number;
  /** How many passed this on since somebody heard the peer itself. */
  readonly hops: number;
}

/** What goes along with a message: entries that its receiver seems to lack, and a pulse for every entry held. */
export interface Bulletin {
  readonly news: readonly News[];
  readonly pulses: readonly Pulse[];
}
