import { addObservation, addScaled, slotSize } from "../numbers/packed.ts";

/**
 * Sums over observations: gram Σ x xᵀ (packed), moment Σ r x, count. The moment follows the gram in one array, a slot.
 */
export class Statistics {
  readonly slot: Float64Array;
  count = 0;

  constructor(readonly dimension: number) {
    this.slot = new Float64Array(slotSize(dimension));
  }

  add(vectors: Float64Array, from: number, reward: number): void {
    addObservation(this.slot, 0, this.dimension, vectors, from, reward);
    this.count += 1;
  }

  addAll(other: Statistics): void {
    addScaled(this.slot, 0, other.slot, 0, this.slot.length, 1);
    this.count += other.count;
  }

  clear(): void {
    this.slot.fill(0);
    this.count = 0;
  }

  copyFrom(other: Statistics): void {
    this.slot.set(other.slot);
    this.count = other.count;
  }
}
