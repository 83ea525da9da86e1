import type { ChoiceEntry } from "./entry.ts";

/** Numbers the units of a log: choices of one visitor go together, else those of one list, else each is alone. */
export class Units {
  readonly #numbers = new Map<string, number>();

  of({ id, unit, slate }: ChoiceEntry): number {
    const name = unit !== undefined ? `unit ${unit}` : `slate ${slate ?? id}`;
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }

  get count(): number {
    return this.#numbers.size;
  }
}

/** Units of some choices alone, numbered without gaps. */
export function compact(units: ArrayLike<number>): Uint32Array {
  const numbers = new Map<number, number>();
  return Uint32Array.from(units, (unit) => {
    const number = numbers.get(unit) ?? numbers.size;
    numbers.set(unit, number);
    return number;
  });
}
