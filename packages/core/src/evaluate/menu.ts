import type { Arms } from "../bandit/arms.ts";
import type { ChoiceEntry } from "./entry.ts";
import type { LogShape } from "./survey.ts";

/** What was offered when a logged choice was made, as arms. Lent: good until the next one is read. */
export interface LoggedMenu extends Arms {
  readonly entry: ChoiceEntry;
}

/** Reads items into one array that is used again and again. */
export class MenuReader {
  readonly dimension: number;
  readonly #shape: LogShape;
  /** Items of other programs' logs may be longer than 1; policies take arms within the unit ball. */
  readonly #scale: number;
  #values = new Float64Array(0);

  constructor(shape: LogShape) {
    this.#shape = shape;
    this.dimension = Math.max(1, shape.features.size);
    this.#scale = shape.longest > 1 ? 1 / shape.longest : 1;
  }

  read(entry: ChoiceEntry): LoggedMenu {
    const { dimension } = this;
    const count = entry.items.length;
    if (this.#values.length < count * dimension) this.#values = new Float64Array(2 * count * dimension);
    const values = this.#values.fill(0, 0, count * dimension);
    for (const [k, { x }] of entry.items.entries()) {
      for (const [name, value] of Object.entries(x)) {
        values[k * dimension + this.#shape.features.get(name)!] = value * this.#scale;
      }
    }
    return { entry, count, values };
  }
}
