import { triangleSize } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import { type CovarianceShape, EACH } from "./covarianceShape.ts";

/** diag(s): the variance differs from feature to feature. s_i > 0, 1 on average. */
export class Diagonal implements CovarianceShape {
  readonly even = false;
  readonly spread = 1;
  /** s. */
  readonly shares: Float64Array;

  constructor(readonly dimension: number) {
    this.shares = sharedNumbers(dimension).fill(1);
  }

  get excesses(): Iterable<number> {
    return this.shares.map((share) => share - 1);
  }

  suits(thetas: number): boolean {
    return thetas >= 2 * EACH;
  }

  /** The shares of `variances` in their mean, which is returned. */
  shareOut(variances: Float64Array): number {
    const mean = variances.reduce((sum, value) => sum + value, 0) / this.dimension;
    for (let i = 0; i < this.dimension; i++) this.shares[i] = variances[i]! / mean;
    return mean;
  }

  addTo(matrix: Float64Array, scale: number): void {
    for (let i = 0, at = 0; i < this.dimension; i++, at += i + 1) matrix[at]! += scale * (this.shares[i]! - 1);
  }

  addInverseTo(matrix: Float64Array, scale: number): void {
    for (let i = 0, at = 0; i < this.dimension; i++, at += i + 1) matrix[at]! += scale / this.shares[i]!;
  }

  narrow(slot: Float64Array): void {
    const { dimension: d, shares } = this;
    const triangle = triangleSize(d);
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) slot[at++]! /= shares[i]! * shares[j]!;
      slot[triangle + i]! /= shares[i]!;
    }
  }
}
