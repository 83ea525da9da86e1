import type { PeerId } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";
import type { Source } from "../membership/shares.ts";

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
/** One name that nobody answers to says little of who brought it: the second begins a rest, a longer one, for there are more. */
const PARDONED = 1;
const SOURCE_REST = 16;
/** A tick at the usual pace. */
const USUAL_TICK_MS = 10_000;
const MOST_SCORED = 1024;
const FORGOTTEN = 0.05;

interface Standing {
  /** What it did, by weight. Fades. */
  score: number;
  /** Times in a row that it did not answer; for a source, those of its names, less what speaks for it. */
  silences: number;
  /** The tick from which it may be drawn again. */
  until: number;
  /** Whether it has answered, so that it stands for itself. */
  proven: boolean;
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
  readonly #refused: PeerId[] = [];
  #ticks = 0;
  /** The tick by which everybody may be drawn again. */
  #latest = 0;
  #doubting = false;
  /** Since when no tick has passed, and which was the last. */
  #since = Number.NEGATIVE_INFINITY;
  #passed = -1;

  /** Whether any source may be in doubt. */
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
    if (refused) this.#refused.push(peer);
    return refused;
  }

  /** It did not answer. Where it never has, that is also the word of its sources. */
  silent(peer: PeerId, sources: readonly Source[]): void {
    this.#count("unanswered", 1);
    const standing = this.#of(peer);
    this.#rest(standing, 0, FIRST_REST);
    if (standing.proven) return;
    for (const source of sources) this.#rest(this.#of(source), PARDONED, SOURCE_REST);
    this.#doubting ||= sources.length > 0;
    if (sources.length > 0) this.#count("useless", 1);
  }

  /** It did. */
  answered(peer: PeerId, sources: readonly Source[]): void {
    const standing = this.#of(peer);
    if (!standing.proven) for (const source of sources) this.#speaksFor(source);
    standing.proven = true;
    standing.silences = 0;
    standing.until = 0;
  }

  /** Somebody was found where its sources said. Of an address prefix that says nothing: it may have any number of names. */
  found(sources: readonly Source[]): void {
    for (const source of sources) if (source.startsWith("by ")) this.#speaksFor(source);
  }

  /** Whether it has answered an exchange. */
  stands(peer: PeerId): boolean {
    return this.#standings.get(peer)?.proven ?? false;
  }

  /** Address prefixes of which names were of no use more than once. */
  doubted(): string[] {
    if (!this.#doubting) return [];
    const found: string[] = [];
    for (const [key, { silences }] of this.#standings)
      if (key.startsWith("from ") && silences > PARDONED) found.push(key.slice(5));
    return found;
  }

  /** It never answered, or did not the last time. */
  isDoubtful(peer: PeerId): boolean {
    const standing = this.#standings.get(peer);
    return standing === undefined || !standing.proven || standing.silences > 0;
  }

  /** Ticks until a peer may be drawn; 0 where it may be now. */
  rests(peer: PeerId, sources: readonly Source[]): number {
    if (this.#latest <= this.#ticks) return 0;
    const own = this.#standings.get(peer);
    const others = own?.proven === true ? [] : sources;
    const until = others.reduce(
      (most, source) => Math.max(most, this.#standings.get(source)?.until ?? 0),
      own?.until ?? 0,
    );
    return Math.max(0, until - this.#ticks);
  }

  /** Those refused since this was last asked. */
  refusals(): readonly PeerId[] {
    return this.#refused.length === 0 ? this.#refused : this.#refused.splice(0);
  }

  /** Whether names of one of these sources are left alone for now. */
  shuns(sources: readonly Source[]): boolean {
    if (this.#latest <= this.#ticks) return false;
    return sources.some((source) => (this.#standings.get(source)?.until ?? 0) > this.#ticks);
  }

  /** A round of gossip at `now`: where the peer's own clock stands still, time passes all the same. */
  pass(now: number): void {
    if (this.#passed !== this.#ticks) {
      this.#passed = this.#ticks;
      this.#since = now;
    } else if (now - this.#since >= USUAL_TICK_MS) this.tick();
  }

  /** How much is against it. */
  of(peer: PeerId | Source): number {
    return this.#standings.get(peer)?.score ?? 0;
  }

  refuses(peer: PeerId): boolean {
    return this.of(peer) >= MOST_SCORE;
  }

  /** How often names of a source were of no use lately: the more, the fewer of them are kept. */
  doubts(source: Source): number {
    return this.#standings.get(source)?.silences ?? 0;
  }

  /** Those that are left alone for now, those refused, and address prefixes in doubt. */
  get summary(): { readonly resting: number; readonly refused: number; readonly prefixes: number } {
    let [resting, refused, prefixes] = [0, 0, 0];
    for (const [key, { until, score, silences }] of this.#standings) {
      if (key.startsWith("from ")) prefixes += silences > PARDONED ? 1 : 0;
      else if (score >= MOST_SCORE) refused += 1;
      else if (until > this.#ticks && !key.startsWith("by ")) resting += 1;
    }
    return { resting, refused, prefixes };
  }

  /** One tick of the peer's clock has passed. */
  tick(): void {
    this.#ticks += 1;
    this.#doubting = false;
    for (const [key, standing] of this.#standings) {
      standing.score *= FADE;
      if (standing.score < FORGOTTEN) standing.score = 0;
      // After as long again as its last rest nothing is held against it.
      if (standing.silences > 0 && this.#ticks - standing.until > HALF_LIFE) standing.silences -= 1;
      this.#doubting ||= standing.silences > 0 && isSource(key);
      if (standing.score === 0 && standing.silences === 0 && !standing.proven) this.#standings.delete(key);
    }
  }

  #of(key: string): Standing {
    const standing = this.#standings.get(key) ?? { score: 0, silences: 0, until: 0, proven: false };
    // Set anew, so that the first of the map is the one of which nothing was heard longest.
    this.#standings.delete(key);
    this.#standings.set(key, standing);
    if (this.#standings.size > MOST_SCORED) this.#standings.delete(this.#standings.keys().next().value!);
    return standing;
  }

  #rest(standing: Standing, pardoned: number, first: number): void {
    standing.silences += 1;
    const times = standing.silences - pardoned - 1;
    if (times >= 0) standing.until = this.#ticks + Math.min(MOST_REST, first * REST_FACTOR ** times);
    this.#latest = Math.max(this.#latest, standing.until);
  }

  #speaksFor(source: Source): void {
    const standing = this.#standings.get(source);
    if (standing === undefined) return;
    standing.silences = standing.silences >> 1;
    if (standing.silences <= PARDONED) standing.until = 0;
  }

  #count(cause: Cause, times: number): void {
    this.counts.set(cause, this.counts.get(cause)! + times);
  }
}

const isSource = (key: string): boolean => key.startsWith("by ") || key.startsWith("from ");
const FADE = 0.5 ** (1 / HALF_LIFE);

/** Under which cause what an exchange complains of is counted. */
export const causeOf = (reason: ViolationReason): Cause => (reason === "forged" ? "forged" : "malformed");
