import type { PeerId } from "../gossip/neighbourhood.ts";
import { hashBefore, hashBehind, hashText, hashTexts } from "../numbers/hash.ts";
import { countCode } from "./countCode.ts";
import type { Profile } from "./profile.ts";
import { calledBy, type PeerRecord } from "./record.ts";
import type { Shelf } from "./shelf.ts";
import { calledOf, WantList, type Wants, wantedOf } from "./wantList.ts";

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
  readonly wants: Wants;
  /** Where it seeks kin: what they are like. Then it speaks of all that it holds. */
  readonly profile: Profile | null;
  /** It has lost observations of its own, and asks for its last record that others hold. */
  readonly lost?: boolean;
}

export const KIN = 0x80;
/** Worse than any rank: everybody is welcome. */
export const ANY_RANK = 0xffffffff;

/** How welcome an unknown origin is to a peer: random, but always the same. */
export const rankFor = (peer: PeerId, origin: PeerId): number => hashTexts(peer, origin);

/** Instead of what a greeting says of a record, where that is nothing. */
export const UNSAID = -1;

/** Room for the answers to one greeting: to make it for each takes as long as to fill it. */
let answers = new Int16Array(128);

/** Where each entry of a greeting stands by what its record is called; two places for each, or more. Of no meaning from one call to the next. */
let places = new Int32Array(512);
const EMPTY = -1;

/** What a greeting says of each record of a shelf. Whoever says nothing at all need not be looked up. Lent until the next call. */
export function wantsOf({ wants, salt }: Greeting, shelf: Shelf): Int16Array {
  const { size } = shelf;
  if (answers.length < size) answers = new Int16Array(2 * size);
  if (wants.size === 0) return answers.fill(UNSAID, 0, size);
  const mask = place(WantList.of(wants).entries);
  for (let k = 0; k < size; k++) {
    const called = shelf.calledAt(k, salt);
    let at = called & mask;
    while (places[at] !== EMPTY && calledOf(places[at]!) !== called) at = (at + 1) & mask;
    answers[k] = places[at] === EMPTY ? UNSAID : wantedOf(places[at]!);
  }
  return answers;
}

/** Puts entries into `places`, each at the bits of its name that the mask keeps or behind that. The mask. */
function place(entries: readonly number[]): number {
  const mask = (1 << (33 - Math.clz32(entries.length))) - 1;
  if (places.length <= mask) places = new Int32Array(mask + 1);
  places.fill(EMPTY, 0, mask + 1);
  for (let k = 0; k < entries.length; k++) {
    let at = calledOf(entries[k]!) & mask;
    while (places[at] !== EMPTY) at = (at + 1) & mask;
    places[at] = entries[k]!;
  }
  return mask;
}

/** The least `countCode` of a record that is news, of which a greeting says this. */
const leastOf = ({ least }: Greeting, said: number): number => (said === UNSAID ? least : said & ~KIN);

/**
 * What to send to whoever greeted so: `own` first, then its kin and those most like it (`alike`), then what it lacks
 * most; `budget` at most. `said` is what the greeting says of each of the others.
 */
export function recordsFor(
  to: Greeting,
  own: PeerRecord | null,
  others: Shelf,
  alike: ReadonlySet<PeerRecord>,
  budget: number,
  said = wantsOf(to, others),
): PeerRecord[] {
  if (own !== null && own.origin !== to.peer) {
    const want = to.wants.get(calledBy(own, to.salt)) ?? UNSAID;
    // Whoever seeks kin wants to know whom it met.
    const code = countCode(own.count);
    if (code >= leastOf(to, want) && (to.profile !== null || mayKeep(to, hashBefore(to.peer), want, own.origin))) {
      best.offer(own, rankOf(code, want) + 2 * KIN, budget);
    }
  }
  const reader = hashText(to.peer);
  const before = hashBefore(to.peer);
  for (let k = 0; k < others.size; k++) {
    const [code, want] = [others.code[k]!, said[k]!];
    if (others.origin[k] === reader && others.records[k]!.origin === to.peer) {
      if (to.lost === true) best.offer(others.records[k]!, FIRST, budget);
      continue;
    }
    // Most are no news, which their columns tell; and whoever is spoken of is not among those alike.
    if (code < leastOf(to, want)) continue;
    const record = others.records[k]!;
    const welcome = want === UNSAID && alike.size > 0 && alike.has(record);
    if (!welcome && !mayKeep(to, before, want, record.origin)) continue;
    best.offer(record, rankOf(code, want) + (welcome ? KIN : 0), budget);
  }
  return best.take();
}

/** Before all others. */
const FIRST = 0xffff;

/** Codes differ by less than KIN. */
function rankOf(code: number, want: number): number {
  return want === UNSAID ? code : code - (want & ~KIN) + (want & KIN);
}

/** Whether whoever greets so, and says this of a record, would keep it where its view is full: by `rankFor`, of which `before` is the half. */
const mayKeep = (to: Greeting, before: number, want: number, origin: PeerId): boolean =>
  want !== UNSAID || to.worst === ANY_RANK || hashBehind(before, origin) < to.worst;

/** The records of highest rank so far, the first of equals before the others. */
class Best {
  #records: PeerRecord[] = [];
  #ranks = new Int32Array(32);

  offer(record: PeerRecord, rank: number, most: number): void {
    const records = this.#records;
    if (this.#ranks.length < most) this.#ranks = new Int32Array(2 * most);
    const ranks = this.#ranks;
    let at = records.length;
    if (at === most) {
      if (most === 0 || rank <= ranks[most - 1]!) return;
      at -= 1;
    }
    for (; at > 0 && rank > ranks[at - 1]!; at--) {
      records[at] = records[at - 1]!;
      ranks[at] = ranks[at - 1]!;
    }
    records[at] = record;
    ranks[at] = rank;
  }

  /** Those that were offered; then there are none. */
  take(): PeerRecord[] {
    const found = this.#records;
    this.#records = [];
    return found;
  }
}

const best = new Best();
