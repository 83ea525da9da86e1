import { hashText } from "../numbers/hash.ts";

/** Who a peer is. Opaque: equal or not, nothing else. */
export type PeerId = string;

/**
 * The peers one still takes for one's own kind: all but those pruned. Kept as the set of those pruned, because nobody
 * needs to know all members for that, and compared by a digest of it, because the set itself would be long to send.
 */
export class Neighbourhood {
  readonly #pruned = new Set<PeerId>();
  /** The sum, lane by lane, of a hash of each pruned peer: the same for the same set, in whatever order it came to be. */
  readonly digest = new Uint32Array(4);
  readonly #hash = new Uint32Array(4);

  has(peer: PeerId): boolean {
    return !this.#pruned.has(peer);
  }

  get pruned(): ReadonlySet<PeerId> {
    return this.#pruned;
  }

  prune(peer: PeerId): void {
    if (this.#pruned.has(peer)) return;
    this.#pruned.add(peer);
    hashInto(this.#hash, peer);
    for (let lane = 0; lane < 4; lane++) this.digest[lane]! += this.#hash[lane]!;
  }

  /** Undoes a prune: the peer has left for good, or is given another chance. */
  forgive(peer: PeerId): void {
    if (!this.#pruned.delete(peer)) return;
    hashInto(this.#hash, peer);
    for (let lane = 0; lane < 4; lane++) this.digest[lane]! -= this.#hash[lane]!;
  }
}

/** Do two digests stand for the same set? */
export function sameDigest(a: Uint32Array, b: Uint32Array): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];
}

/** Four lanes of 32 bits each. */
function hashInto(out: Uint32Array, text: string): void {
  for (let lane = 0; lane < 4; lane++) {
    out[lane] = hashText(text, Math.imul(lane + 1, 0x9e3779b1), 2 * lane);
  }
}
