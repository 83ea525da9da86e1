import type { Reader, Writer } from "../numbers/bytes.ts";
import { addScaled, slotSize, triangleSize } from "../numbers/packed.ts";
import { roomOf } from "../numbers/room.ts";
import { Evidence, valueOfFit } from "./evidence.ts";
import type { Group, GroupEntry } from "./group.ts";
import type { Model } from "./population.ts";
import type { PeerRecord } from "./record.ts";
import { readRecord, writeRecord } from "./recordState.ts";

/** The last so many observations of a peer, up to twice as many, are its recent ones. */
export const RECENT = 64;
/** Drift is believed where both logs of odds are above this. They stay between 0 and `MOST`, so that they can turn; no news adds more than `SURE`, so that one surprise, or one liar, is not drift. */
const SURE = 3;
const MOST = 10;
/** A group tells nothing while more than this share of what it has seen is recent. */
const LATELY = 0.9;

interface Room {
  /** W, F, S and κS. */
  readonly news: Float64Array;
  readonly recent: Float64Array;
  readonly all: Float64Array;
  readonly asMany: Float64Array;
  /** explained and ln det of F, κS and S; values of F + W and κS + W. */
  readonly found: Float64Array;
  readonly values: Float64Array;
}

const makeRoom = (dimension: number): Room => ({
  news: new Float64Array(slotSize(dimension)),
  recent: new Float64Array(slotSize(dimension)),
  all: new Float64Array(slotSize(dimension)),
  asMany: new Float64Array(slotSize(dimension)),
  found: new Float64Array(6),
  values: new Float64Array(2),
});

/** Versions of one peer's record: the last that was looked at, and two before it, at least `RECENT` observations apart. */
export class Past {
  told: PeerRecord | null = null;
  #later: PeerRecord | null = null;
  /** Recent is what came after it; null where all is. */
  #earlier: PeerRecord | null = null;

  tell(record: PeerRecord): void {
    this.told = record;
    if (this.#later !== null && record.count - this.#later.count < RECENT) return;
    this.#earlier = this.#later;
    this.#later = record;
  }

  forget(): void {
    this.told = null;
    this.#later = null;
    this.#earlier = null;
  }

  /** How many observations of `record`, as it was looked at last, are recent; 2 `RECENT` where there are more. */
  countOf(record: PeerRecord): number {
    return Math.min(2 * RECENT, this.#counted(record));
  }

  #counted(record: PeerRecord): number {
    return (this.told ?? record).count - (this.#earlier?.count ?? 0);
  }

  /** out += weight · the recent sums of `record`, as of 2 `RECENT` observations where they are of more. */
  addRecent(out: Float64Array, weight: number, record: PeerRecord): void {
    const [last, before] = [this.told ?? record, this.#earlier];
    const share = weight * Math.min(1, (2 * RECENT) / this.#counted(record));
    addScaled(out, 0, last.slot, 0, out.length, share);
    if (before !== null) addScaled(out, 0, before.slot, 0, out.length, -share);
  }

  /** A version that is `record` itself takes one byte. */
  write(out: Writer, record: PeerRecord): void {
    for (const version of [this.told, this.#later, this.#earlier]) {
      out.u8(version === record ? 1 : 0);
      if (version !== record) writeRecord(out, version);
    }
  }

  read(from: Reader, record: PeerRecord, dimension: number): void {
    const next = (): PeerRecord | null => (from.u8("past") === 1 ? record : readRecord(from, dimension));
    this.told = next();
    this.#later = next();
    this.#earlier = next();
  }
}

/**
 * Whether tastes drift. Records of one group are made of the same θ, which may wander: then what its members have seen recently,
 * F, foretells what they see next better than all that they have seen, S, does. When newer versions bring the sums W, the
 * marginal likelihood (evidence.ts) of W given each is compared:
 *
 *     gain over S  = [value(F + W) − value(F)] − [value(S + W) − value(S)]
 *     gain over κS = [value(F + W) − value(F)] − [value(κS + W) − value(κS)],      κ = ⟨F, W⟩/⟨S, W⟩
 *
 * κS says as much about the arms of W as F does, but is of all times. Without it groups whose members are not quite the same would
 * seem to drift: S is too sure of them, F is less sure. Gains are summed up over groups and news, each sum kept between 0 and 10
 * (Page's test). Drift is believed where both are above 3.
 */
export class Drift {
  #overAll = 0;
  #overAsMany = 0;
  readonly #evidence: Evidence;
  readonly #room: Room;

  constructor(readonly dimension: number) {
    this.#evidence = new Evidence(dimension);
    this.#room = roomOf(dimension, makeRoom);
  }

  get believed(): boolean {
    return Math.min(this.#overAll, this.#overAsMany) > SURE;
  }

  /** Looks at a group, whose sums and value are known, with newer versions of these of its members. */
  look(group: Group, newer: readonly GroupEntry[], model: Model): void {
    if (group.size < 2) return;
    let lately = 0;
    for (const { past, record } of group.members) lately += past.countOf(record);
    if (lately > LATELY * group.count) return;
    const { news, recent, all, asMany, found, values } = this.#room;
    news.fill(0);
    recent.fill(0);
    for (const { record, past, weight } of newer) {
      addScaled(news, 0, record.slot, 0, news.length, weight);
      addScaled(news, 0, past.told!.slot, 0, news.length, -weight);
    }
    for (const { past, record, weight } of group.members) past.addRecent(recent, weight, record);
    for (let k = 0; k < all.length; k++) all[k] = group.slot[k]! - news[k]!;
    const share = inner(recent, news, this.dimension) / inner(all, news, this.dimension);
    for (let k = 0; k < asMany.length; k++) asMany[k] = share * all[k]!;
    const parts = [{ slot: recent }, { slot: asMany }, { slot: all }];
    this.#evidence.fitAll(found, parts, model.prior);
    this.#evidence.ofSums(values, parts, 2, news, 1, model);
    const before = (k: number): number => valueOfFit(found[2 * k]!, found[2 * k + 1]!, model.noise);
    const foretold = values[0]! - before(0);
    this.#overAll = summed(this.#overAll, foretold - (group.value - before(2)));
    this.#overAsMany = summed(this.#overAsMany, foretold - (values[1]! - before(1)));
  }

  write(out: Writer): void {
    out.f64(this.#overAll);
    out.f64(this.#overAsMany);
  }

  read(from: Reader): void {
    this.#overAll = from.f64("drift");
    this.#overAsMany = from.f64("drift");
  }
}

/** Sums that nobody can have seen gain nothing. */
const summed = (sum: number, gain: number): number =>
  Number.isFinite(gain) ? Math.min(MOST, Math.max(0, sum + Math.min(SURE, gain))) : sum;

/** ⟨A, B⟩ = tr AB of the matrices of two packed sums. */
function inner(a: Float64Array, b: Float64Array, dimension: number): number {
  let [sum, diagonal] = [0, 0];
  for (let k = 0; k < triangleSize(dimension); k++) sum += a[k]! * b[k]!;
  for (let i = 0, at = 0; i < dimension; at += i + 2, i++) diagonal += a[at]! * b[at]!;
  return 2 * sum - diagonal;
}
