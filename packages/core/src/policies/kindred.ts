import type { Arms } from "../bandit/arms.ts";
import { expectRandom, propensityOf } from "../bandit/choice.ts";
import { ProtocolViolation } from "../errors.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Others } from "../kindred/bonus.ts";
import { Change } from "../kindred/change.ts";
import { countCode } from "../kindred/countCode.ts";
import { Guard } from "../kindred/guard.ts";
import { type KindredOptions, parseKindred } from "../kindred/options.ts";
import { OwnSums, type Start } from "../kindred/own.ts";
import { Population } from "../kindred/population.ts";
import { Posterior } from "../kindred/posterior.ts";
import { Published } from "../kindred/published.ts";
import { atMost, type Sums } from "../kindred/record.ts";
import { Repeats } from "../kindred/repeats.ts";
import { gaussian, type RewardLikelihood } from "../kindred/rewardLikelihood.ts";
import { callsIn, Schedule } from "../kindred/schedule.ts";
import { type Solved, solve } from "../kindred/solve.ts";
import { lendersOf, RecordView } from "../kindred/view.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { traceOf } from "../numbers/packed.ts";
import type { Random } from "../numbers/random.ts";
import type { Heritage, Learner, LearnerView, Offer, Outcome, Policy } from "../peer/learner.ts";
import { allOf, type Work } from "../work.ts";
import { expectOffer } from "./expect.ts";
import { KindredLending } from "./kindredLending.ts";
import { codec, type KindredOffer } from "./kindredOffer.ts";

/**
 * Peers pass on records, each what one peer has seen; put those of their view into groups that share a θ; learn from
 * them what peers in general are like; and choose from the posterior of their own θ, a mixture over the groups they may
 * belong to, a draw of their own from the population, and what they would believe alone. See docs/kindred.md.
 */
export function kindred(options: Partial<KindredOptions> = {}): Policy {
  const checked = parseKindred("", options);
  return {
    kind: "kindred",
    options: options.growth === undefined ? { ...checked, growth: FIRST_GROWTH } : checked,
    layout: LAYOUT,
    pairing: checked.pairing,
    ...((checked.early ?? true) ? { calls: callsIn } : {}),
    delivery: "newest",
    codec,
    propensity: propensityOf(checked.choice),
    slots: 0,
    budget: checked.budget,
    wary: checked.wary,
    warily: () => kindred({ ...options, wary: true }),
    ownClock: true,
    create: (dimension, _peers, self) => new Kindred(self, dimension, checked),
  };
}

/**
 * The growth that rooms and stores were first made with. At what pace a peer publishes is its own matter: where none is given, what
 * peers agree on stays as it was.
 */
const FIRST_GROWTH = 1.1;
/** Of `write`. Raise it when that changes: peers of other layouts go on from their heritage. */
const LAYOUT = 11;
/** Kin are enough when one borrows so many times what one has seen, less one. */
const ENOUGH = 8;
/** Records this many eighths of an octave shorter than one's own are the first to go from a full view. */
const SHORT = 16;
/** Records placed anew each time, in each grouping; and of those that have come by a choice, so that nobody waits for all of them. */
const SWEEP = 4;
/** How many times my own observations a record counts for at most where the noise is measured. */
const TRUST = 3;
/** The posterior is solved anew when own observations have grown by this factor; in between it is updated. */
const RESOLVE = 1.1;
/** Own observations at the last solution, where a choice must not rest on it any more. */
const OUTDATED = -1;
/** Drift is looked for where less than this share of own choices are of arms chosen before: else what is recent is of other arms. */
const REPEATED = 0.5;
/** More features than these: what it takes to remember is more than it brings. */
const MANY = 64;
/** Steps of a fit. */
const STEPS = 3;
/** Steps of a fit to sums that came all at once: more than it takes from anywhere to anywhere. */
const SETTLED = 60;

/** What a choice rests on. */
interface Glance {
  readonly evidence: number;
  readonly aside: number;
  readonly lenders: ReadonlyMap<PeerId, number>;
}

class Kindred implements Learner {
  readonly #own: OwnSums;
  readonly #published: Published;
  readonly #population: Population;
  readonly #records: RecordView;
  readonly #change: Change;
  readonly #posterior: Posterior;
  readonly #repeats = new Repeats();
  readonly #guard: Guard;
  /** Observations the choice rests on: own ones, and those of groups by the chance of being in them. */
  #evidence = 0;
  /** The chance that others' records are of no use to me. */
  #aside = 0;
  /** Own observations at the last full solution; `OUTDATED` where the next choice asks for another. */
  #solvedAt = 0;
  /** What it would be, for whoever looks; null before somebody does. */
  #glance: Glance | null = null;
  /** Own observations since the round before closed. */
  #turns = 0;
  readonly #schedule = new Schedule();
  /** How many there are, since anybody said so; 0 before. */
  #peers = 0;
  readonly #lending: KindredLending;
  readonly view: LearnerView;

  constructor(
    readonly self: PeerId,
    readonly dimension: number,
    readonly options: KindredOptions,
  ) {
    this.#own = new OwnSums(dimension);
    this.#published = new Published(self, options);
    this.#population = new Population(dimension, options);
    this.#records = new RecordView(self, dimension, this.#population, options);
    if (options.wary === true) this.#records.groups.most = dimension;
    this.#change = new Change(dimension, this.#records.groups);
    this.#posterior = new Posterior(dimension);
    this.#posterior.repeated = 0;
    this.#guard = new Guard(dimension, options.wary);
    const parts = { self, dimension, options, own: this.#own, published: this.#published, records: this.#records };
    const evidence = (): number => this.#evidence;
    this.#lending = new KindredLending({ ...parts, schedule: this.#schedule, posterior: this.#posterior, evidence });
    this.view = this.#makeView();
    this.#solve();
  }

  choose(arms: Arms, _round: number, random: Random | undefined): number {
    const { choice, explore } = this.options;
    this.#settle();
    this.#posterior.others = this.#others();
    if (choice === "optimistic") return this.#posterior.choose(arms, explore);
    return this.#posterior.draw(arms, explore, expectRandom(random));
  }

  score(arms: Arms, _round: number, random: Random | undefined, out: Float64Array): void {
    const { choice, explore } = this.options;
    this.#settle();
    this.#posterior.others = this.#others();
    if (choice === "optimistic") this.#posterior.score(arms, explore, out);
    else this.#posterior.drawScores(arms, explore, expectRandom(random), out);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    allOf(this.observing(vectors, from, reward));
  }

  *observing(vectors: Float64Array, from: number, reward: number): Work {
    this.#catchUp();
    this.#own.add(vectors, from, reward, reward - this.#posterior.expected(vectors, from));
    this.#repeats.observe(vectors, from, this.dimension);
    this.#tellPosterior();
    const start = this.#change.find(this.#own);
    if (start === null) {
      this.#posterior.observe(vectors, from, reward);
      this.#evidence += 1;
    } else yield* this.#restart(start);
    this.#published.update(this.#own);
    const { count } = this.#own;
    this.#turns += 1;
    // The first observation of a round is fitted when the round closes, with what its meetings bring.
    const fits = this.#turns > 1 && this.#schedule.fits(count);
    if (fits) yield* this.#refit();
    if (start !== null) this.#solve();
    else if (fits || count >= this.#solvedAt * RESOLVE) this.#outdate();
  }

  offer(): Offer {
    return this.#lending.offer;
  }

  copyOffer(): Offer {
    return this.#lending.copyOffer();
  }

  /** An exchange takes place when either side is due one. */
  judge(_partner: PeerId, offer: Offer): Outcome {
    const theirs = expectOffer<KindredOffer>(offer, "kindred");
    if (theirs.dimension !== this.dimension) {
      throw new ProtocolViolation("mismatch", "offer.dimension", theirs.dimension, `be ${this.dimension}`);
    }
    return this.#schedule.due || (theirs.due ?? theirs.greeting.due) ? "mix" : "keep";
  }

  mix(offer: Offer): void {
    const records = expectOffer<KindredOffer>(offer, "kindred").recordsFor(this.#lending.greeting());
    if (records.length === 0) return;
    if (this.#records.take(records)) this.#outdate();
    else this.#lending.changed();
  }

  mixBoth(other: Learner): void {
    const offer = expectOffer<KindredOffer>(other.offer(), "kindred");
    // What I lend is found before I take anything; whoever counted its bytes has asked for the same.
    const mine = this.#lending.offer.recordsFor(offer.greeting);
    this.mix(offer);
    const lent: KindredOffer = { ...offer, recordsFor: () => mine };
    other.mix(lent);
  }

  /** Likely kin every other time: they have most of what I lack. In between anybody, who may know of others. */
  suggest(random: Random, isThere?: (peer: PeerId) => boolean): PeerId | null {
    if (!this.options.seek || random.below(2) === 0) return null;
    return this.#records.likelyKin(random, isThere);
  }

  part(): void {}
  settle(): void {}
  catchUp(): void {}

  resize(peers: number): void {
    this.#peers = peers;
  }

  forget(partner: PeerId): void {
    const kin = this.#records.chance(partner) > 0;
    this.#records.drop(partner);
    this.#glance = null;
    if (kin) this.#solve();
    this.#lending.changed();
  }

  /** My taste has changed, and nothing is seen of the new one. My last record stays until there is one of the new era. */
  change(): void {
    this.#own.clear();
    this.#solve();
  }

  heritage(): Heritage {
    const { slot, squares, count, era } = this.#own;
    return { slot, squares, count, era, version: this.#published.version };
  }

  inherit(heritage: Heritage): void {
    this.#own.load(heritage, heritage.era);
    this.renew(heritage.version);
    allOf(this.#refit(SETTLED));
    this.#solve();
  }

  recall(lost: boolean): void {
    this.#lending.recall(lost);
  }

  renew(version: number): void {
    this.#published.renew(version, this.#own);
  }

  close(round: number): void {
    allOf(this.closing(round));
  }

  *closing(round: number): Work {
    const worked = yield* this.#work(round);
    this.#follow();
    yield;
    if (worked || this.#solvedAt === OUTDATED) this.#solve();
    // Where not everybody can be known, kin are sought until there are enough of them.
    const seeking = this.options.seek && this.#records.full && this.#evidence < ENOUGH * this.#own.count;
    // Who is there and not known shall not have to wait until everything is asked for again.
    const lacking = this.#records.groups.list.length < Math.min(this.options.view, this.#peers - 1);
    this.#schedule.plan(round, seeking || lacking, lacking || this.#drifts ? 1 : this.#left());
    this.#turns = 0;
    this.#records.trim(Math.max(0, countCode(this.#own.count) - SHORT));
    // What comes after this is of the next round.
    this.#lending.changed();
  }

  /** Fits and groups what is due in `round`, and what came since the last one. Whether anything of it may have changed what I believe. */
  *#work(round: number): Work<boolean> {
    const fits = this.#schedule.fits(Math.max(round, this.#own.count));
    if (fits) yield* this.#refit();
    const { groups } = this.#records;
    // Where nothing is grouped, nothing is put anew.
    if (!this.options.groups || groups.list.length === 0) return fits;
    yield* this.#records.settling();
    const tidies = this.#schedule.tidies(round);
    // A fit to four records takes about as long as putting one anew; no round shall take much longer than others.
    if (tidies) this.#records.tidy(fits ? Math.max(0, SWEEP - (groups.list.length >> 2)) : SWEEP, round);
    const regroups = this.#schedule.regroups(round);
    if (regroups) yield* groups.restarting(round);
    return fits || tidies || regroups;
  }

  /** The next choice, or the close of the round, finds out what is to be believed: once for all that came until then. */
  #outdate(): void {
    this.#solvedAt = OUTDATED;
    this.#glance = null;
    this.#lending.changed();
  }

  #catchUp(): void {
    if (this.#solvedAt !== OUTDATED) return;
    if (this.options.groups) this.#records.settle(SWEEP);
    this.#solve();
  }

  /** What a choice rests on. Records that the one before left unplaced are next. */
  #settle(): void {
    if (this.options.groups && this.#records.unsettled) this.#solvedAt = OUTDATED;
    this.#catchUp();
  }

  /** Whether tastes drift can be told from records where arms are drawn anew. */
  get #varied(): boolean {
    const { groups, drift = true } = this.options;
    return groups && drift && this.dimension <= MANY && this.#repeats.share < REPEATED;
  }

  get #drifts(): boolean {
    return this.#varied && this.#records.groups.drift.believed;
  }

  #follow(): void {
    if (this.options.groups && (this.options.drift ?? true) && this.dimension <= MANY)
      this.#records.groups.follow(this.#varied);
  }

  /** Whoever it is may know of kin. */
  near(): boolean {
    return true;
  }

  /** My taste has changed: what was seen before it did says nothing of me any more. */
  *#restart(start: Start): Work {
    this.#own.restart(start);
    yield* this.#refit();
  }

  /** What a choice depends on beside sums: whether arms come again, and how rewards vary. */
  #tellPosterior(): void {
    this.#posterior.repeated = this.#repeats.share;
    this.#posterior.likelihood = this.#likelihood;
  }

  #others(): Others {
    const { groups, kin } = this.#records;
    const { noise, variance } = this.#population;
    return { records: groups.list.length - kin, ridge: noise / variance };
  }

  get #likelihood(): RewardLikelihood {
    return (this.options.clicks ?? true) ? this.#own.likelihood : gaussian;
  }

  /** A few steps at a time: fits are rare, and where the start was far off the next ones go on. */
  *#refit(steps = STEPS): Work {
    // Nobody's record says more of the noise than a few times what I have seen myself: else one liar could say it all.
    const most = TRUST * (this.#own.count + this.dimension);
    // Set in either case: the state may be of a peer that was wary, or was not.
    this.#records.groups.most = this.options.wary === true ? this.#usual() : Number.POSITIVE_INFINITY;
    if (this.options.population) {
      const all: Sums[] = [this.#own];
      for (const record of this.#records.records()) all.push(atMost(record, this.#records.groups.most));
      yield* this.#population.fitting(all, steps, most);
    }
    // Where the variance follows from the mean, whoever is paid rarely would seem to know more than others.
    const noises = this.options.population && (this.options.noises ?? true) && this.#likelihood.tellsNoise;
    yield* this.#records.groups.revaluing(noises ? this.#own.kurtosis : null);
  }

  /** What one of us has usually seen: the median of all counts, mine included, and not less than mine. */
  #usual(): number {
    const { count } = this.#own;
    const counts = [count, ...this.#records.records().map((record) => record.count)].sort((a, b) => a - b);
    // Where there is nobody to compare with, the first that come shall not count for nothing.
    if (counts.length === 1) return Math.max(count, this.dimension);
    return Math.max(count, counts[counts.length >> 1]!);
  }

  /** The share of what there is to know that I do not, had all directions been looked at alike. */
  #left(): number {
    if (this.#own.count === 0) return 1;
    const length = traceOf(this.#own.slot, this.dimension) / this.#own.count;
    const each = this.#evidence / this.dimension;
    // Without noise fewer observations than features explain themselves, and say nothing of other directions.
    return Math.max(1 - each, this.#population.left(each * length));
  }

  #solve(): void {
    const { evidence, aside, chances } = this.#solved(this.#posterior);
    this.#evidence = evidence;
    this.#aside = aside;
    this.#solvedAt = this.#own.count;
    this.#glance = null;
    this.#records.believe(chances);
    this.#lending.changed();
  }

  #solved(posterior: Posterior): Solved {
    const { groups } = this.#records;
    return solve(posterior, {
      own: this.#own,
      population: this.#population,
      groups: this.options.groups ? groups : null,
      guard: this.options.guard ? this.#guard : null,
      weight: groups.weight(this.#own),
      drifts: this.#drifts,
    });
  }

  /** What the next choice will rest on, but for where it will put records that have just come: who looks changes nothing. */
  #next(): Glance {
    if (this.#solvedAt !== OUTDATED) {
      return { evidence: this.#evidence, aside: this.#aside, lenders: this.#records.lenders() };
    }
    if (this.#glance === null) {
      const { evidence, aside, chances } = this.#solved(new Posterior(this.dimension));
      this.#glance = { evidence, aside, lenders: lendersOf(chances) };
    }
    return this.#glance;
  }

  #makeView(): LearnerView {
    const evidence = (): number => this.#next().evidence;
    const own = (): OwnSums => this.#own;
    const aside = (): number | undefined => (this.options.guard ? this.#next().aside : undefined);
    return {
      estimate: this.#posterior.mean,
      active: this.#posterior.pool,
      buffered: 0,
      pruned: new Set(),
      kept: () => this.#records.groups.entries.keys(),
      lenders: () => this.#next().lenders,
      borrows: (from) => this.#records.chance(from) > 0,
      spread: (vectors, from) => {
        if (this.options.choice !== "optimistic")
          return this.options.explore * this.#posterior.deviation(vectors, from);
        this.#posterior.others = this.#others();
        return this.#posterior.bonus(vectors, from, this.options.explore, this.dimension);
      },
      get evidence() {
        return evidence();
      },
      get own() {
        return own().count;
      },
      get outdated() {
        return own().outdated;
      },
      get aside() {
        return aside();
      },
    };
  }

  write(out: Writer): void {
    this.#own.write(out);
    this.#published.write(out);
    this.#population.write(out);
    this.#records.write(out);
    this.#posterior.write(out);
    this.#repeats.write(out);
    out.f64(this.#evidence);
    out.f64(this.#aside);
    out.f64(this.#peers);
    out.f64(this.#solvedAt);
    out.f64(this.#turns);
    this.#schedule.write(out);
  }

  read(from: Reader): void {
    this.#own.read(from);
    this.#published.read(from, this.dimension);
    this.#population.read(from);
    this.#records.read(from);
    this.#posterior.read(from);
    this.#repeats.read(from);
    this.#tellPosterior();
    this.#evidence = from.f64("evidence");
    this.#aside = from.f64("aside");
    this.#peers = from.f64("peers");
    this.#solvedAt = from.f64("solved");
    this.#turns = from.f64("turns");
    this.#schedule.read(from);
    this.#lending.changed();
  }
}
