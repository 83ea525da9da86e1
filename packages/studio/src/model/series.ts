import { type Beat, eachRow, OUTCOMES } from "../feed/format.ts";
import type { NetworkModel } from "./network.ts";

/** A list of numbers that grows. */
export class Growing {
  #values = new Float64Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const longer = new Float64Array(this.length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length++] = value;
  }

  /** A view of the values in [from, end). */
  view(from = 0, end = this.length): Float64Array {
    return this.#values.subarray(from, end);
  }

  at(index: number): number {
    return this.#values[index];
  }
}

export const SERIES = [
  "seconds",
  "peers",
  /** Sums since the start, over all peers but those that were made to lie, from then on: they serve nobody. */
  "choices",
  "reward",
  "alone",
  "regret",
  "aloneRegret",
  /** Sums since the start, over all peers. */
  "sentBytes",
  /** Those of the messages of exchanges, both ways; the rest is membership. */
  "exchangeBytes",
  /** Means over those present. */
  "buffered",
  "borrowed",
  ...OUTCOMES,
] as const;
export type SeriesName = (typeof SERIES)[number];

/** Sums over the whole network, a value a beat. What happens within a span is the difference of two of them. */
export class Series {
  readonly #of = Object.fromEntries(SERIES.map((name) => [name, new Growing()])) as Record<SeriesName, Growing>;
  readonly #sums = new Map<SeriesName, number>();

  get length(): number {
    return this.#of.seconds.length;
  }

  get(name: SeriesName): Growing {
    return this.#of[name];
  }

  /** `model` is the network after the beat. */
  push(beat: Beat, model: NetworkModel): void {
    this.#sumRows(beat, model);
    const { sentBytes, buffered, borrowed } = overAll(model);
    this.#sums.set("sentBytes", sentBytes);
    this.#sums.set("buffered", buffered);
    this.#sums.set("borrowed", borrowed);
    this.#sums.set("peers", model.present);
    this.#sums.set("seconds", beat.at / 1000);
    for (const name of SERIES) this.#of[name].push(this.#sums.get(name) ?? 0);
  }

  /** What was added within the last `span` values up to `end`. */
  within(name: SeriesName, end: number, span: number): number {
    if (end <= 0) return 0;
    const from = end - 1 - span;
    return this.#of[name].at(end - 1) - (from < 0 ? 0 : this.#of[name].at(from));
  }

  #sumRows(beat: Beat, model: NetworkModel): void {
    let [choices, reward, alone, regret, aloneRegret, bytes] = [0, 0, 0, 0, 0, 0];
    const lied = model.column("lied");
    eachRow(beat, "earned", (rows, at) => {
      if (lied[rows[at]] === 1) return;
      choices += 1;
      reward += rows[at + 1];
      alone += rows[at + 2];
      regret += rows[at + 3];
      aloneRegret += rows[at + 4];
    });
    const times = OUTCOMES.map(() => 0);
    eachRow(beat, "met", (rows, at) => {
      times[rows[at + 2]] += 1;
      bytes += rows[at + 3] + rows[at + 4];
    });
    const found = { choices, reward, alone, regret, aloneRegret, exchangeBytes: bytes };
    for (const name of Object.keys(found) as (keyof typeof found)[]) this.#add(name, found[name]);
    OUTCOMES.forEach((outcome, code) => {
      this.#add(outcome, times[code]);
    });
  }

  #add(name: SeriesName, value: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + value);
  }
}

/** Bytes count for those who left too: they were sent. */
function overAll(model: NetworkModel): { sentBytes: number; buffered: number; borrowed: number } {
  const [sent, buffers] = [model.column("sentBytes"), model.column("buffered")];
  let [sentBytes, buffered, borrowed] = [0, 0, 0];
  for (let peer = 0; peer < model.peers.length; peer++) {
    if (model.peers[peer] === undefined) continue;
    sentBytes += sent[peer];
    if (!model.isPresent(peer)) continue;
    buffered += buffers[peer];
    borrowed += model.borrowed(peer);
  }
  const present = Math.max(1, model.present);
  return { sentBytes, buffered: buffered / present, borrowed: borrowed / present };
}
