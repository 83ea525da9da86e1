import { Factor } from "../numbers/factor.ts";
import { addIdentity, triangleSize } from "../numbers/packed.ts";
import { roomOf } from "../numbers/room.ts";
import { sharedNumbers } from "../numbers/shared.ts";

interface Room {
  readonly factor: Factor;
  readonly ridge: Float64Array;
}

const makeRoom = (dimension: number): Room => ({
  factor: new Factor(dimension),
  ridge: new Float64Array(triangleSize(dimension)),
});

let versions = 0;

/**
 * What is believed of a θ before anything is seen of it: θ ~ N(μ, Σ). It is held in the units of sums, as R = σ²Σ⁻¹
 * (packed), so that sums (S, v) give the posterior N(μ + (S + R)⁻¹(v − Sμ), σ²(S + R)⁻¹).
 */
export class Prior {
  readonly ridge: Float64Array;
  /** Squares of the diagonal of R's Cholesky factor: what is seen only adds to them. */
  readonly pivots: Float64Array;
  /** One over each of them. */
  readonly overPivots: Float64Array;
  /** Another one with every R, among all priors: who keeps a copy of R can tell whether it is this one. */
  version = 0;
  readonly #room: Room;

  /** R = I to begin with. The mean is lent: it may change, R stays. */
  constructor(readonly mean: Float64Array) {
    this.ridge = sharedNumbers(triangleSize(mean.length));
    this.pivots = sharedNumbers(mean.length);
    this.overPivots = sharedNumbers(mean.length);
    this.#room = roomOf(mean.length, makeRoom);
    this.setEven(1);
  }

  /** R = λI: all directions alike. */
  setEven(lambda: number): this {
    this.ridge.fill(0);
    addIdentity(this.ridge, 0, this.mean.length, lambda);
    this.pivots.fill(lambda);
    this.overPivots.fill(1 / lambda);
    this.version = ++versions;
    return this;
  }

  /** R = σ²(C + bI)⁻¹, C packed. Stays as it is where that is no covariance. */
  setWide(covariance: Float64Array, variance: number, noise: number): void {
    const { factor, ridge } = this.#room;
    if (!factor.refactor(covariance, 0, variance)) return;
    factor.invert(ridge);
    for (let k = 0; k < ridge.length; k++) ridge[k]! *= noise;
    this.setRidge(ridge);
  }

  /** R as of another prior: what takes two factorisations and an inverse is done once for both. */
  setAs({ ridge, pivots, overPivots, version }: Prior): void {
    this.ridge.set(ridge);
    this.pivots.set(pivots);
    this.overPivots.set(overPivots);
    this.version = version;
  }

  setRidge(ridge: Float64Array): void {
    const { factor } = this.#room;
    if (!factor.refactor(ridge, 0, 0)) return;
    this.ridge.set(ridge);
    this.version = ++versions;
    const { lower } = factor;
    for (let i = 0, at = 0; i < this.mean.length; at += i + 2, i++) {
      this.pivots[i] = lower[at]! * lower[at]!;
      this.overPivots[i] = 1 / this.pivots[i]!;
    }
  }
}
