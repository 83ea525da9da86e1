import { triangle } from "./context";
import { ln2 } from "./functions";

/**
 * Evidence and inverses of kindred's sums, two problems side by side: a vector holds the same entry of both, so that every
 * sum runs in the order of core's plain loops (kindred/evidence.ts, numbers/factor.ts), lane by lane.
 */
const PAIR: u32 = 16;
/** As in kindred/evidence.ts. */
const ROUNDING: f64 = 1e-5;

/** Where the numbers of a dimension stand, in bytes; written by src/evidence.ts, which has the same fields in the same order. */
@unmanaged
export class Places {
  dimension: u32;
  mean: u32;
  ridge: u32;
  pivots: u32;
  /** One over each of them. */
  overPivots: u32;
  /** [entry][2] from here: sums (S, v), L, 1/L[i][i], v' and then L⁻¹v', A⁻¹v'. */
  sums: u32;
  lower: u32;
  reciprocal: u32;
  solved: u32;
  centre: u32;
  /** explained, then ln det, of both. */
  results: u32;
  /** L⁻¹, whole rows of `stride` bytes; the inverse, packed. */
  rows: u32;
  stride: u32;
  inverse: u32;
  /** What inverses are added to, packed, of single numbers. */
  total: u32;
}

/** sums[entry] = (base + scale · other) of both; 0 is none of them. Reads and writes an even count of entries. */
export function mixPair(p: Places, baseA: usize, otherA: usize, scaleA: f64, baseB: usize, otherB: usize, scaleB: f64): void {
  const d = p.dimension;
  const end = ((triangle(d) + d + 1) & ~1) << 3;
  const out: usize = p.sums;
  const s = f64x2.splat(scaleA), t = f64x2.splat(scaleB);
  if (otherA == 0) {
    for (let k: usize = 0; k < end; k += 16) unite(out + (k << 1), v128.load(baseA + k), v128.load(baseB + k));
  } else if (baseA == 0) {
    for (let k: usize = 0; k < end; k += 16) {
      unite(out + (k << 1), f64x2.mul(s, v128.load(otherA + k)), f64x2.mul(t, v128.load(otherB + k)));
    }
  } else {
    for (let k: usize = 0; k < end; k += 16) {
      const a = f64x2.add(v128.load(baseA + k), f64x2.mul(s, v128.load(otherA + k)));
      const b = f64x2.add(v128.load(baseB + k), f64x2.mul(t, v128.load(otherB + k)));
      unite(out + (k << 1), a, b);
    }
  }
}

// @ts-ignore: decorator
@inline
function unite(out: usize, a: v128, b: v128): void {
  v128.store(out, i64x2.shuffle(a, b, 0, 2));
  v128.store(out, i64x2.shuffle(a, b, 1, 3), 16);
}

/** explained and ln det of both, as `Evidence.fit`; where `centred` also (S + R)⁻¹v'. */
export function evidencePair(p: Places, centred: bool): void {
  shift(p);
  factorise(true, p);
  if (centred) backward(p);
}

/**
 * Adds scale · A⁻¹, A = S + R, to `total`: of the first, then of the second where `both`; where `outer` also m mᵀ,
 * m = A⁻¹(v − Sμ), left in `centre`. Without `outer` that is A⁻¹v. Returns a bit for each whose A is not positive definite: it is left out.
 */
export function inversePair(p: Places, both: bool, outer: bool, scale: f64): u32 {
  if (outer) shift(p);
  const bad = outer ? factorPair(p) : solvePair(p);
  backward(p);
  invertPair(p);
  if (!(bad & 1)) addInverse(p, 0, outer, scale);
  if (both && !(bad & 2)) addInverse(p, 8, outer, scale);
  return bad;
}

/** L⁻¹v of both in `solved`, L Lᵀ = S + R. Returns a bit for each that is not positive definite. */
export function solvePair(p: Places): u32 {
  memory.copy(p.solved, p.sums + triangle(p.dimension) * PAIR, p.dimension * PAIR);
  return factorPair(p);
}

/** L and 1/L[i][i] of both, L Lᵀ = S + R, as `Factor.refactor`. Returns a bit for each that is not positive definite. */
function factorPair(p: Places): u32 {
  return factorise(false, p);
}

/** inverse = (L Lᵀ)⁻¹ of both, as `Factor.invert`. */
function invertPair(p: Places): void {
  invertLower(p);
  squareRows(p);
}

/** solved = v − Sμ; two rows of S at a time. */
function shift(p: Places): void {
  const d = p.dimension;
  const mean: usize = p.mean;
  const out: usize = p.solved;
  memory.copy(out, p.sums + triangle(d) * PAIR, d * PAIR);
  let row: usize = p.sums;
  let i: u32 = 0;
  for (; i + 1 < d; i += 2) {
    const next = row + (i + 1) * PAIR;
    const m = v128.load64_splat(mean + (i << 3)), n = v128.load64_splat(mean + (i << 3), 8);
    let s = f64x2.splat(0), t = s;
    for (let j: usize = 0, at = out; j < i * PAIR; j += PAIR, at += PAIR) {
      const x = v128.load(row + j), y = v128.load(next + j), mj = v128.load64_splat(mean + (j >> 1));
      s = f64x2.add(s, f64x2.mul(x, mj));
      t = f64x2.add(t, f64x2.mul(y, mj));
      v128.store(at, f64x2.sub(f64x2.sub(v128.load(at), f64x2.mul(x, m)), f64x2.mul(y, n)));
    }
    const at = out + i * PAIR;
    const x = v128.load(row + i * PAIR), y = v128.load(next + i * PAIR), z = v128.load(next + i * PAIR, 16);
    const own = f64x2.sub(v128.load(at), f64x2.add(s, f64x2.mul(x, m)));
    v128.store(at, f64x2.sub(own, f64x2.mul(y, n)));
    t = f64x2.add(t, f64x2.mul(y, m));
    v128.store(at, f64x2.sub(v128.load(at, 16), f64x2.add(t, f64x2.mul(z, n))), 16);
    row = next + (i + 2) * PAIR;
  }
  if (i < d) {
    const m = v128.load64_splat(mean + (i << 3));
    let s = f64x2.splat(0);
    for (let j: usize = 0, at = out; j < i * PAIR; j += PAIR, at += PAIR) {
      const x = v128.load(row + j);
      s = f64x2.add(s, f64x2.mul(x, v128.load64_splat(mean + (j >> 1))));
      v128.store(at, f64x2.sub(v128.load(at), f64x2.mul(x, m)));
    }
    const at = out + i * PAIR;
    v128.store(at, f64x2.sub(v128.load(at), f64x2.add(s, f64x2.mul(v128.load(row + i * PAIR), m))));
  }
}

// @ts-ignore: decorator
@inline
function less(sum: v128, l: v128, y: v128): v128 {
  return f64x2.sub(sum, f64x2.mul(l, y));
}

/** An entry of S + R. */
// @ts-ignore: decorator
@inline
function entry(sums: usize, ridge: usize, at: u32): v128 {
  return f64x2.add(v128.load(sums + at * PAIR), v128.load64_splat(ridge + (at << 3)));
}

/** sum − a x − b y: as one number where `paired`, as core's evidence does; else one after the other, as its factor does. */
// @ts-ignore: decorator
@inline
function lessTwo(paired: bool, sum: v128, a: v128, x: v128, b: v128, y: v128): v128 {
  return paired ? f64x2.sub(sum, f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y))) : less(less(sum, a, x), b, y);
}

/**
 * L Lᵀ = S + R and L⁻¹v', two rows and four columns at a time (a last row of an odd count is taken twice). As evidence
 * (`paired`) no pivot is less than R's but for rounding; else it must be positive. Returns a bit for each lane where that fails.
 */
// @ts-ignore: decorator
@inline
function factorise(paired: bool, p: Places): u32 {
  const d = p.dimension;
  const lower: usize = p.lower;
  const solved: usize = p.solved;
  const one = f64x2.splat(1);
  let bad = i64x2.splat(0);
  let explained = f64x2.splat(0), product = one, log = f64x2.splat(0);
  for (let i: u32 = 0; i < d; i += 2) {
    const lone = i + 1 == d;
    const step = lone ? 0 : i + 1;
    const start = triangle(i);
    const row: usize = lower + start * PAIR;
    const next = row + step * PAIR;
    const g: usize = p.sums + start * PAIR, h = g + step * PAIR;
    const r: usize = p.ridge + (start << 3), s = r + (step << 3);
    let u = v128.load(solved + i * PAIR);
    let w = v128.load(solved + (lone ? i : i + 1) * PAIR);
    const diagonal = entry(g, r, i);
    let pivot = diagonal;
    const last = entry(h, s, lone ? i : i + 1);
    let second = last;
    // L[i+1][i] before it is divided: reduced as both rows grow.
    let corner = entry(h, s, i);
    let other = lower;
    let j: u32 = 0;
    for (; j + 3 < i; j += 4) {
      const c1 = other + (j + 1) * PAIR, c2 = c1 + (j + 2) * PAIR, c3 = c2 + (j + 3) * PAIR;
      let a0 = entry(g, r, j), a1 = entry(g, r, j + 1), a2 = entry(g, r, j + 2), a3 = entry(g, r, j + 3);
      let b0 = entry(h, s, j), b1 = entry(h, s, j + 1), b2 = entry(h, s, j + 2), b3 = entry(h, s, j + 3);
      const stop = j * PAIR;
      for (let k: u32 = 0; k < stop; k += PAIR) {
        const x = v128.load(row + k), y = v128.load(next + k);
        const l0 = v128.load(other + k); a0 = less(a0, x, l0); b0 = less(b0, y, l0);
        const l1 = v128.load(c1 + k); a1 = less(a1, x, l1); b1 = less(b1, y, l1);
        const l2 = v128.load(c2 + k); a2 = less(a2, x, l2); b2 = less(b2, y, l2);
        const l3 = v128.load(c3 + k); a3 = less(a3, x, l3); b3 = less(b3, y, l3);
      }
      const at: usize = p.reciprocal + j * PAIR;
      const r0 = v128.load(at), r1 = v128.load(at, 16), r2 = v128.load(at, 32), r3 = v128.load(at, 48);
      a0 = f64x2.mul(a0, r0); b0 = f64x2.mul(b0, r0);
      const m10 = v128.load(c1 + stop);
      a1 = f64x2.mul(less(a1, a0, m10), r1); b1 = f64x2.mul(less(b1, b0, m10), r1);
      const m20 = v128.load(c2 + stop), m21 = v128.load(c2 + stop, 16);
      a2 = f64x2.mul(less(less(a2, a0, m20), a1, m21), r2); b2 = f64x2.mul(less(less(b2, b0, m20), b1, m21), r2);
      const m30 = v128.load(c3 + stop), m31 = v128.load(c3 + stop, 16), m32 = v128.load(c3 + stop, 32);
      a3 = f64x2.mul(less(less(less(a3, a0, m30), a1, m31), a2, m32), r3);
      b3 = f64x2.mul(less(less(less(b3, b0, m30), b1, m31), b2, m32), r3);
      v128.store(row + stop, a0); v128.store(row + stop, a1, 16); v128.store(row + stop, a2, 32); v128.store(row + stop, a3, 48);
      v128.store(next + stop, b0); v128.store(next + stop, b1, 16); v128.store(next + stop, b2, 32); v128.store(next + stop, b3, 48);
      corner = less(less(less(less(corner, b0, a0), b1, a1), b2, a2), b3, a3);
      pivot = lessTwo(paired, lessTwo(paired, pivot, a0, a0, a1, a1), a2, a2, a3, a3);
      second = lessTwo(paired, lessTwo(paired, second, b0, b0, b1, b1), b2, b2, b3, b3);
      const v = solved + stop;
      const v0 = v128.load(v), v1 = v128.load(v, 16), v2 = v128.load(v, 32), v3 = v128.load(v, 48);
      u = lessTwo(paired, lessTwo(paired, u, a0, v0, a1, v1), a2, v2, a3, v3);
      w = lessTwo(paired, lessTwo(paired, w, b0, v0, b1, v1), b2, v2, b3, v3);
      other = c3 + (j + 4) * PAIR;
    }
    if (j < i) {
      const c1 = other + (j + 1) * PAIR;
      let a0 = entry(g, r, j), a1 = entry(g, r, j + 1), b0 = entry(h, s, j), b1 = entry(h, s, j + 1);
      const stop = j * PAIR;
      for (let k: u32 = 0; k < stop; k += PAIR) {
        const x = v128.load(row + k), y = v128.load(next + k);
        const l0 = v128.load(other + k); a0 = less(a0, x, l0); b0 = less(b0, y, l0);
        const l1 = v128.load(c1 + k); a1 = less(a1, x, l1); b1 = less(b1, y, l1);
      }
      const at: usize = p.reciprocal + stop;
      const r0 = v128.load(at), r1 = v128.load(at, 16), m10 = v128.load(c1 + stop);
      a0 = f64x2.mul(a0, r0); b0 = f64x2.mul(b0, r0);
      a1 = f64x2.mul(less(a1, a0, m10), r1); b1 = f64x2.mul(less(b1, b0, m10), r1);
      v128.store(row + stop, a0); v128.store(row + stop, a1, 16);
      v128.store(next + stop, b0); v128.store(next + stop, b1, 16);
      corner = less(less(corner, b0, a0), b1, a1);
      pivot = lessTwo(paired, pivot, a0, a0, a1, a1);
      second = lessTwo(paired, second, b0, b0, b1, b1);
      const v0 = v128.load(solved + stop), v1 = v128.load(solved + stop, 16);
      u = lessTwo(paired, u, a0, v0, a1, v1);
      w = lessTwo(paired, w, b0, v0, b1, v1);
    }
    const least = paired ? v128.load64_splat(p.pivots + (i << 3)) : one;
    const kept = usable(paired, pivot, least);
    bad = v128.or(bad, v128.not(v128.or(kept, nearly(paired, pivot, least, diagonal))));
    pivot = paired ? v128.bitselect(pivot, least, kept) : pivot;
    const root = f64x2.sqrt(pivot), inverse = overRoot(paired, pivot, root);
    v128.store(row + i * PAIR, root);
    v128.store(p.reciprocal + i * PAIR, inverse);
    u = f64x2.mul(u, inverse);
    v128.store(solved + i * PAIR, u);
    if (paired) {
      explained = f64x2.add(explained, f64x2.mul(u, u));
      product = f64x2.mul(product, f64x2.mul(pivot, v128.load64_splat(p.overPivots + (i << 3))));
      if (v128.any_true(f64x2.gt(product, f64x2.splat(1e200)))) {
        const large = f64x2.gt(product, f64x2.splat(1e200));
        log = f64x2.add(log, v128.and(logOf(product), large));
        product = v128.bitselect(one, product, large);
      }
    }
    if (lone) break;
    corner = f64x2.mul(corner, inverse);
    v128.store(next + i * PAIR, corner);
    second = less(second, corner, corner);
    w = less(w, corner, u);
    const floor = paired ? v128.load64_splat(p.pivots + (i << 3), 8) : one;
    const held = usable(paired, second, floor);
    bad = v128.or(bad, v128.not(v128.or(held, nearly(paired, second, floor, last))));
    second = paired ? v128.bitselect(second, floor, held) : second;
    const side = f64x2.sqrt(second), over = overRoot(paired, second, side);
    v128.store(next + i * PAIR, side, 16);
    v128.store(p.reciprocal + i * PAIR, over, 16);
    w = f64x2.mul(w, over);
    v128.store(solved + i * PAIR, w, 16);
    if (paired) {
      explained = f64x2.add(explained, f64x2.mul(w, w));
      product = f64x2.mul(product, f64x2.mul(second, v128.load64_splat(p.overPivots + (i << 3), 8)));
      if (v128.any_true(f64x2.gt(product, f64x2.splat(1e200)))) {
        const large = f64x2.gt(product, f64x2.splat(1e200));
        log = f64x2.add(log, v128.and(logOf(product), large));
        product = v128.bitselect(one, product, large);
      }
    }
  }
  if (paired) {
    v128.store(p.results, v128.andnot(explained, bad));
    v128.store(p.results, v128.bitselect(f64x2.splat(Infinity), f64x2.add(log, logOf(product)), bad), 16);
  }
  return <u32>i64x2.bitmask(bad);
}

/** 1/root. Of evidence as root · (1/pivot): a root and a division that need not wait for each other. */
// @ts-ignore: decorator
@inline
function overRoot(paired: bool, pivot: v128, root: v128): v128 {
  const one = f64x2.splat(1);
  return paired ? f64x2.mul(root, f64x2.div(one, pivot)) : f64x2.div(one, root);
}

/** Lanes whose pivot can be used as it is. */
// @ts-ignore: decorator
@inline
function usable(paired: bool, pivot: v128, least: v128): v128 {
  return paired ? f64x2.ge(pivot, least) : v128.and(f64x2.gt(pivot, f64x2.splat(0)), f64x2.lt(pivot, f64x2.splat(Infinity)));
}

/** Lanes whose pivot is less than R's by no more than rounding explains. */
// @ts-ignore: decorator
@inline
function nearly(paired: bool, pivot: v128, least: v128, diagonal: v128): v128 {
  return paired ? f64x2.ge(pivot, f64x2.sub(least, f64x2.mul(f64x2.splat(ROUNDING), diagonal))) : i64x2.splat(0);
}

/** ln x for x >= 1, Infinity included. */
function logOf(x: v128): v128 {
  return v128.bitselect(x, ln2(x), f64x2.eq(x, f64x2.splat(Infinity)));
}

/** centre = L⁻ᵀ solved. */
function backward(p: Places): void {
  const d = p.dimension;
  const out: usize = p.centre;
  memory.copy(out, p.solved, d * PAIR);
  let row: usize = p.lower + triangle(d) * PAIR;
  for (let i: i32 = d - 1; i >= 0; i--) {
    row -= (i + 1) * PAIR;
    const y = f64x2.mul(v128.load(out + i * PAIR), v128.load(p.reciprocal + i * PAIR));
    v128.store(out + i * PAIR, y);
    for (let j: u32 = 0; j < <u32>i * PAIR; j += PAIR) v128.store(out + j, less(v128.load(out + j), y, v128.load(row + j)));
  }
}

/** rows = L⁻¹, each row with zeros up to a whole block of four columns; two rows at a time. */
function invertLower(p: Places): void {
  const d = p.dimension;
  const stride = p.stride;
  const zero = f64x2.splat(0);
  for (let i: u32 = 0; i < d; i += 2) {
    const lone = i + 1 == d;
    const row: usize = p.lower + triangle(i) * PAIR;
    const next = lone ? row : row + (i + 1) * PAIR;
    const out: usize = p.rows + i * stride;
    const below = lone ? out : out + stride;
    const r = v128.load(p.reciprocal + i * PAIR);
    const s = lone ? r : v128.load(p.reciprocal + i * PAIR, 16);
    // L[i+1][i], by which row i counts in the one below.
    const corner = lone ? zero : f64x2.neg(v128.load(next + i * PAIR));
    for (let j: u32 = 0; j <= (lone ? i : i + 1); j += 4) {
      let a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero, b3 = zero;
      let m: usize = p.rows + j * stride + j * PAIR;
      for (let k: u32 = j; k < i; k++) {
        const x = f64x2.neg(v128.load(row + k * PAIR)), y = f64x2.neg(v128.load(next + k * PAIR));
        const m0 = v128.load(m); a0 = f64x2.add(a0, f64x2.mul(x, m0)); b0 = f64x2.add(b0, f64x2.mul(y, m0));
        const m1 = v128.load(m, 16); a1 = f64x2.add(a1, f64x2.mul(x, m1)); b1 = f64x2.add(b1, f64x2.mul(y, m1));
        const m2 = v128.load(m, 32); a2 = f64x2.add(a2, f64x2.mul(x, m2)); b2 = f64x2.add(b2, f64x2.mul(y, m2));
        const m3 = v128.load(m, 48); a3 = f64x2.add(a3, f64x2.mul(x, m3)); b3 = f64x2.add(b3, f64x2.mul(y, m3));
        m += stride;
      }
      a0 = f64x2.mul(a0, r); a1 = f64x2.mul(a1, r); a2 = f64x2.mul(a2, r); a3 = f64x2.mul(a3, r);
      const at = out + j * PAIR;
      if (j <= i) {
        // The diagonal, where it is in this block.
        if (j == i) a0 = r;
        else if (j + 1 == i) a1 = r;
        else if (j + 2 == i) a2 = r;
        else if (j + 3 == i) a3 = r;
      }
      v128.store(at, a0); v128.store(at, a1, 16); v128.store(at, a2, 32); v128.store(at, a3, 48);
      if (lone) continue;
      b0 = f64x2.mul(f64x2.add(b0, f64x2.mul(corner, a0)), s); b1 = f64x2.mul(f64x2.add(b1, f64x2.mul(corner, a1)), s);
      b2 = f64x2.mul(f64x2.add(b2, f64x2.mul(corner, a2)), s); b3 = f64x2.mul(f64x2.add(b3, f64x2.mul(corner, a3)), s);
      const under = below + j * PAIR;
      v128.store(under, b0); v128.store(under, b1, 16); v128.store(under, b2, 32); v128.store(under, b3, 48);
    }
    if (!lone) v128.store(below + (i + 1) * PAIR, s);
  }
}

/** inverse = L⁻ᵀL⁻¹, packed: row i is the sum over k >= i of L⁻¹[k][i] L⁻¹[k]; two rows and four columns at a time. */
function squareRows(p: Places): void {
  const d = p.dimension;
  const stride = p.stride;
  for (let i: u32 = 0; i < d; i += 2) {
    const lone = i + 1 == d;
    const out: usize = p.inverse + triangle(i) * PAIR;
    const below = out + (i + 1) * PAIR;
    const own: usize = p.rows + i * stride;
    const first = v128.load(own + i * PAIR);
    for (let j: u32 = 0; j <= (lone ? i : i + 1); j += 4) {
      let m = own + j * PAIR;
      let a0 = f64x2.mul(v128.load(m), first), a1 = f64x2.mul(v128.load(m, 16), first);
      let a2 = f64x2.mul(v128.load(m, 32), first), a3 = f64x2.mul(v128.load(m, 48), first);
      let b0 = a0, b1 = a1, b2 = a2, b3 = a3;
      if (!lone) {
        m += stride;
        const x = v128.load(own + stride + i * PAIR), y = v128.load(own + stride + i * PAIR, 16);
        const m0 = v128.load(m), m1 = v128.load(m, 16), m2 = v128.load(m, 32), m3 = v128.load(m, 48);
        a0 = f64x2.add(a0, f64x2.mul(x, m0)); b0 = f64x2.mul(m0, y);
        a1 = f64x2.add(a1, f64x2.mul(x, m1)); b1 = f64x2.mul(m1, y);
        a2 = f64x2.add(a2, f64x2.mul(x, m2)); b2 = f64x2.mul(m2, y);
        a3 = f64x2.add(a3, f64x2.mul(x, m3)); b3 = f64x2.mul(m3, y);
        let at = own + (stride << 1) + i * PAIR;
        for (let k = i + 2; k < d; k++) {
          m += stride;
          const u = v128.load(at), w = v128.load(at, 16);
          at += stride;
          const n0 = v128.load(m); a0 = f64x2.add(a0, f64x2.mul(u, n0)); b0 = f64x2.add(b0, f64x2.mul(w, n0));
          const n1 = v128.load(m, 16); a1 = f64x2.add(a1, f64x2.mul(u, n1)); b1 = f64x2.add(b1, f64x2.mul(w, n1));
          const n2 = v128.load(m, 32); a2 = f64x2.add(a2, f64x2.mul(u, n2)); b2 = f64x2.add(b2, f64x2.mul(w, n2));
          const n3 = v128.load(m, 48); a3 = f64x2.add(a3, f64x2.mul(u, n3)); b3 = f64x2.add(b3, f64x2.mul(w, n3));
        }
      }
      keep(out, j, i, a0, a1, a2, a3);
      if (!lone) keep(below, j, i + 1, b0, b1, b2, b3);
    }
  }
}

/** Columns j to j + 3 of row i, those up to the diagonal. */
// @ts-ignore: decorator
@inline
function keep(row: usize, j: u32, i: u32, a: v128, b: v128, c: v128, e: v128): void {
  const at = row + j * PAIR;
  if (j <= i) v128.store(at, a);
  if (j + 1 <= i) v128.store(at, b, 16);
  if (j + 2 <= i) v128.store(at, c, 32);
  if (j + 3 <= i) v128.store(at, e, 48);
}

/** total += scale · inverse of the lane at `lane` bytes, then m mᵀ where `outer`. */
function addInverse(p: Places, lane: u32, outer: bool, scale: f64): void {
  const d = p.dimension;
  let from: usize = p.inverse + lane;
  let to: usize = p.total;
  const m: usize = p.centre + lane;
  for (let i: u32 = 0; i < d; i++) {
    const mi = load<f64>(m + i * PAIR);
    for (let j: u32 = 0; j <= i; j++) {
      let sum = load<f64>(to) + scale * load<f64>(from);
      if (outer) sum += mi * load<f64>(m + j * PAIR);
      store<f64>(to, sum);
      from += PAIR;
      to += 8;
    }
  }
}
