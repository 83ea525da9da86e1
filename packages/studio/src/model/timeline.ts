import type { Beat, FeedHeader } from "../feed/format.ts";
import { NetworkModel } from "./network.ts";
import { Series } from "./series.ts";

/** Beats between two kept copies of the network: so many are played again at most to go to any moment. */
const KEY_EVERY = 32;

/** A recording as far as it has come, and the network at any moment of it. */
export class Timeline {
  readonly beats: Beat[] = [];
  readonly series = new Series();
  /** The network after the last beat. */
  readonly live = new NetworkModel();
  readonly #keys: NetworkModel[] = [];
  #shown: { readonly model: NetworkModel; index: number } | null = null;

  constructor(readonly header: FeedHeader) {}

  get length(): number {
    return this.beats.length;
  }

  push(beat: Beat): void {
    if (this.beats.length % KEY_EVERY === 0) this.#keys.push(this.live.copy());
    this.beats.push(beat);
    this.live.apply(beat);
    this.series.push(beat, this.live);
  }

  /** The network after beat `index`. Lent: good until the next call. */
  after(index: number): NetworkModel {
    if (index >= this.length - 1) return this.live;
    const key = Math.floor(Math.max(0, index) / KEY_EVERY);
    const near = this.#shown !== null && this.#shown.index <= index && this.#shown.index >= key * KEY_EVERY - 1;
    const from = near ? this.#shown! : { model: this.#keys[key].copy(), index: key * KEY_EVERY - 1 };
    while (from.index < index) from.model.apply(this.beats[++from.index]);
    this.#shown = from;
    return from.model;
  }

  /** The last beat at or before `ms`. */
  indexAt(ms: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.beats[middle].at <= ms) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
