import type { Arms } from "../bandit/arms.ts";
import { expectRandom, propensityOf } from "../bandit/choice.ts";
import { ProtocolViolation } from "../errors.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import { alike } from "../kindred/alike.ts";
import { Change } from "../kindred/change.ts";
import { countCode, type Greeting, recordsFor } from "../kindred/greeting.ts";
import type { Group } from "../kindred/group.ts";
import type { Chance } from "../kindred/groupings.ts";
import { Guard, WARY_ODDS } from "../kindred/guard.ts";
import { type KindredOptions, parseKindred } from "../kindred/options.ts";
import { Own, type Start } from "../kindred/own.ts";
import { Population } from "../kindred/population.ts";
import { Posterior } from "../kindred/posterior.ts";
import { profileOf } from "../kindred/profile.ts";
import { publish, type Record, type Sums } from "../kindred/record.ts";
import { readRecord, writeRecord } from "../kindred/recordState.ts";
import { Repeats } from "../kindred/repeats.ts";
import { Schedule } from "../kindred/schedule.ts";
import { View } from "../kindred/view.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { hashText } from "../numbers/hash.ts";
import { traceOf } from "../numbers/packed.ts";
import type { Random } from "../numbers/random.ts";
import type { Heritage, Learner, LearnerView, Offer, Outcome, Policy } from "../peer/learner.ts";
import { expectOffer } from "./expect.ts";
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
    options: checked,
    layout: LAYOUT,
    pairing: checked.pairing,
    delivery: "newest",
    codec,
    propensity: propensityOf(checked.choice),
    slots: 0,
    budget: checked.budget,
    ...(checked.wary === undefined ? {} : { wary: checked.wary }),
    warily: () => kindred({ ...checked, wary: true }),
    ownClock: true,
    create: (dimension, _peers, self) => new Kindred(self, dimension, checked),
  };
}

/** Of `write`. Raise it when that changes: peers of other layouts go on from their heritage. */
const LAYOUT = 5;
/** Kin are enough when one borrows so many times what one has seen, less one. */
const ENOUGH = 8;
/** Records this many quarter octaves shorter than one's own are the first to go from a full view. */
const SHORT = 8;
/** Records placed anew each round, in each grouping. */
const SWEEP = 8;
/** How many times my own observations a record counts for at most where the noise is measured. */
const TRUST = 3;
/** The posterior is solved anew when own observations have grown by this factor; in between it is updated. */
const RESOLVE = 1.1;
/** Steps of a fit to sums that came all at once: more than it takes from anywhere to anywhere. */
const SETTLED = 60;
/** A part of the posterior with less than this chance is left out. */
const LEAST_CHANCE = 0.01;

class Kindred implements Learner {
  readonly #own: Own;
  #mine: Record | null = null;
  /** Versions up to this one may be out there without my knowing what they say. */
  #renewed = 0;
  readonly #population: Population;
  readonly #records: View;
  readonly #change: Change;
  readonly #posterior: Posterior;
  readonly #repeats = new Repeats();
  readonly #guard: Guard;
  /** Observations the choice rests on: own ones, and those of groups by the chance of being in them. */
  #evidence = 0;
  /** The chance that others' records are of no use to me. */
  #aside = 0;
  /** Own observations at the last full solution. */
  #solvedAt = 0;
  /** Own observations since the round before closed. */
  #turns = 0;
  readonly #schedule = new Schedule();
  /** How many there are, since anybody said so; 0 before. */
  #peers = 0;
  /** Whether others are asked for my own last record. Not part of the state: it says what to ask, not what is known. */
  #lost = false;
  /** The greeting, until something changes it. */
  #greets: Greeting | null = null;
  readonly #offer: KindredOffer;
  readonly view: LearnerView;

  constructor(
    readonly self: PeerId,
    readonly dimension: number,
    readonly options: KindredOptions,
  ) {
    this.#own = new Own(dimension);
    this.#population = new Population(dimension, options.components ?? true);
    this.#records = new View(self, dimension, this.#population, options);
    if (options.wary === true) this.#records.groups.most = dimension;
    this.#change = new Change(dimension, this.#records.groups);
    this.#posterior = new Posterior(dimension);
    this.#posterior.repeated = 0;
    this.#guard = new Guard(dimension);
    this.#offer = this.#makeOffer();
    this.view = this.#makeView();
    this.#solve();
  }

  choose(arms: Arms, _round: number, random: Random | undefined): number {
    const { choice, explore } = this.options;
    this.#posterior.others = this.#records.groups.entries.size;
    if (choice === "optimistic") return this.#posterior.choose(arms, explore);
    return this.#posterior.draw(arms, explore, expectRandom(random));
  }

  score(arms: Arms, _round: number, random: Random | undefined, out: Float64Array): void {
    const { choice, explore } = this.options;
    this.#posterior.others = this.#records.groups.entries.size;
    if (choice === "optimistic") this.#posterior.score(arms, explore, out);
    else this.#posterior.drawScores(arms, explore, expectRandom(random), out);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    this.#own.add(vectors, from, reward, reward - this.#posterior.expected(vectors, from));
    this.#repeats.observe(vectors, from, this.dimension);
    this.#tellPosterior();
    const start = this.#change.find(this.#own);
    if (start !== null) this.#restart(start);
    this.#publish();
    const { count } = this.#own;
    this.#turns += 1;
    // The first observation of a round is fitted when the round closes, with what its meetings bring.
    if (this.#turns > 1 && this.#schedule.fits(count)) this.#refit();
    if (start !== null || count >= this.#solvedAt * RESOLVE) this.#solve();
    else {
      this.#posterior.observe(vectors, from, reward);
      this.#evidence += 1;
    }
  }

  offer(): Offer {
    return this.#offer;
  }

  /** Greeting and records as they are now; who reads it later gets what it would have got now. */
  copyOffer(): Offer {
    const copy: KindredOffer = {
      policy: "kindred",
      dimension: this.dimension,
      greeting: this.#greeting(),
      recordsFor: this.#lends(true),
    };
    return copy;
  }

  /** An exchange takes place when either side is due one. */
  judge(_partner: PeerId, offer: Offer): Outcome {
    const { greeting, dimension } = expectOffer<KindredOffer>(offer, "kindred");
    if (dimension !== this.dimension) {
      throw new ProtocolViolation("mismatch", "offer.dimension", dimension, `be ${this.dimension}`);
    }
    return this.#schedule.due || greeting.due ? "mix" : "keep";
  }

  mix(offer: Offer): void {
    this.#records.take(expectOffer<KindredOffer>(offer, "kindred").recordsFor(this.#greeting()));
    if (this.options.groups) this.#records.settle();
    this.#solve();
  }

  mixBoth(other: Learner): void {
    const offer = expectOffer<KindredOffer>(other.offer(), "kindred");
    const mine = this.#lends(false)(offer.greeting);
    this.mix(offer);
    const lent: KindredOffer = { ...offer, recordsFor: () => mine };
    other.mix(lent);
  }

  /** Likely kin every other time: they have most of what I lack. In between anybody, who may know of others. */
  suggest(random: Random, isThere?: (peer: PeerId) => boolean): PeerId | null {
    if (!this.options.seek || !this.#schedule.due || random.below(2) === 0) return null;
    return this.#records.likelyKin(random, isThere);
  }

  part(): void {}
  settle(): void {}
  catchUp(): void {}

  resize(peers: number): void {
    this.#peers = peers;
  }

  forget(partner: PeerId): void {
    this.#records.drop(partner);
    this.#greets = null;
  }

  /** My taste has changed, and nothing is seen of the new one. My last record stays until there is one of the new era. */
  change(): void {
    this.#own.clear();
    this.#solve();
  }

  heritage(): Heritage {
    const { slot, squares, count, era } = this.#own;
    return { slot, squares, count, era, version: Math.max(this.#mine?.version ?? 0, this.#renewed) };
  }

  inherit(heritage: Heritage): void {
    this.#own.load(heritage, heritage.era);
    this.renew(heritage.version);
    this.#refit(SETTLED);
    this.#solve();
  }

  recall(lost: boolean): void {
    this.#lost = lost;
    this.#greets = null;
  }

  /** What I have published, or may publish, goes out anew, so that it replaces whatever others hold of me. */
  renew(version: number): void {
    const mine = this.#mine;
    const { count, era } = this.#own;
    this.#renewed = Math.max(this.#renewed, mine?.version ?? 0, version);
    const since = mine?.era === era ? count - mine.count : count;
    if (count > 0 && since >= (this.options.batch ?? 0)) {
      this.#mine = publish(this.self, this.#renewed + 1, this.#own, era);
    } else if (mine !== null) this.#mine = publish(this.self, this.#renewed + 1, mine, mine.era);
  }

  close(round: number): void {
    // Where not everybody can be known, kin are sought until there are enough of them.
    const seeking = this.options.seek && this.#records.full && this.#evidence < ENOUGH * this.#own.count;
    // Who is there and not known shall not have to wait until everything is asked for again.
    const lacking = this.#records.groups.entries.size < Math.min(this.options.view, this.#peers - 1);
    this.#schedule.plan(round, seeking || lacking, lacking ? 1 : this.#left());
    this.#turns = 0;
    let sweep = SWEEP;
    if (this.#schedule.fits(Math.max(round, this.#own.count))) {
      this.#refit();
      // A fit to four records takes about as long as putting one anew; no round shall take much longer than others.
      sweep = Math.max(0, SWEEP - (this.#records.groups.entries.size >> 2));
    }
    if (this.options.groups) {
      this.#records.tidy(sweep, round);
      if (this.#schedule.regroups(round)) this.#records.groups.restart(round);
    }
    this.#solve();
    this.#records.trim(Math.max(0, countCode(this.#own.count) - SHORT));
  }

  /** Whoever it is may know of kin. */
  near(): boolean {
    return true;
  }

  /** My taste has changed: what was seen before it did says nothing of me any more. */
  #restart(start: Start): void {
    this.#own.restart(start);
    this.#refit();
  }

  /** What a choice depends on beside sums: whether arms come again, and whether rewards are clicks. */
  #tellPosterior(): void {
    this.#posterior.repeated = this.#repeats.share;
    this.#posterior.values = this.#clicks ? this.#own.values : null;
  }

  get #clicks(): boolean {
    return (this.options.clicks ?? true) && this.#own.clicks;
  }

  #publish(): void {
    const { count, era } = this.#own;
    const published = this.#mine?.era === era ? this.#mine.count : 0;
    if (count - published < (this.options.batch ?? 0)) return;
    if (count === 0 || (published > 0 && count < published * this.options.growth)) return;
    this.#mine = publish(this.self, Math.max(this.#mine?.version ?? 0, this.#renewed) + 1, this.#own, era);
  }

  /** Early on the start may be far off; later a step at a time follows. */
  #refit(steps = this.#own.count < 10 ? 3 : 1): void {
    // Nobody's record says more of the noise than a few times what I have seen myself: else one liar could say it all.
    const most = TRUST * (this.#own.count + this.dimension);
    if (this.options.wary === true) this.#records.groups.most = this.#usual() + this.dimension;
    if (this.options.population) {
      const others = this.#records.records().map((record) => atMost(record, this.#records.groups.most));
      this.#population.fit([this.#own, ...others], steps, most);
    }
    // Of clicks the variance follows from the mean: whoever is paid rarely would seem to know more than others.
    const noises = this.options.population && (this.options.noises ?? true) && !this.#clicks;
    this.#records.groups.revalue(noises ? this.#own.kurtosis : null);
  }

  /** What one of us has usually seen: the median of all counts, mine included, and not less than mine. */
  #usual(): number {
    const { count } = this.#own;
    const counts = [count, ...this.#records.records().map((record) => record.count)].sort((a, b) => a - b);
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

  /** The posterior of my θ: the groups I may belong to, a new draw from the population, and what I would believe alone. */
  #solve(): void {
    const posterior = this.#posterior;
    const { prior, noise } = this.#population;
    const { slot } = this.#own;
    const weight = this.#records.groups.weight(this.#own);
    const odds = this.options.wary === true ? WARY_ODDS : undefined;
    const doubt = this.options.guard ? this.#guard.weigh(this.#own, this.#population, odds) : 0;
    const chances = new Map<Group, number>();
    this.#evidence = this.#own.count;
    let seen = weight * this.#own.count;
    posterior.clear();
    const found = this.options.groups ? this.#records.groups.weigh(this.#own, weight) : [];
    const alone = Math.max(
      0,
      found.reduce((left, { chance }) => left - chance, 1),
    );
    // The weight of believing nobody is measured against that of being alone in the population.
    const total = 1 + doubt * alone;
    for (const same of sameGroups(found)) {
      const chance = same.reduce((sum, each) => sum + each.chance, 0) / total;
      if (chance < LEAST_CHANCE) continue;
      const { group } = same[0]!;
      this.#evidence += chance * group.count;
      seen += chance * group.weighted;
      posterior.add(chance, slot, group.slot, prior, noise, weight);
      for (const each of same) chances.set(each.group, each.chance / total);
    }
    if (alone / total >= LEAST_CHANCE) posterior.add(alone / total, slot, null, prior, noise, weight);
    this.#aside = (doubt * alone) / total;
    if (this.#aside >= LEAST_CHANCE) posterior.add(this.#aside, slot, null, this.#guard.prior, this.#guard.noise);
    posterior.finish(seen);
    this.#solvedAt = this.#own.count;
    this.#records.believe(chances);
    this.#greets = null;
  }

  #greeting(): Greeting {
    if (this.#greets !== null) return this.#greets;
    const profile = this.options.seek ? profileOf(this.#posterior.mean, countCode(this.#evidence)) : null;
    const { due, wide } = this.#schedule;
    const greeting = this.#records.greeting(due || this.#lost, wide, profile, this.#salt());
    this.#greets = this.#lost ? { ...greeting, lost: true } : greeting;
    return this.#greets;
  }

  /** Another one for every observation and every version of me: nobody else knows the sums it is made of before it is said. */
  #salt(): number {
    const { count, squares } = this.#own;
    return hashText(`${this.self} ${count} ${squares} ${this.#evidence}`);
  }

  /** What I would send to whoever greets; `kept` as it is now. */
  #lends(kept: boolean): (to: Greeting) => Record[] {
    const [mine, others, census] = [this.#mine, this.#records.records(), this.#records.census(kept)];
    return (to) => recordsFor(to, mine, others, alike(to, census), this.options.budget);
  }

  #makeOffer(): KindredOffer {
    const greeting = (): Greeting => this.#greeting();
    return {
      policy: "kindred",
      dimension: this.dimension,
      get greeting() {
        return greeting();
      },
      recordsFor: (to) => this.#lends(false)(to),
      held: (origin) => this.#records.groups.entries.get(origin)?.record ?? null,
    };
  }

  #makeView(): LearnerView {
    const evidence = (): number => this.#evidence;
    const own = (): number => this.#own.count;
    const aside = (): number | undefined => (this.options.guard ? this.#aside : undefined);
    return {
      estimate: this.#posterior.mean,
      active: this.#posterior.pool,
      buffered: 0,
      pruned: new Set(),
      kept: () => this.#records.groups.entries.keys(),
      lenders: () => this.#records.lenders(),
      spread: (vectors, from) => {
        if (this.options.choice !== "optimistic")
          return this.options.explore * this.#posterior.deviation(vectors, from);
        this.#posterior.others = this.#records.groups.entries.size;
        return this.#posterior.bonus(vectors, from, this.options.explore, this.dimension);
      },
      get evidence() {
        return evidence();
      },
      get own() {
        return own();
      },
      get aside() {
        return aside();
      },
    };
  }

  write(out: Writer): void {
    this.#own.write(out);
    writeRecord(out, this.#mine);
    out.f64(this.#renewed);
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
    this.#mine = readRecord(from, this.dimension);
    this.#renewed = from.f64("renewed");
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
    this.#greets = null;
  }
}

/** As if it were of no more than `most` observations. */
function atMost(sums: Sums, most: number): Sums {
  const share = most / sums.count;
  if (share >= 1) return sums;
  return { slot: sums.slot.map((value) => value * share), squares: sums.squares * share, count: most };
}

/** Groups of the same records in several groupings are one to a posterior. */
function sameGroups(found: readonly Chance[]): Iterable<Chance[]> {
  const byKey = new Map<number, Chance[]>();
  for (const each of found) {
    const same = byKey.get(each.group.key);
    if (same === undefined) byKey.set(each.group.key, [each]);
    else same.push(each);
  }
  return byKey.values();
}
