import { Context, GROUP, triangle } from "./context";
import { ln2 } from "./functions";

/**
 * Balls of the active sums for groups `from` to `to`: L Lᵀ = I + gram, θ̂ = L⁻ᵀL⁻¹ moment. The moment stands where the
 * gram's next row would, so L⁻¹ moment is one more row of the factor. Returns 0, or 1 if a matrix is not positive definite.
 */
export function refresh(c: Context, from: u32, to: u32): u32 {
  return refreshOf(c.activeAt, c.lowerAt, c.reciprocalAt, c.estimateAt, c, from, to);
}

/** The same for the peers' own sums. */
export function refreshLocal(c: Context, from: u32, to: u32): u32 {
  return refreshOf(c.localAt, c.localLowerAt, c.localReciprocalAt, c.localEstimateAt, c, from, to);
}

function refreshOf(sums: usize, lowers: usize, reciprocals: usize, estimates: usize, c: Context, from: u32, to: u32): u32 {
  const d = c.dimension;
  const factorBytes = (triangle(d) + d) * GROUP;
  let bad: u32 = 0;
  for (let group = from; group < to; group++) {
    const lower = lowers + group * factorBytes;
    const reciprocal = reciprocals + group * d * GROUP;
    bad |= refactor(d, sums + group * c.columns * GROUP, lower, reciprocal);
    solveBack(d, lower, reciprocal, estimates + ((group * d) << 5));
  }
  return bad;
}

/** Rows 0 to d of [L; (L⁻¹ moment)ᵀ], two columns at a time; the pivot is reduced as the row grows, in the same order. */
function refactor(d: u32, gram: usize, lower: usize, reciprocal: usize): u32 {
  const one = f64x2.splat(1);
  let bad: u32 = 0;
  let row = lower;
  let given = gram;
  for (let i: u32 = 0; i <= d; i++) {
    const end = given + i * GROUP;
    let p0 = f64x2.add(v128.load(end), one);
    let p1 = f64x2.add(v128.load(end, 16), one);
    let other = lower;
    let r = reciprocal;
    let j: u32 = 0;
    for (; j + 1 < i; j += 2) {
      const next = other + (j + 1) * GROUP;
      const at = given + j * GROUP;
      let s0 = v128.load(at), s1 = v128.load(at, 16);
      let t0 = v128.load(at, 32), t1 = v128.load(at, 48);
      let u = other, w = next;
      const last = other + j * GROUP;
      for (let k = row; u < last; k += GROUP) {
        const a0 = v128.load(k), a1 = v128.load(k, 16);
        s0 = f64x2.sub(s0, f64x2.mul(a0, v128.load(u)));
        s1 = f64x2.sub(s1, f64x2.mul(a1, v128.load(u, 16)));
        t0 = f64x2.sub(t0, f64x2.mul(a0, v128.load(w)));
        t1 = f64x2.sub(t1, f64x2.mul(a1, v128.load(w, 16)));
        u += GROUP;
        w += GROUP;
      }
      const out = row + j * GROUP;
      s0 = f64x2.mul(s0, v128.load(r));
      s1 = f64x2.mul(s1, v128.load(r, 16));
      t0 = f64x2.mul(f64x2.sub(t0, f64x2.mul(s0, v128.load(w))), v128.load(r, 32));
      t1 = f64x2.mul(f64x2.sub(t1, f64x2.mul(s1, v128.load(w, 16))), v128.load(r, 48));
      v128.store(out, s0); v128.store(out, s1, 16); v128.store(out, t0, 32); v128.store(out, t1, 48);
      p0 = f64x2.sub(f64x2.sub(p0, f64x2.mul(s0, s0)), f64x2.mul(t0, t0));
      p1 = f64x2.sub(f64x2.sub(p1, f64x2.mul(s1, s1)), f64x2.mul(t1, t1));
      other = next + (j + 2) * GROUP;
      r += GROUP << 1;
    }
    if (j < i) {
      const at = given + j * GROUP;
      let s0 = v128.load(at), s1 = v128.load(at, 16);
      for (let k: u32 = 0; k < j * GROUP; k += GROUP) {
        s0 = f64x2.sub(s0, f64x2.mul(v128.load(row + k), v128.load(other + k)));
        s1 = f64x2.sub(s1, f64x2.mul(v128.load(row + k, 16), v128.load(other + k, 16)));
      }
      s0 = f64x2.mul(s0, v128.load(r));
      s1 = f64x2.mul(s1, v128.load(r, 16));
      v128.store(row + j * GROUP, s0); v128.store(row + j * GROUP, s1, 16);
      p0 = f64x2.sub(p0, f64x2.mul(s0, s0));
      p1 = f64x2.sub(p1, f64x2.mul(s1, s1));
    }
    if (i == d) break;
    bad |= notPositive(p0) | notPositive(p1);
    const r0 = f64x2.sqrt(p0), r1 = f64x2.sqrt(p1);
    const diagonal = row + i * GROUP;
    v128.store(diagonal, r0); v128.store(diagonal, r1, 16);
    v128.store(reciprocal + i * GROUP, f64x2.div(one, r0)); v128.store(reciprocal + i * GROUP, f64x2.div(one, r1), 16);
    row += (i + 1) * GROUP;
    given += (i + 1) * GROUP;
  }
  return bad;
}

// @ts-ignore: decorator
@inline
function notPositive(pivot: v128): u32 {
  const good = v128.and(f64x2.gt(pivot, f64x2.splat(0)), f64x2.lt(pivot, f64x2.splat(Infinity)));
  return i64x2.all_true(good) ? 0 : 1;
}

/** θ̂ = L⁻ᵀ y with y in the row below L; `estimate` is [peer][feature]. */
export function solveBack(d: u32, lower: usize, reciprocal: usize, estimate: usize): void {
  const y = lower + triangle(d) * GROUP;
  let row = y;
  for (let i: i32 = d - 1; i >= 0; i--) {
    row -= (i + 1) * GROUP;
    const at = y + i * GROUP;
    const r = reciprocal + i * GROUP;
    const y0 = f64x2.mul(v128.load(at), v128.load(r));
    const y1 = f64x2.mul(v128.load(at, 16), v128.load(r, 16));
    for (let j: u32 = 0; j < <u32>i * GROUP; j += GROUP) {
      v128.store(y + j, f64x2.sub(v128.load(y + j), f64x2.mul(v128.load(row + j), y0)));
      v128.store(y + j, f64x2.sub(v128.load(y + j, 16), f64x2.mul(v128.load(row + j, 16), y1)), 16);
    }
    v128.store64_lane(estimate + (i << 3), y0, 0);
    v128.store64_lane(estimate + ((d + i) << 3), y0, 1);
    v128.store64_lane(estimate + ((2 * d + i) << 3), y1, 0);
    v128.store64_lane(estimate + ((3 * d + i) << 3), y1, 1);
  }
}

/** `refresh`, and the radii that go with the balls: ρ = norm + W R √(2 (½ ln det A − ln δ)), `spread` = W R, `lnDelta` = ln δ. */
export function refreshTheory(c: Context, from: u32, to: u32, norm: f64, spread: f64, lnDelta: f64): u32 {
  const bad = refresh(c, from, to);
  theoryRadii(c, from, to, norm, spread, lnDelta);
  return bad;
}

function theoryRadii(c: Context, from: u32, to: u32, norm: f64, spread: f64, lnDelta: f64): void {
  const d = c.dimension;
  for (let half = from << 1; half < to << 1; half++) {
    const lower = c.lowerAt + (half >> 1) * ((triangle(d) + d) * GROUP) + ((half & 1) << 4);
    let sum = f64x2.splat(0);
    for (let i: u32 = 0, at: usize = lower; i < d; at += (i + 2) * GROUP, i++) sum = f64x2.add(sum, ln2(v128.load(at)));
    const logDeterminant = f64x2.mul(f64x2.splat(2), sum);
    const inner = f64x2.sub(f64x2.mul(f64x2.splat(0.5), logDeterminant), f64x2.splat(lnDelta));
    const root = f64x2.sqrt(f64x2.mul(f64x2.splat(2), inner));
    v128.store(c.radiusAt + (half << 4), f64x2.add(f64x2.splat(norm), f64x2.mul(f64x2.splat(spread), root)));
  }
}
