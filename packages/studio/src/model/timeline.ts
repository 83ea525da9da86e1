import { type Beat, type FeedHeader, ROWS, type RowKind } from "../feed/format.ts";
import { Chronicle } from "./chronicle.ts";
import { NetworkModel } from "./network.ts";
import { Series } from "./series.ts";

/** Beats between two kept copies of the network at most: so many are played again to go to any moment. */
const KEY_EVERY = 32;
/** A copy is also due when the beats since the last hold so many times its numbers: the copies stay the lesser part. */
const KEY_SHARE = 2;
const KINDS = Object.keys(ROWS) as RowKind[];

/** The network before beat `index`. */
interface Key {
  readonly model: NetworkModel;
  readonly index: number;
}

/** A recording as far as it has come, and the network at any moment of it. */
export class Timeline {
  readonly beats: Beat[] = [];
  readonly series = new Series();
  readonly chronicle = new Chronicle();
  /** The network after the last beat. */
  readonly live = new NetworkModel();
  readonly #keys: Key[] = [];
  /** Numbers in the beats since the last key. */
  #since = 0;
  #shown: { readonly model: NetworkModel; index: number } | null = null;

  constructor(readonly header: FeedHeader) {}

  get length(): number {
    return this.beats.length;
  }

  push(beat: Beat): void {
    const index = this.beats.length;
    const last = this.#keys.at(-1);
    if (last === undefined || index - last.index >= KEY_EVERY || this.#since > KEY_SHARE * this.live.size) {
      this.#keys.push({ model: this.live.copy(), index });
      this.#since = 0;
    }
    this.beats.push(beat);
    for (const kind of KINDS) this.#since += beat[kind]?.length ?? 0;
    this.live.apply(beat);
    this.series.push(beat, this.live);
    this.chronicle.push(beat, this.live);
  }

  /** The network after beat `index`. Lent: good until the next call. */
  after(index: number): NetworkModel {
    if (index >= this.length - 1) return this.live;
    const key = this.#keyBefore(Math.max(0, index));
    const near = this.#shown !== null && this.#shown.index <= index && this.#shown.index >= key.index - 1;
    const from = near ? this.#shown! : { model: key.model.copy(), index: key.index - 1 };
    while (from.index < index) from.model.apply(this.beats[++from.index]);
    this.#shown = from;
    return from.model;
  }

  /** The last beat at or before `ms`. */
  indexAt(ms: number): number {
    return lastWhere(this.length, (k) => this.beats[k].at <= ms);
  }

  #keyBefore(index: number): Key {
    return this.#keys[lastWhere(this.#keys.length, (k) => this.#keys[k].index <= index)];
  }
}

/** The last of `count` places for which `holds` holds, where it holds for a first part of them; 0 where for none. */
function lastWhere(count: number, holds: (k: number) => boolean): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
