import type { PeerId } from "../gossip/neighbourhood.ts";
import { hashText } from "../numbers/hash.ts";
import { log2 } from "../numbers/ln.ts";
import { eighthOctave, quarterOctave } from "../numbers/powers.ts";
import type { Profile } from "./profile.ts";
import { calledBy, type PeerRecord } from "./record.ts";

/**
 * What a peer tells a partner so that the partner knows which records to send: for those it knows how much there must
 * be of them to be worth sending, and which others it would keep. Short: about two
 * bytes for each record it speaks of (wants.ts).
 */
export interface Greeting {
  readonly peer: PeerId;
  /** Is an exchange due from its side? */
  readonly due: boolean;
  /** It keeps records of origins that it does not speak of only below this rank (`rankFor`). */
  readonly worst: number;
  /** And only with at least this `countCode`: what is much shorter than its own says little, and would not be kept. */
  readonly least: number;
  /** What records are called by here depends on it (`calledBy`); another one in each greeting. */
  readonly salt: number;
  /** By what a record is called: the least `countCode` that is news, and `KIN` if it may be kin. */
  readonly wants: ReadonlyMap<number, number>;
  /** Where it seeks kin: what they are like. Then it speaks of all that it holds. */
  readonly profile: Profile | null;
  /** It has lost observations of its own, and asks for its last record that others hold. */
  readonly lost?: boolean;
}

export const KIN = 0x80;
/** A want that nothing meets. */
export const NOTHING = 0x7f;
/** Worse than any rank: everybody is welcome. */
export const ANY_RANK = 0xffffffff;

/** From here on counts are told in half octaves: whoever has seen so much learns little from a few more. */
const MANY = 4096;
const CODE_OF_MANY = 1 + 8 * 12;

/**
 * A count in steps of an eighth of an octave, from 1, beyond `MANY` of half an octave; what is compared is always a code with a
 * code. Those of most records are looked up: a greeting asks for that of every record.
 */
export const countCode = (count: number): number => CODES[count] ?? codeOf(count);

function codeOf(count: number): number {
  if (count < 1) return 0;
  if (count < MANY) return 1 + Math.floor(8 * log2(count));
  return Math.min(NOTHING - 1, CODE_OF_MANY + Math.floor(2 * log2(count / MANY)));
}

const CODES = Uint8Array.from({ length: 1024 }, (_, count) => codeOf(count));

/** The least count of a code. */
export function countOf(code: number): number {
  if (code === 0) return 0;
  return code <= CODE_OF_MANY ? eighthOctave(code - 1) : MANY * quarterOctave(2 * (code - CODE_OF_MANY));
}

/** How welcome an unknown origin is to a peer: random, but always the same. */
export const rankFor = (peer: PeerId, origin: PeerId): number => hashText(`${peer} ${origin}`);

/** What a greeting says of a record; undefined where that is nothing. Whoever says nothing at all need not be looked up. */
export const wantOf = ({ wants, salt }: Greeting, record: PeerRecord): number | undefined =>
  wants.size === 0 ? undefined : wants.get(calledBy(record, salt));

/**
 * What to send to whoever greeted so: `own` first, then its kin and those most like it (`alike`), then what it lacks
 * most; `budget` at most.
 */
export function recordsFor(
  to: Greeting,
  own: PeerRecord | null,
  others: Iterable<PeerRecord>,
  alike: ReadonlySet<PeerRecord>,
  budget: number,
): PeerRecord[] {
  const candidates: { readonly record: PeerRecord; readonly rank: number }[] = [];
  const consider = (record: PeerRecord, welcome: boolean): void => {
    if (record.origin === to.peer) {
      if (to.lost === true) candidates.push({ record, rank: Number.POSITIVE_INFINITY });
      return;
    }
    const want = wantOf(to, record);
    const code = countCode(record.count);
    if (code < (want === undefined ? to.least : want & ~KIN)) return;
    const ranked = want === undefined && !welcome && to.worst !== ANY_RANK;
    if (ranked && rankFor(to.peer, record.origin) >= to.worst) return;
    // Codes differ by less than KIN.
    const first = record === own ? 2 * KIN : welcome ? KIN : 0;
    candidates.push({ record, rank: code - ((want ?? 0) & ~KIN) + ((want ?? 0) & KIN) + first });
  };
  // Whoever seeks kin wants to know whom it met.
  if (own !== null) consider(own, to.profile !== null);
  for (const record of others) consider(record, alike.has(record));
  candidates.sort((a, b) => b.rank - a.rank);
  return candidates.slice(0, budget).map(({ record }) => record);
}
