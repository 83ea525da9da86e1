import type { PeerId } from "@coterie/core";
import { sha256Hex } from "../sha256.ts";
import type { Claim, News } from "./entry.ts";

/**
 * Names one entry in few bytes, as 20 hexadecimal digits: 12 of a digest of its peer, and 4 each of the lower halves of
 * incarnation and heartbeat. Nobody finds a key whose name has the same 48 bits as another's.
 */
export type Tag = string;

export const tagOf = ({ id, incarnation, heartbeat }: Claim): Tag => digestOf(id) + half(incarnation) + half(heartbeat);

/** A name's digits are asked for whenever its peer starts again, by everybody who hears of it. */
const digests = new Map<PeerId, string>();
const MOST_DIGESTS = 1024;

function digestOf(id: PeerId): string {
  const known = digests.get(id);
  if (known !== undefined) return known;
  const digest = sha256Hex(id).slice(0, 12);
  digests.set(id, digest);
  if (digests.size > MOST_DIGESTS) digests.delete(digests.keys().next().value!);
  return digest;
}

const half = (value: number): string => (value % 0x10000).toString(16).padStart(4, "0");

/** The entries that somebody has, by their tags. */
export class TagList {
  readonly #pulses: readonly Pulse[];
  /** Both are made only when they are asked for, which is seldom once all know all. */
  #tags: Set<Tag> | null = null;
  #versions: Map<string, string> | null = null;

  constructor(
    pulses: readonly Pulse[],
    /** When they were told. */
    readonly at: number,
    /** They had all that we had when this was our state, so nothing is news to them while it is. */
    readonly whole: number | null,
  ) {
    this.#pulses = pulses;
  }

  /** They have it now, and no other entry of the same peer. */
  add(tag: Tag): void {
    const versions = this.#byPeer();
    const before = versions.get(tag.slice(0, 12));
    if (before !== undefined) this.#all().delete(tag.slice(0, 12) + before);
    versions.set(tag.slice(0, 12), tag.slice(12));
    this.#all().add(tag);
  }

  has(tag: Tag): boolean {
    if (this.#tags !== null) return this.#tags.has(tag);
    for (const pulse of this.#pulses) if (pulse.tag === tag) return true;
    return false;
  }

  /** Whether it is news to them, as far as tags tell: of one start of a peer the larger heartbeat is. */
  lacks(tag: Tag): boolean {
    if (this.#all().has(tag)) return false;
    const version = this.#byPeer().get(tag.slice(0, 12));
    if (version === undefined || version.slice(0, 4) !== tag.slice(12, 16)) return true;
    return version.slice(4) < tag.slice(16);
  }

  #all(): Set<Tag> {
    if (this.#tags !== null) return this.#tags;
    this.#tags = new Set();
    for (const { tag } of this.#pulses) this.#tags.add(tag);
    return this.#tags;
  }

  #byPeer(): Map<string, string> {
    if (this.#versions !== null) return this.#versions;
    this.#versions = new Map();
    for (const tag of this.#all()) this.#versions.set(tag.slice(0, 12), tag.slice(12));
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
