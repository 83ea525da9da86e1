import type { PeerId } from "@coterie/core";
import type { Claim } from "./entry.ts";
import { memo } from "./memo.ts";
import { prefixOf, type Scope } from "./prefix.ts";
import type { Known, View } from "./view.ts";

/** Who brought a peer's entry, and from which address prefix: what its peer does counts for or against them too. */
export type NameSource = `by ${PeerId}` | `from ${string}`;

/** How a message came. */
export interface Route {
  /** Of whoever sent it, where its address shows. */
  readonly prefix: string | null;
  /** From where it came, as far as that says which addresses it may name. */
  readonly scope: Scope;
  /** A hub names peers before anybody can have reached them, and is not doubted for that. */
  readonly hub: boolean;
}

/** Where nothing is known of how it came: on one machine, by hand. */
export const NOWHERE: Route = { prefix: null, scope: "machine", hub: false };

/** On whose word an address is dialled. */
export type Hearsay = Pick<Known, "scope" | "sources" | "reached">;

/** Who brought an entry; null where its peer did itself, or a hub, or where it has answered since. */
export function introducerOf({ sources, reached }: Hearsay): NameSource | null {
  const [first] = sources;
  return first?.startsWith("by ") && reached === Number.NEGATIVE_INFINITY ? first : null;
}

/**
 * Entries that one introducer and one prefix may have in a view: of those it brings, until they were reached; of those at a prefix,
 * until they have answered an exchange, because whoever has an address can answer calls under any number of names.
 */
const MOST_BROUGHT = 12;
const MOST_OF_PREFIX = 16;

/** Names that nobody answered to before the share of a source shrinks: some peers are always just gone. */
const PARDONED = 1;

/** How often names of a source were of no use lately, and whether any were. */
export interface Doubts {
  any(): boolean;
  of(source: NameSource): number;
  /** Whether a peer has answered an exchange, so that it stands for itself. */
  stands(peer: PeerId): boolean;
}

export const NO_DOUBTS: Doubts = { any: () => false, of: () => 0, stands: () => false };

/** Where a claim came from: whose word it is that its peer is there. A hub's own address says nothing of those behind it. */
export function sourcesOf({ id, addresses }: Claim, from: PeerId, { prefix, hub }: Route): readonly NameSource[] {
  const claimed = claimedSource(addresses);
  const sender = prefix === null ? null : prefixSource(prefix);
  if (id === from) {
    const own = sender ?? claimed;
    return own === null ? NO_SOURCES : alone(own);
  }
  if (hub) return claimed === null ? NO_SOURCES : alone(claimed);
  const introducer = introducerSource(from);
  const other = claimed === sender ? null : claimed;
  // Every entry in view has such a list: one that grew would have room for sixteen more.
  if (sender === null) return other === null ? [introducer] : [introducer, other];
  return other === null ? [introducer, sender] : [introducer, sender, other];
}

const NO_SOURCES: readonly NameSource[] = [];
/** One list for each, however often its peer speaks. */
const alone = memo((source): readonly NameSource[] => [source as NameSource]);
const introducerSource = memo((peer): NameSource => `by ${peer}`);
const prefixSource = memo((prefix): NameSource => `from ${prefix}`);
const addressSource = memo((address): NameSource | null => {
  const prefix = address.includes("/p2p-circuit") ? null : prefixOf(address);
  return prefix === null ? null : prefixSource(prefix);
});

/** Where an entry says that its peer is, without a hub. */
function claimedSource(addresses: readonly string[]): NameSource | null {
  for (const address of addresses) {
    const source = addressSource(address);
    if (source !== null) return source;
  }
  return null;
}

/** How many entries that were never reached a source may have; the more of its names were of no use, the fewer. */
function shareOf(source: NameSource, doubts: number): number {
  const whole = source.startsWith("by ") ? MOST_BROUGHT : MOST_OF_PREFIX;
  return Math.max(1, whole >> Math.max(0, doubts - PARDONED));
}

/** The share of an address prefix is for a full view: a small room is known as a whole, though all of it be in one office. */
const isBound = (view: View, source: NameSource): boolean => view.isFull || source.startsWith("by ");

/** Whether a view has room for one more of these sources. */
export function hasShare(view: View, sources: readonly NameSource[], doubts: Doubts): boolean {
  return sources.every((source) => {
    if (!isBound(view, source)) return true;
    let left = shareOf(source, doubts.of(source));
    // Most have far less than their share, whichever of them count.
    if (view.countOf(source) < left) return true;
    for (const known of view.all()) if (known.sources.includes(source) && counts(known, source, doubts)) left -= 1;
    return left > 0;
  });
}

/** Those that are beyond the share of one of their sources by now, the one known longest last. `prefixes`: whether those of address prefixes count. */
export function beyondShare(view: View, doubts: Doubts, prefixes = true): PeerId[] {
  if (!doubts.any() && !view.isCrowded(Math.min(MOST_BROUGHT, MOST_OF_PREFIX))) return [];
  const left = new Map<NameSource, number>();
  const out: PeerId[] = [];
  // Those that came last are looked at first, and stay.
  for (const known of [...view.all()].reverse()) {
    const sources = known.sources.filter(
      (source) => (prefixes || source.startsWith("by ")) && counts(known, source, doubts),
    );
    const shares = sources.map((source) => left.get(source) ?? shareOf(source, doubts.of(source)));
    if (shares.some((share) => share <= 0)) out.push(known.entry.claim.id);
    else for (const [k, source] of sources.entries()) left.set(source, shares[k]! - 1);
  }
  return out;
}

/** Whether an entry still counts towards a source's share. */
const counts = (known: Known, source: NameSource, doubts: Doubts): boolean =>
  source.startsWith("by ") ? isUnreached(known) : !doubts.stands(known.entry.claim.id);

/** Whether a peer that never answered an exchange comes from a source whose names were of no use. */
export const isDoubted = ({ entry, sources }: Known, doubts: Doubts): boolean =>
  !doubts.stands(entry.claim.id) && sources.some((source) => doubts.of(source) > PARDONED);

export const isUnreached = ({ reached }: Known): boolean => reached === Number.NEGATIVE_INFINITY;
