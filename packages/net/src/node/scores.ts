import type { PeerId } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";
import { keepNewest } from "../keep.ts";
import type { NameSource } from "../membership/shares.ts";

/** What is counted against somebody: what it did, or did not do. */
export const CAUSES = ["unanswered", "slow", "refused", "forged", "malformed", "useless", "excessive"] as const;
export type Cause = (typeof CAUSES)[number];

/** What each weighs. Nobody forges by an accident of versions or disks. Of silence and of useless names see `Standing`. */
const WEIGHTS: Readonly<Record<Cause, number>> = {
  unanswered: 0,
  useless: 0,
  refused: 0,
  slow: 0.5,
  malformed: 1,
  excessive: 1,
  forged: 4,
};

/** Whoever has this much against it is refused: no connection to it stays, and none is made. */
export const MOST_SCORE = 3;
/** Ticks after which half of it is forgotten: ten minutes at the usual pace. */
const HALF_LIFE = 60;
/** Ticks that somebody is left alone after it did not answer; then so many times as long, up to a bound. */
const FIRST_REST = 2;
const REST_FACTOR = 4;
const MOST_REST = 128;
/** Of one that has answered before, and may only be on a bad network. */
const MOST_REST_OF_PROVEN = 16;
/** Answers that are remembered in its favour. */
const MOST_CREDIT = 20;
/** One name that nobody answers to says little of who brought it: the second begins a rest, a longer one, for there are more. */
const PARDONED = 1;
const SOURCE_REST = 16;
/** The same of an address prefix, and less: all of an office are at one, and a name that does not answer leaves time to meet another. */
const PREFIX_REST = 8;
/** What is held against a prefix beyond those that speak for it, at most: more changes nothing, and would take as long to forget. */
const MOST_DOUBTS = 6;
/** Within so many ticks a peer's proposals count for its prefix once, and those of so many peers at most. */
const CALLED_TICKS = 16;
const MOST_CALLERS = 32;
/** Whoever answered within so many ticks speaks for its address prefix. */
const LATELY = 120;
/** A tick at the usual pace. */
const USUAL_TICK_MS = 10_000;
const MOST_SCORED = 1024;
const FORGOTTEN = 0.05;

/** A peer that is refused from now on, or an address prefix of which more than one name was of no use. */
export interface Distrust {
  readonly what: "peer" | "prefix";
  readonly who: string;
}

interface Standing {
  /** What it did, by weight. Fades. */
  score: number;
  /** Times in a row that it did not answer; for a source, those of its names, less what speaks for it. */
  silences: number;
  /** The tick from which it may be drawn again. */
  until: number;
  /** Exchanges that it has answered since it last left one without an end. One that has any stands for itself. */
  credit: number;
  /** The tick at which it last answered one, and the address prefix it speaks for by that. */
  answered: number;
  prefix: NameSource | null;
  /** Whether an exchange with it has ever come about. */
  met: boolean;
}

/**
 * What speaks for and against peers, those who bring their names, and address prefixes. Silence leads to rest: whoever does not
 * answer is drawn less often, whatever it says elsewhere. What no correct peer does leads to refusal. Both fade, because addresses
 * and programs change, and nobody is shut out for ever. A peer that has answered stands for itself; one that has not is taken for
 * what its sources are worth.
 */
export class Scores {
  /** How often each cause was counted. */
  readonly counts = new Map<Cause, number>(CAUSES.map((cause) => [cause, 0]));
  readonly #standings = new Map<string, Standing>();
  /** How many peers speak for each address prefix. */
  readonly #vouching = new Map<string, number>();
  /** Those whose proposals have counted for their prefix in the last few ticks. */
  readonly #callers = new Set<PeerId>();
  readonly #distrusted: Distrust[] = [];
  #ticks = 0;
  /** The tick by which everybody may be drawn again. */
  #latest = 0;
  #doubting = false;
  /** Since when no tick has passed, and which was the last. */
  #since = Number.NEGATIVE_INFINITY;
  #passed = -1;

  /** Whether any source is in doubt. */
  get doubting(): boolean {
    return this.#doubting;
  }

  /** Counts what `peer` did. True where it is refused from now on. */
  add(peer: PeerId, cause: Cause, times = 1): boolean {
    if (times === 0) return false;
    this.#count(cause, times);
    const before = this.refuses(peer);
    const standing = this.#of(peer);
    standing.score += WEIGHTS[cause] * times;
    const refused = !before && this.refuses(peer);
    if (refused) this.#distrusted.push({ what: "peer", who: peer });
    return refused;
  }

  /** It did not answer. Where it never has, that is also the word of its sources. */
  silent(peer: PeerId, sources: readonly NameSource[]): void {
    this.#count("unanswered", 1);
    const standing = this.#of(peer);
    const proven = standing.credit > 0;
    this.#rest(standing, 0, FIRST_REST, proven ? MOST_REST_OF_PROVEN : MOST_REST);
    if (proven) return;
    for (const source of sources) this.#doubt(source);
    if (sources.length > 0) this.#count("useless", 1);
  }

  /** It did. */
  answered(peer: PeerId, sources: readonly NameSource[]): void {
    const standing = this.#of(peer);
    const prefix = ownPrefix(sources);
    if (prefix !== null && !this.#vouches(standing)) this.#vouching.set(prefix, this.#vouched(prefix) + 1);
    if (standing.credit === 0) for (const source of sources) this.#forgive(source);
    standing.credit = Math.min(MOST_CREDIT, standing.credit + 1);
    standing.answered = this.#ticks;
    standing.prefix = prefix;
    standing.met = true;
    standing.silences = 0;
    standing.until = 0;
  }

  /** It left an exchange without an end. */
  abandoned(peer: PeerId): void {
    this.#of(peer).credit = 0;
  }

  /**
   * An exchange of its own came about: it is there, though it did not answer ours. That makes up for one name of its prefix that did not
   * answer: who has just come back to an office is called by others before it reaches many of them.
   */
  proposed(peer: PeerId, sources: readonly NameSource[]): void {
    const prefix = ownPrefix(sources);
    if (this.#doubting && prefix !== null && !this.#callers.has(peer) && this.#callers.size < MOST_CALLERS) {
      this.#callers.add(peer);
      this.#pardon(prefix, 1);
    }
    const standing = this.#standings.get(peer);
    // Whoever is not known yet has nothing to make good, and anybody can propose under any number of names.
    if (standing === undefined) return;
    standing.met = true;
    if (standing.until > this.#ticks) standing.until = this.#ticks + ((standing.until - this.#ticks) >> 1);
  }

  /** Exchanges that it has answered since it last left one without an end. */
  credit(peer: PeerId): number {
    return this.#standings.get(peer)?.credit ?? 0;
  }

  /** Somebody was found where its sources said. Of an address prefix that says nothing: it may have any number of names. */
  found(sources: readonly NameSource[]): void {
    for (const source of sources) if (source.startsWith("by ")) this.#forgive(source);
  }

  /** Whether an exchange with it has ever come about, as far as we remember. */
  hasMet(peer: PeerId): boolean {
    return this.#standings.get(peer)?.met === true;
  }

  /** Whether it has answered an exchange since it last left one without an end. */
  stands(peer: PeerId): boolean {
    return this.credit(peer) > 0;
  }

  /** Address prefixes of which names were of no use more than once. */
  doubted(): string[] {
    if (!this.#doubting) return [];
    const found: string[] = [];
    for (const [key, standing] of this.#standings)
      if (isPrefix(key) && this.#doubtsOf(key, standing) > PARDONED) found.push(key.slice(5));
    return found;
  }

  /** It never answered, or did not the last time. */
  isDoubtful(peer: PeerId): boolean {
    const standing = this.#standings.get(peer);
    return standing === undefined || standing.credit === 0 || standing.silences > 0;
  }

  /** Ticks until a peer may be drawn; 0 where it may be now. */
  rests(peer: PeerId, sources: readonly NameSource[]): number {
    if (this.#latest <= this.#ticks) return 0;
    const own = this.#standings.get(peer);
    const others = (own?.credit ?? 0) > 0 ? [] : sources;
    const until = others.reduce(
      (most, source) => Math.max(most, this.doubts(source) > PARDONED ? this.#standings.get(source)!.until : 0),
      own?.until ?? 0,
    );
    return Math.max(0, until - this.#ticks);
  }

  /** Who lost its trust since this was last asked. */
  distrusted(): readonly Distrust[] {
    return this.#distrusted.length === 0 ? this.#distrusted : this.#distrusted.splice(0);
  }

  /** Whether a peer stands for itself, or comes from sources whose names were of use. */
  trusts(peer: PeerId, sources: readonly NameSource[]): boolean {
    return !this.#doubting || this.stands(peer) || sources.every((source) => this.doubts(source) <= PARDONED);
  }

  /** A round of gossip at `now`: where the peer's own clock stands still, time passes all the same. */
  pass(now: number): void {
    if (this.#passed !== this.#ticks) {
      this.#passed = this.#ticks;
      this.#since = now;
    } else if (now - this.#since >= USUAL_TICK_MS) this.tick();
  }

  /** How much is against it. */
  of(peer: PeerId | NameSource): number {
    return this.#standings.get(peer)?.score ?? 0;
  }

  refuses(peer: PeerId): boolean {
    return this.of(peer) >= MOST_SCORE;
  }

  /** How often names of a source were of no use lately: the more, the fewer of them are kept. */
  doubts(source: NameSource): number {
    const standing = this.#standings.get(source);
    return standing === undefined ? 0 : this.#doubtsOf(source, standing);
  }

  /** Those that are left alone for now, those refused, and address prefixes in doubt. */
  get summary(): { readonly resting: number; readonly refused: number; readonly prefixes: number } {
    let [resting, refused, prefixes] = [0, 0, 0];
    for (const [key, standing] of this.#standings) {
      const { until, score } = standing;
      if (isPrefix(key)) prefixes += this.#doubtsOf(key, standing) > PARDONED ? 1 : 0;
      else if (score >= MOST_SCORE) refused += 1;
      else if (until > this.#ticks && !key.startsWith("by ")) resting += 1;
    }
    return { resting, refused, prefixes };
  }

  /** One tick of the peer's clock has passed. */
  tick(): void {
    this.#ticks += 1;
    if (this.#ticks % CALLED_TICKS === 0) this.#callers.clear();
    this.#doubting = false;
    this.#vouching.clear();
    for (const standing of this.#standings.values()) {
      const { prefix } = standing;
      if (prefix !== null && this.#vouches(standing)) this.#vouching.set(prefix, this.#vouched(prefix) + 1);
    }
    for (const [key, standing] of this.#standings) {
      standing.score *= FADE;
      if (standing.score < FORGOTTEN) standing.score = 0;
      // So long after its last rest, one less is held against it with each tick.
      if (standing.silences > 0 && this.#ticks - standing.until > HALF_LIFE) standing.silences -= 1;
      this.#doubting ||= isSource(key) && this.#doubtsOf(key, standing) > PARDONED;
      if (standing.score === 0 && standing.silences === 0 && standing.credit === 0) this.#standings.delete(key);
    }
  }

  #of(key: string): Standing {
    const standing = this.#standings.get(key) ?? { ...UNKNOWN };
    return keepNewest(this.#standings, key, standing, MOST_SCORED);
  }

  #rest(standing: Standing, pardoned: number, first: number, most = MOST_REST): void {
    standing.silences += 1;
    const times = standing.silences - pardoned - 1;
    // Who is pardoned does not rest, but is not forgotten sooner for that.
    standing.until = this.#ticks + (times >= 0 ? Math.min(most, first * REST_FACTOR ** times) : 0);
    this.#latest = Math.max(this.#latest, standing.until);
  }

  #doubt(source: NameSource): void {
    const standing = this.#of(source);
    if (isPrefix(source)) {
      // The more of it answer, the sooner the next of its names is tried.
      const vouched = this.#vouched(source);
      standing.silences = Math.min(standing.silences, vouched + MOST_DOUBTS - 1);
      this.#rest(standing, PARDONED + vouched, PREFIX_REST / (1 + vouched), MOST_REST / (1 + vouched));
    } else this.#rest(standing, PARDONED, SOURCE_REST);
    const doubts = this.doubts(source);
    this.#doubting ||= doubts > PARDONED;
    if (doubts === PARDONED + 1 && isPrefix(source)) this.#distrusted.push({ what: "prefix", who: source.slice(5) });
  }

  /** A name of it was of use. */
  #forgive(source: NameSource): void {
    const silences = this.#standings.get(source)?.silences ?? 0;
    this.#pardon(source, silences - (silences >> 1));
  }

  #pardon(source: NameSource, silences: number): void {
    const standing = this.#standings.get(source);
    if (standing === undefined) return;
    standing.silences = Math.max(0, standing.silences - silences);
    if (this.#doubtsOf(source, standing) <= PARDONED) standing.until = this.#ticks;
  }

  /** Whether a peer speaks for its prefix. */
  #vouches({ credit, answered }: Standing): boolean {
    return credit > 0 && this.#ticks - answered <= LATELY;
  }

  #vouched(prefix: string): number {
    return this.#vouching.get(prefix) ?? 0;
  }

  /** Silences that count against a source. Of a prefix, names that answer make up for as many that do not. */
  #doubtsOf(key: string, { silences }: Standing): number {
    return isPrefix(key) ? Math.max(0, silences - this.#vouched(key)) : silences;
  }

  #count(cause: Cause, times: number): void {
    this.counts.set(cause, this.counts.get(cause)! + times);
  }
}

const UNKNOWN: Standing = { score: 0, silences: 0, until: 0, credit: 0, answered: 0, prefix: null, met: false };

const isPrefix = (key: string): boolean => key.startsWith("from ");

/** Where a peer itself is. Of an entry that somebody brought, the first prefix is that of whoever did: it may be the only one. */
function ownPrefix(sources: readonly NameSource[]): NameSource | null {
  const prefixes = sources.filter(isPrefix);
  const brought = sources.length > prefixes.length;
  return brought && prefixes.length < 2 ? null : (prefixes.at(-1) ?? null);
}

const isSource = (key: string): boolean => key.startsWith("by ") || isPrefix(key);
const FADE = 0.5 ** (1 / HALF_LIFE);

/** Under which cause what an exchange complains of is counted. */
export const causeOf = (reason: ViolationReason): Cause => (reason === "forged" ? "forged" : "malformed");
