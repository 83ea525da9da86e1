import { ConfigError, Random } from "@coterie/core";
import { gramOf, orthonormalise, turnColumns } from "./blocks.ts";
import { eigenOfSymmetric } from "./jacobi.ts";
import { type Sparse, times, timesTransposed } from "./sparse.ts";

/** The leading singular values and right singular vectors of A (r × c). */
export interface RightSingular {
  /** Largest first. */
  readonly values: Float64Array;
  /** c × dimension by rows; in each column the entry of largest magnitude is positive. */
  readonly vectors: Float64Array;
  /** Largest ‖AᵀA v - σ² v‖ over the columns, in units of σ₁². */
  readonly residual: number;
}

/** Columns carried beyond the wanted ones. With those, each step shrinks the error by (σ of the last / σ wanted)². */
const oversampled = (dimension: number): number => 2 * dimension + 32;
/** A vector's error is about this over the distance to its neighbours' σ², both in units of σ₁²: 1e-9 or better in practice. */
const RESIDUAL = 1e-12;
/** Then what is missing is told apart by nothing but rounding, and is taken as it stands. */
const STEPS = 600;
/** How often the block is turned to its best vectors and looked at. */
const LOOK_EVERY = 5;
/** σ²/σ₁² below this is rounding: the rank ends there. */
const RANK = 1e-13;

/**
 * Truncated singular value decomposition by randomised subspace iteration: a random block of columns is multiplied by
 * AᵀA and made orthonormal, again and again; its span turns to the leading right singular vectors, which the
 * eigenvectors of the small matrix XᵀAᵀAX then pick out of it (Rayleigh and Ritz). The seed is fixed: same matrix, same bits.
 */
export function truncatedSvd(a: Sparse, dimension: number): RightSingular {
  const height = a.columnCount;
  const width = Math.min(height, oversampled(dimension));
  const most = Math.min(a.rowCount, height);
  if (dimension > most) throw tooMany(dimension, most, "the smaller number of items and words");
  const random = Random.seeded(0).fork("truncated svd");
  const between = new Float64Array(a.rowCount * width);
  const x = orthonormalise(random.normals(new Float64Array(height * width)), height, width, random);
  const next = new Float64Array(height * width);
  for (let step = 1; ; step++) {
    timesTransposed(next, a, times(between, a, x, width), width);
    // A block as wide as the matrix spans all there is: nothing to wait for.
    const last = step >= STEPS || width === height;
    if (last || step % LOOK_EVERY === 0) {
      const squares = ritz(x, next, height, width);
      const rank = squares.findIndex((square) => square <= squares[0]! * RANK);
      if (rank >= 0 && rank < dimension) throw tooMany(dimension, rank, "the rank of the items' words");
      const residual = residualOf(x, next, squares, height, width, dimension);
      if (last || residual <= RESIDUAL) {
        const values = Float64Array.from(squares.subarray(0, dimension), Math.sqrt);
        return { values, vectors: leading(x, height, width, dimension), residual };
      }
    }
    x.set(next);
    orthonormalise(x, height, width, random);
  }
}

const tooMany = (dimension: number, most: number, what: string) =>
  new ConfigError("dimension", dimension, `be at most ${most}, ${what}`);

/** Turns x and BX, B = AᵀA, to the eigenvectors of XᵀBX and returns its eigenvalues, largest first. */
function ritz(x: Float64Array, bx: Float64Array, height: number, width: number): Float64Array {
  const gram = gramOf(x, bx, height, width);
  for (let p = 0; p < width; p++) {
    for (let q = 0; q < p; q++) {
      const mean = (gram[p * width + q]! + gram[q * width + p]!) / 2;
      gram[p * width + q] = mean;
      gram[q * width + p] = mean;
    }
  }
  const { values, vectors } = eigenOfSymmetric(gram, width);
  turnColumns(x, vectors, height, width);
  turnColumns(bx, vectors, height, width);
  return values;
}

/** max over the first `count` columns of ‖B x - λ x‖ / λ₁ */
function residualOf(
  x: Float64Array,
  bx: Float64Array,
  squares: Float64Array,
  height: number,
  width: number,
  count: number,
): number {
  let largest = 0;
  for (let j = 0; j < count; j++) {
    let sum = 0;
    for (let i = 0; i < height; i++) {
      const difference = bx[i * width + j]! - squares[j]! * x[i * width + j]!;
      sum += difference * difference;
    }
    largest = Math.max(largest, sum);
  }
  return Math.sqrt(largest) / squares[0]!;
}

/** The first `count` columns, each with its largest entry made positive (of equal ones, the first). */
function leading(x: Float64Array, height: number, width: number, count: number): Float64Array {
  const vectors = new Float64Array(height * count);
  for (let j = 0; j < count; j++) {
    let peak = 0;
    for (let i = 0; i < height; i++) if (Math.abs(x[i * width + j]!) > Math.abs(peak)) peak = x[i * width + j]!;
    const sign = peak < 0 ? -1 : 1;
    for (let i = 0; i < height; i++) vectors[i * count + j] = sign * x[i * width + j]!;
  }
  return vectors;
}
