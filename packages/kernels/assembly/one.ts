import { triangle } from "./context";
import { Places } from "./evidence";
import { ln2 } from "./functions";

/**
 * Evidence and the factor of a single problem, whose columns stand side by side: where two problems share a vector
 * (evidence.ts), one alone would take as long as both. Right-looking, four columns at a time: when they are done, their products are
 * taken from every entry to the right. So every entry has them taken off in ascending order, as in core's plain loops.
 */
const ROUNDING: f64 = 1e-5;

/** L = S + R and solved = v − Sμ for S, v of base + scale · other (0 is none of them); then as `evidencePair`. */
export function evidenceOne(p: Places, base: usize, other: usize, scale: f64, centred: bool): void {
  const d = p.dimension;
  const end = (triangle(d) + d) << 3;
  const out: usize = p.sums;
  if (other == 0) memory.copy(out, base, end);
  else {
    for (let k: u32 = 0; k < end; k += 8) {
      const add = scale * load<f64>(other + k);
      store<f64>(out + k, base == 0 ? add : load<f64>(base + k) + add);
    }
  }
  shift(p);
  for (let k: u32 = 0; k < triangle(d) << 3; k += 8) {
    store<f64>(p.lower + k, load<f64>(out + k) + load<f64>(p.ridge + k));
  }
  if (factorise(true, p) && centred) backward(p);
}

/** As `factorPair`, of the matrix that stands in `lower`. */
export function factorOne(p: Places): bool {
  return factorise(false, p);
}

/** solved = v − Sμ. */
function shift(p: Places): void {
  const d = p.dimension;
  const out: usize = p.solved;
  memory.copy(out, p.sums + (triangle(d) << 3), d << 3);
  let row: usize = p.sums;
  for (let i: u32 = 0; i < d; i++) {
    const m = load<f64>(p.mean + (i << 3));
    let sum: f64 = 0;
    for (let j: u32 = 0; j < i << 3; j += 8) {
      const s = load<f64>(row + j);
      sum += s * load<f64>(p.mean + j);
      store<f64>(out + j, load<f64>(out + j) - s * m);
    }
    const at = out + (i << 3);
    store<f64>(at, load<f64>(at) - (sum + load<f64>(row + (i << 3)) * m));
    row += (i + 1) << 3;
  }
}

// @ts-ignore: decorator
@inline
function less(sum: v128, l: v128, y: v128): v128 {
  return f64x2.sub(sum, f64x2.mul(l, y));
}

/** sum − a x − b y: as one number where `paired` (evidence.ts). */
// @ts-ignore: decorator
@inline
function lessTwo(paired: bool, sum: f64, a: f64, x: f64, b: f64, y: f64): f64 {
  return paired ? sum - (a * x + b * y) : sum - a * x - b * y;
}

/** L Lᵀ of what stands in `lower`, in place; as evidence also L⁻¹v' in `solved`, and the results. False where there is no L. */
// @ts-ignore: decorator
@inline
function factorise(paired: bool, p: Places): bool {
  const d = p.dimension;
  const lower: usize = p.lower;
  const solved: usize = p.solved;
  const whole: usize = p.centre;
  let explained: f64 = 0, product: f64 = 1, log: f64 = 0;
  if (paired) {
    // The diagonal of S + R: what rounding may take from a pivot is a part of it.
    for (let i: u32 = 0; i < d; i++) store<f64>(whole + (i << 3), load<f64>(lower + ((triangle(i) + i) << 3)));
  }
  for (let k: u32 = 0; k < d; k += 4) {
    const top = min(k + 4, d);
    for (let i = k; i < top; i++) {
      const row = lower + (triangle(i) << 3);
      for (let j = k; j < i; j++) {
        const before = lower + (triangle(j) << 3);
        let x = load<f64>(row + (j << 3));
        for (let c = k; c < j; c++) x -= load<f64>(row + (c << 3)) * load<f64>(before + (c << 3));
        store<f64>(row + (j << 3), x * load<f64>(p.reciprocal + (j << 3)));
      }
      const diagonal = row + (i << 3), at = solved + (i << 3);
      let pivot = load<f64>(diagonal), rest = load<f64>(at);
      let j = k;
      if (paired && j + 1 < i) {
        const a = load<f64>(row + (j << 3)), b = load<f64>(row + (j << 3), 8);
        pivot = lessTwo(true, pivot, a, a, b, b);
        rest = lessTwo(true, rest, a, load<f64>(solved + (j << 3)), b, load<f64>(solved + (j << 3), 8));
        j += 2;
      }
      for (; j < i; j++) {
        const a = load<f64>(row + (j << 3));
        pivot -= a * a;
        rest -= a * load<f64>(solved + (j << 3));
      }
      if (paired) {
        const least = load<f64>(p.pivots + (i << 3));
        if (!(pivot >= least)) {
          if (!(pivot >= least - ROUNDING * load<f64>(whole + (i << 3)))) {
            store<f64>(p.results, 0);
            store<f64>(p.results, Infinity, 16);
            return false;
          }
          pivot = least;
        }
        product *= pivot * load<f64>(p.overPivots + (i << 3));
        if (product > 1e200) {
          log += lnOf(product);
          product = 1;
        }
      } else if (!(pivot > 0) || pivot == Infinity) return false;
      const root = Math.sqrt(pivot), inverse = paired ? root * (1 / pivot) : 1 / root;
      store<f64>(diagonal, root);
      store<f64>(p.reciprocal + (i << 3), inverse);
      if (paired) {
        rest *= inverse;
        store<f64>(at, rest);
        explained += rest * rest;
      }
    }
    if (top < d) {
      below(paired, p, k);
      trail(p, k);
    }
  }
  if (paired) {
    store<f64>(p.results, explained);
    store<f64>(p.results, log + lnOf(product), 16);
  }
  return true;
}

/** Columns k to k + 3 of all rows below them; each column also stands by itself in `rows`, for `trail`. */
// @ts-ignore: decorator
@inline
function below(paired: bool, p: Places, k: u32): void {
  const d = p.dimension;
  const at = k << 3;
  const r1 = p.lower + (triangle(k + 1) << 3) + at;
  const r2 = p.lower + (triangle(k + 2) << 3) + at;
  const r3 = p.lower + (triangle(k + 3) << 3) + at;
  const l10 = load<f64>(r1), l20 = load<f64>(r2), l21 = load<f64>(r2, 8);
  const l30 = load<f64>(r3), l31 = load<f64>(r3, 8), l32 = load<f64>(r3, 16);
  const over: usize = p.reciprocal + at;
  const u0 = load<f64>(over), u1 = load<f64>(over, 8), u2 = load<f64>(over, 16), u3 = load<f64>(over, 24);
  const s: usize = p.solved + at;
  const s0 = load<f64>(s), s1 = load<f64>(s, 8), s2 = load<f64>(s, 16), s3 = load<f64>(s, 24);
  const step = d << 3;
  for (let i = k + 4; i < d; i++) {
    const row = p.lower + (triangle(i) << 3);
    const a = load<f64>(row + at) * u0;
    const b = (load<f64>(row + at, 8) - a * l10) * u1;
    const c = (load<f64>(row + at, 16) - a * l20 - b * l21) * u2;
    const e = (load<f64>(row + at, 24) - a * l30 - b * l31 - c * l32) * u3;
    store<f64>(row + at, a);
    store<f64>(row + at, b, 8);
    store<f64>(row + at, c, 16);
    store<f64>(row + at, e, 24);
    const column: usize = p.rows + (i << 3);
    store<f64>(column, a);
    store<f64>(column + step, b);
    store<f64>(column + 2 * step, c);
    store<f64>(column + 3 * step, e);
    const diagonal = row + (i << 3);
    store<f64>(diagonal, lessTwo(paired, lessTwo(paired, load<f64>(diagonal), a, a, b, b), c, c, e, e));
    if (paired) {
      const v = p.solved + (i << 3);
      store<f64>(v, lessTwo(true, lessTwo(true, load<f64>(v), a, s0, b, s1), c, s2, e, s3));
    }
  }
}

/** Takes the products of columns k to k + 3 from every entry right of them and left of the diagonal; two rows at a time. */
function trail(p: Places, k: u32): void {
  const d = p.dimension;
  const step = d << 3;
  const q0: usize = p.rows, q1 = q0 + step, q2 = q1 + step, q3 = q2 + step;
  for (let i = k + 5; i < d; i += 2) {
    const row = p.lower + (triangle(i) << 3);
    const end = i << 3;
    // A last row of an odd count is alone.
    const next = i + 1 < d ? row + ((i + 1) << 3) : row;
    const x0 = v128.load64_splat(q0 + end), x1 = v128.load64_splat(q1 + end);
    const x2 = v128.load64_splat(q2 + end), x3 = v128.load64_splat(q3 + end);
    let j = (k + 4) << 3;
    if (next == row) {
      for (; j + 8 < end; j += 16) {
        let a = v128.load(row + j);
        a = less(less(a, x0, v128.load(q0 + j)), x1, v128.load(q1 + j));
        v128.store(row + j, less(less(a, x2, v128.load(q2 + j)), x3, v128.load(q3 + j)));
      }
      if (j < end) single(row, end, j, q0, step);
      break;
    }
    const y0 = v128.load64_splat(q0 + end, 8), y1 = v128.load64_splat(q1 + end, 8);
    const y2 = v128.load64_splat(q2 + end, 8), y3 = v128.load64_splat(q3 + end, 8);
    for (; j + 8 < end; j += 16) {
      const c0 = v128.load(q0 + j), c1 = v128.load(q1 + j), c2 = v128.load(q2 + j), c3 = v128.load(q3 + j);
      let a = v128.load(row + j), b = v128.load(next + j);
      a = less(a, x0, c0); b = less(b, y0, c0);
      a = less(a, x1, c1); b = less(b, y1, c1);
      a = less(a, x2, c2); b = less(b, y2, c2);
      v128.store(row + j, less(a, x3, c3));
      v128.store(next + j, less(b, y3, c3));
    }
    if (j < end) {
      single(row, end, j, q0, step);
      single(next, end + 8, j, q0, step);
    }
    // L[i+1][i], left of the diagonal of the second row alone.
    single(next, end + 8, end, q0, step);
  }
}

/** The same of one entry: row i, whose own columns are at `own`, and column j, both in bytes. */
// @ts-ignore: decorator
@inline
function single(row: usize, own: u32, j: u32, columns: usize, step: u32): void {
  let a = load<f64>(row + j);
  for (let c: u32 = 0; c < 4; c++) a -= load<f64>(columns + c * step + own) * load<f64>(columns + c * step + j);
  store<f64>(row + j, a);
}

/** ln x for x >= 1, Infinity included. */
function lnOf(x: f64): f64 {
  return x == Infinity ? x : f64x2.extract_lane(ln2(f64x2.splat(x)), 0);
}

/** centre = L⁻ᵀ solved. */
function backward(p: Places): void {
  const d = p.dimension;
  const out: usize = p.centre;
  memory.copy(out, p.solved, d << 3);
  for (let i: i32 = d - 1; i >= 0; i--) {
    const row: usize = p.lower + (triangle(i) << 3);
    const at = out + (<u32>i << 3);
    const y = load<f64>(at) * load<f64>(p.reciprocal + (<u32>i << 3));
    store<f64>(at, y);
    for (let j: u32 = 0; j < <u32>i << 3; j += 8) store<f64>(out + j, load<f64>(out + j) - y * load<f64>(row + j));
  }
}

/** Bytes of a row of L⁻¹: whole blocks of eight columns. */
// @ts-ignore: decorator
@inline
function strideOf(d: u32): u32 {
  return ((d + 7) >> 3) << 6;
}

// @ts-ignore: decorator
@inline
function plus(sum: v128, l: v128, y: v128): v128 {
  return f64x2.add(sum, f64x2.mul(l, y));
}

/** rows = L⁻¹, each row with zeros up to a whole block; two rows and eight columns at a time. */
export function invertLowerOne(p: Places): void {
  const d = p.dimension;
  const stride = strideOf(d);
  const zero = f64x2.splat(0);
  for (let i: u32 = 0; i < d; i += 2) {
    const lone = i + 1 == d;
    const row: usize = p.lower + (triangle(i) << 3);
    const next = lone ? row : row + ((i + 1) << 3);
    const out: usize = p.rows + i * stride;
    const below = out + stride;
    const diagonal = load<f64>(p.reciprocal + (i << 3));
    const r = f64x2.splat(diagonal);
    const s = lone ? r : v128.load64_splat(p.reciprocal + (i << 3), 8);
    // L[i+1][i], by which row i counts in the one below.
    const corner = lone ? zero : f64x2.neg(v128.load64_splat(next + (i << 3)));
    for (let j: u32 = 0; j <= (lone ? i : i + 1); j += 8) {
      let a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero, b3 = zero;
      let m: usize = p.rows + j * stride + (j << 3);
      for (let k = j; k < i; k++) {
        const x = f64x2.neg(v128.load64_splat(row + (k << 3))), y = f64x2.neg(v128.load64_splat(next + (k << 3)));
        const m0 = v128.load(m); a0 = plus(a0, x, m0); b0 = plus(b0, y, m0);
        const m1 = v128.load(m, 16); a1 = plus(a1, x, m1); b1 = plus(b1, y, m1);
        const m2 = v128.load(m, 32); a2 = plus(a2, x, m2); b2 = plus(b2, y, m2);
        const m3 = v128.load(m, 48); a3 = plus(a3, x, m3); b3 = plus(b3, y, m3);
        m += stride;
      }
      const at = out + (j << 3);
      v128.store(at, f64x2.mul(a0, r)); v128.store(at, f64x2.mul(a1, r), 16);
      v128.store(at, f64x2.mul(a2, r), 32); v128.store(at, f64x2.mul(a3, r), 48);
      if (j <= i && i < j + 8) store<f64>(out + (i << 3), diagonal);
      if (lone) continue;
      const under = below + (j << 3);
      v128.store(under, f64x2.mul(plus(b0, corner, v128.load(at)), s));
      v128.store(under, f64x2.mul(plus(b1, corner, v128.load(at, 16)), s), 16);
      v128.store(under, f64x2.mul(plus(b2, corner, v128.load(at, 32)), s), 32);
      v128.store(under, f64x2.mul(plus(b3, corner, v128.load(at, 48)), s), 48);
    }
    if (!lone) store<f64>(below + ((i + 1) << 3), f64x2.extract_lane(s, 0));
  }
}

/** inverse = (L Lᵀ)⁻¹, packed: row i is the sum over k >= i of L⁻¹[k][i] L⁻¹[k]; two rows and eight columns at a time. */
export function invertOne(p: Places): void {
  invertLowerOne(p);
  const d = p.dimension;
  const stride = strideOf(d);
  for (let i: u32 = 0; i < d; i += 2) {
    const lone = i + 1 == d;
    const out: usize = p.inverse + (triangle(i) << 3);
    const below = out + ((i + 1) << 3);
    const own: usize = p.rows + i * stride;
    const first = v128.load64_splat(own + (i << 3));
    for (let j: u32 = 0; j <= (lone ? i : i + 1); j += 8) {
      let m = own + (j << 3);
      let a0 = f64x2.mul(v128.load(m), first), a1 = f64x2.mul(v128.load(m, 16), first);
      let a2 = f64x2.mul(v128.load(m, 32), first), a3 = f64x2.mul(v128.load(m, 48), first);
      let b0 = a0, b1 = a1, b2 = a2, b3 = a3;
      if (!lone) {
        m += stride;
        const x = v128.load64_splat(own + stride + (i << 3)), y = v128.load64_splat(own + stride + (i << 3), 8);
        const m0 = v128.load(m); a0 = plus(a0, x, m0); b0 = f64x2.mul(m0, y);
        const m1 = v128.load(m, 16); a1 = plus(a1, x, m1); b1 = f64x2.mul(m1, y);
        const m2 = v128.load(m, 32); a2 = plus(a2, x, m2); b2 = f64x2.mul(m2, y);
        const m3 = v128.load(m, 48); a3 = plus(a3, x, m3); b3 = f64x2.mul(m3, y);
        let at = own + (stride << 1) + (i << 3);
        for (let k = i + 2; k < d; k++) {
          m += stride;
          const u = v128.load64_splat(at), w = v128.load64_splat(at, 8);
          at += stride;
          const n0 = v128.load(m); a0 = plus(a0, u, n0); b0 = plus(b0, w, n0);
          const n1 = v128.load(m, 16); a1 = plus(a1, u, n1); b1 = plus(b1, w, n1);
          const n2 = v128.load(m, 32); a2 = plus(a2, u, n2); b2 = plus(b2, w, n2);
          const n3 = v128.load(m, 48); a3 = plus(a3, u, n3); b3 = plus(b3, w, n3);
        }
      }
      keep(out, j, i, a0); keep(out, j + 2, i, a1); keep(out, j + 4, i, a2); keep(out, j + 6, i, a3);
      if (lone) continue;
      keep(below, j, i + 1, b0); keep(below, j + 2, i + 1, b1); keep(below, j + 4, i + 1, b2); keep(below, j + 6, i + 1, b3);
    }
  }
}

/** Columns j and j + 1 of row i, those up to the diagonal. */
// @ts-ignore: decorator
@inline
function keep(row: usize, j: u32, i: u32, a: v128): void {
  if (j < i) v128.store(row + (j << 3), a);
  else if (j == i) store<f64>(row + (j << 3), f64x2.extract_lane(a, 0));
}
