import { triangle } from "./context";
import { Places } from "./evidence";

/**
 * S = L Lᵀ and v = L y, in `sums`, of L in `lower` and y in `solved`; as `square` (kindred/compact.ts). Columns of L that are not zero are
 * put side by side in `rows`, from their first entry on with zeros before it: two rows of S by four columns at a time. A product with
 * such a zero adds nothing, so every sum has the bits of core's.
 */
export function squareOne(p: Places): void {
  const d = p.dimension;
  const wide: usize = ((d + 3) & ~3) << 3;
  const used = spread(p, wide);
  let row: usize = p.sums;
  for (let i: u32 = 0; i < d; i += 2) {
    const next = row + ((i + 1) << 3);
    const last = min(i + 1, d - 1);
    for (let j: u32 = 0; j <= last; j += 4) {
      let a = f64x2.splat(0), b = a, s = a, t = a;
      const end: usize = p.rows + count(p, min(j + 3, d - 1)) * wide;
      for (let column: usize = p.rows; column < end; column += wide) {
        const x = v128.load64_splat(column + (i << 3)), y = v128.load64_splat(column + (i << 3), 8);
        const l = v128.load(column + (j << 3)), m = v128.load(column + (j << 3), 16);
        a = f64x2.add(a, f64x2.mul(x, l));
        b = f64x2.add(b, f64x2.mul(x, m));
        s = f64x2.add(s, f64x2.mul(y, l));
        t = f64x2.add(t, f64x2.mul(y, m));
      }
      put(row, j, i, a, b);
      if (i < last) put(next, j, i + 1, s, t);
    }
    row = next + ((i + 2) << 3);
  }
  const v: usize = p.sums + (triangle(d) << 3);
  for (let i: u32 = 0; i < d; i += 2) {
    let sum = f64x2.splat(0);
    for (let c: u32 = 0; c < used; c++) {
      const l = v128.load(p.rows + c * wide + (i << 3));
      sum = f64x2.add(sum, f64x2.mul(l, v128.load64_splat(p.solved + (c << 3))));
    }
    v128.store(v + (i << 3), sum);
  }
}

/** Fills `rows` with columns, and `solved` with the y of each. How many there are; of those up to each feature see `count`. */
function spread(p: Places, wide: usize): u32 {
  const d = p.dimension;
  let used: u32 = 0;
  for (let k: u32 = 0; k < d; k++) {
    const column: usize = p.rows + used * wide;
    memory.fill(column, 0, wide);
    let any = false;
    let at: usize = p.lower + ((triangle(k) + k) << 3);
    for (let i = k; i < d; i++) {
      const value = load<f64>(at);
      if (value != 0) any = true;
      store<f64>(column + (i << 3), value);
      at += (i + 1) << 3;
    }
    if (any) {
      store<f64>(p.solved + (used << 3), load<f64>(p.solved + (k << 3)));
      used++;
    }
    store<u32>(p.centre + (k << 2), used);
  }
  return used;
}

/** Columns up to feature k. */
// @ts-ignore: decorator
@inline
function count(p: Places, k: u32): u32 {
  return load<u32>(p.centre + (k << 2));
}

/** Four entries of row i from column j on, no further than its diagonal. */
function put(row: usize, j: u32, i: u32, a: v128, b: v128): void {
  const at = row + (j << 3);
  if (j + 3 <= i) {
    v128.store(at, a);
    v128.store(at, b, 16);
    return;
  }
  if (j <= i) store<f64>(at, f64x2.extract_lane(a, 0));
  if (j + 1 <= i) store<f64>(at, f64x2.extract_lane(a, 1), 8);
  if (j + 2 <= i) store<f64>(at, f64x2.extract_lane(b, 0), 16);
}
