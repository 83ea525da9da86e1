import { describeSchema, fingerprintOf } from "./canonical.ts";
import { checkRoom, refuse } from "./door.ts";
import { type Column, type Feature, type Holding, misfit } from "./feature.ts";
import type { Contributions, Features } from "./features.ts";
import { BIAS } from "./schema.ts";

/** A feature at its coordinates. It checks the values it is given, so they may be anything. */
export interface Part extends Column {
  readonly feature: Feature<unknown>;
  readonly end: number;
}

/** An item of which nothing is known yet but that it is an object. */
type Given = Holding<unknown>;

const NOBODY: Given = Object.freeze({});

/**
 * x = (1, f₁, …, f_n) / √(n + 1), each f within the unit ball.
 *
 * Written feature by feature over all items, see `Feature.write`, and scaled at the end.
 */
export class SchemaFeatures implements Features<object> {
  readonly dimension: number;
  readonly names: readonly string[];
  readonly fingerprint: string;
  readonly #parts: readonly Part[];
  readonly #scale: number;
  readonly #description: string;
  /** As the end of "must …". */
  readonly #bound: string;
  /** A list for one item, kept so that none has to be made. */
  readonly #one: Given[] = [NOBODY];

  constructor(parts: readonly Part[]) {
    this.dimension = parts.at(-1)?.end ?? 1;
    this.names = [BIAS, ...parts.flatMap(({ name, feature }) => feature.labels.map((label) => name + label))];
    this.#parts = parts;
    this.#scale = 1 / Math.sqrt(parts.length + 1);
    this.#bound = `be an object with ${parts.map(({ name }) => name).join(", ")}`;
    this.#description = describeSchema(parts);
    this.fingerprint = fingerprintOf(this.#description);
  }

  describe(): string {
    return this.#description;
  }

  encode(item: object, out: Float64Array, offset = 0): void {
    this.#one[0] = item as Given;
    try {
      this.#write(this.#one, out, offset);
    } finally {
      this.#one[0] = NOBODY;
    }
  }

  encodeAll(items: readonly object[], out: Float64Array, offset = 0): void {
    this.#write(items as readonly Given[], out, offset);
  }

  #write(items: readonly Given[], out: Float64Array, offset: number): void {
    const dimension = this.dimension;
    const parts = this.#parts;
    const scale = this.#scale;
    const end = offset + items.length * dimension;
    checkRoom("out", out, offset, items.length * dimension);
    for (let k = 0, at = offset; k < items.length; k++, at += dimension) {
      const item = items[k];
      if (typeof item !== "object" || item === null) refuse(this.#place(items, k), misfit(item, this.#bound));
      out[at] = 1;
    }
    for (let p = 0; p < parts.length; p++) {
      const found = parts[p].feature.write(items, out, offset, parts[p]);
      if (found !== undefined) refuse(`${this.#place(items, found.index)}.${parts[p].name}`, found);
    }
    for (let i = offset; i < end; i++) out[i] *= scale;
  }

  #place(items: readonly Given[], index: number): string {
    return items === this.#one ? "item" : `items[${index}]`;
  }

  contributions(estimate: ArrayLike<number>, arm: ArrayLike<number>, offset = 0): Contributions {
    checkRoom("estimate", estimate, 0, this.dimension);
    checkRoom("arm", arm, offset, this.dimension);
    const sum = (from: number, end: number): number => {
      let total = 0;
      for (let i = from; i < end; i++) total += estimate[i] * arm[offset + i];
      return total;
    };
    return Object.fromEntries([[BIAS, sum(0, 1)], ...this.#parts.map(({ name, from, end }) => [name, sum(from, end)])]);
  }
}
