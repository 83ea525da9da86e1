import type { Sparse } from "../features/sparse.ts";

/** A matrix as rows of numbers. */
export type Dense = number[][];

export function toSparse(rows: Dense): Sparse {
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    row.forEach((value, column) => {
      if (value === 0) return;
      columns.push(column);
      values.push(value);
    });
    starts.push(columns.length);
  }
  return {
    rowCount: rows.length,
    columnCount: rows[0]!.length,
    starts: Int32Array.from(starts),
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
  };
}

/**
 * Singular values, largest first, and right singular vectors (one list each) of a dense matrix, slowly: the columns of A
 * are rotated in pairs until all are orthogonal (one-sided Jacobi), so that AᵀA is never formed.
 */
export function slowSvd(rows: Dense): { values: number[]; vectors: number[][] } {
  const size = rows[0]!.length;
  const columns = Array.from({ length: size }, (_, j) => rows.map((row) => row[j]!));
  const turns = Array.from({ length: size }, (_, j) => Array.from({ length: size }, (_, i) => (i === j ? 1 : 0)));
  for (let turned = true, sweep = 0; turned && sweep < 60; sweep++) {
    turned = false;
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) turned = makeOrthogonal(columns, turns, p, q) || turned;
  }
  const lengths = columns.map((column) => Math.sqrt(dot(column, column)));
  const order = lengths.map((_, j) => j).sort((i, j) => lengths[j]! - lengths[i]!);
  return { values: order.map((j) => lengths[j]!), vectors: order.map((j) => turns[j]!) };
}

function makeOrthogonal(columns: Dense, turns: Dense, p: number, q: number): boolean {
  const [a, b, c] = [dot(columns[p]!, columns[p]!), dot(columns[q]!, columns[q]!), dot(columns[p]!, columns[q]!)];
  if (Math.abs(c) <= 1e-16 * Math.sqrt(a * b) || c === 0) return false;
  const zeta = (b - a) / (2 * c);
  const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cosine = 1 / Math.sqrt(1 + t * t);
  for (const [x, y] of [
    [columns[p]!, columns[q]!],
    [turns[p]!, turns[q]!],
  ] as const) {
    for (let i = 0; i < x.length; i++) {
      const held = x[i]!;
      x[i] = cosine * (held - t * y[i]!);
      y[i] = cosine * (t * held + y[i]!);
    }
  }
  return true;
}

function dot(a: number[], b: number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
