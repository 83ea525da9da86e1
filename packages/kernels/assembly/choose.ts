import { Context, GROUP, triangle } from "./context";

/**
 * argmax x·θ̂ + ρ ‖L⁻¹x‖ for groups `from` to `to`; ties go to the lowest index.
 *
 * A vector holds the same arm of two peers, each lane with its own L; rows of L are taken two at a time, for up to four
 * arms at once: enough sums that do not wait for one another, and few enough for the registers. Each sum runs in
 * ascending order, as in core.
 */
export function choose(c: Context, from: u32, to: u32, scratch: usize): void {
  for (let pair = from << 1; pair < to << 1; pair++) {
    const d = c.dimension;
    const arms = c.armsAt + ((pair * d * c.arms) << 4);
    const scores = scratch + (d << 4);
    const lane = (pair & 1) << 4;
    const lower = c.lowerAt + (pair >> 1) * ((triangle(d) + d) * GROUP) + lane;
    const reciprocal = c.reciprocalAt + (pair >> 1) * (d * GROUP) + lane;
    const estimate = c.estimateAt + ((pair * d) << 4);
    pairArms(estimate, estimate + (d << 3), 0, scratch, 1, d);
    const radius = v128.load(c.radiusAt + (pair << 4));
    scoreAll(true, 0, c.arms, d, lower, reciprocal, GROUP, scratch, radius, arms, scores, scores + (c.arms << 4));
    keepLargest(c, pair, arms, scores);
  }
}

/** The first of the largest scores [arm][peer] of two peers; the chosen arms become their observations. */
function keepLargest(c: Context, pair: u32, arms: usize, scores: usize): void {
  let best = f64x2.splat(-Infinity);
  let place = i64x2.splat(0);
  let index = place;
  for (let at = scores, end = scores + (c.arms << 4); at < end; at += 16) {
    const score = v128.load(at);
    const more = f64x2.gt(score, best);
    best = v128.bitselect(score, best, more);
    place = v128.bitselect(index, place, more);
    index = i64x2.add(index, i64x2.splat(1));
  }
  keep(c, pair << 1, arms, <u32>i64x2.extract_lane(place, 0));
  keep(c, (pair << 1) + 1, arms + 8, <u32>i64x2.extract_lane(place, 1));
}

/** The driver adds what it paid. */
function keep(c: Context, peer: u32, arms: usize, arm: u32): void {
  store<u32>(c.choicesAt + (peer << 2), arm);
  const d = c.dimension;
  let from = arms + (arm << 4);
  const seen = c.seenAt + ((peer * c.extent) << 3);
  for (let i: u32 = 0; i < d; i++) {
    store<f64>(seen + (i << 3), load<f64>(from));
    from += c.arms << 4;
  }
  store<f64>(seen + ((d + 1) << 3), 1);
}

/**
 * Scores of [feature][vector] by one ball, into out[vector]; with a gap, x·θ̂ into out[vector] and, `gap` bytes behind, ‖L⁻¹x‖².
 * Entries of L stand `step` bytes apart; `solved` has room for L⁻¹x of four vectors.
 */
export function scoreArms(vectors: u32, d: u32, lower: usize, reciprocal: usize, step: u32, estimate: usize, radius: f64, arms: usize, out: usize, gap: u32, solved: usize): void {
  scoreAll(false, gap, vectors, d, lower, reciprocal, step, estimate, f64x2.splat(radius), arms, out, solved);
}

/** Inlined: by itself it has one register too few, and takes 5 % longer. */
// @ts-ignore: decorator
@inline
function scoreAll(paired: bool, gap: u32, vectors: u32, d: u32, lower: usize, reciprocal: usize, step: u32, estimate: usize, radius: v128, arms: usize, scores: usize, solved: usize): void {
  const stride = vectors << 4;
  let blocks = (vectors + 3) / 4;
  let out = scores;
  let at = arms;
  let left = vectors;
  while (blocks > 0) {
    const count = (left + blocks - 1) / blocks;
    switch (count) {
      case 1: block(1, paired, gap, d, lower, reciprocal, step, estimate, radius, at, stride, solved, out); break;
      case 2: block(2, paired, gap, d, lower, reciprocal, step, estimate, radius, at, stride, solved, out); break;
      case 3: block(3, paired, gap, d, lower, reciprocal, step, estimate, radius, at, stride, solved, out); break;
      default: block(4, paired, gap, d, lower, reciprocal, step, estimate, radius, at, stride, solved, out);
    }
    at += count << 4;
    out += count << 4;
    left -= count;
    blocks -= 1;
  }
}

/** The first index of the largest of `count` scores; even and odd ones side by side, without a branch to guess. */
export function largest(scores: usize, count: u32): i32 {
  if (count & 1) store<f64>(scores + (count << 3), -Infinity);
  let best = f64x2.splat(-Infinity);
  let place = i64x2.splat(0);
  let index = i64x2(0, 1);
  for (let at = scores, end = scores + (count << 3); at < end; at += 16) {
    const score = v128.load(at);
    const more = f64x2.gt(score, best);
    best = v128.bitselect(score, best, more);
    place = v128.bitselect(index, place, more);
    index = i64x2.add(index, i64x2.splat(2));
  }
  const even = f64x2.extract_lane(best, 0), odd = f64x2.extract_lane(best, 1);
  const first = <i32>i64x2.extract_lane(place, 0), second = <i32>i64x2.extract_lane(place, 1);
  return odd > even || (odd == even && second < first) ? second : first;
}

// @ts-ignore: decorator
@inline
function less(sum: v128, l: v128, y: v128): v128 {
  return f64x2.sub(sum, f64x2.mul(l, y));
}

/** An entry of L: of two peers, or one peer's in both lanes. */
// @ts-ignore: decorator
@inline
function entry(paired: bool, at: usize): v128 {
  return paired ? v128.load(at) : v128.load64_splat(at);
}

/** mean + ρ √square for R vectors of arms: y = L⁻¹x row by row, then x·θ̂ and ‖y‖². R is known when compiling. */
// @ts-ignore: decorator
@inline
function block(R: u32, paired: bool, gap: u32, d: u32, lower: usize, reciprocal: usize, step: u32, estimate: usize, radius: v128, arms: usize, stride: u32, solved: usize, out: usize): void {
  const bytes = R << 4;
  let row = lower;
  let x = arms;
  let y = solved;
  let i: u32 = 0;
  if (d & 1) {
    // An odd row is taken care of first, where it is short.
    const r = entry(paired, reciprocal);
    v128.store(y, f64x2.mul(v128.load(x), r));
    if (R > 1) v128.store(y, f64x2.mul(v128.load(x, 16), r), 16);
    if (R > 2) v128.store(y, f64x2.mul(v128.load(x, 32), r), 32);
    if (R > 3) v128.store(y, f64x2.mul(v128.load(x, 48), r), 48);
    row += step;
    x += stride;
    y += bytes;
    i = 1;
  }
  for (; i < d; i += 2) {
    const next = row + (i + 1) * step;
    const x1 = x + stride;
    let a0 = v128.load(x), b0 = v128.load(x1);
    let a1 = a0, a2 = a0, a3 = a0, b1 = b0, b2 = b0, b3 = b0;
    if (R > 1) { a1 = v128.load(x, 16); b1 = v128.load(x1, 16); }
    if (R > 2) { a2 = v128.load(x, 32); b2 = v128.load(x1, 32); }
    if (R > 3) { a3 = v128.load(x, 48); b3 = v128.load(x1, 48); }
    let at = solved;
    let l = row, m = next;
    if (at < y) do {
      let p = entry(paired, l), q = entry(paired, m);
      const y0 = v128.load(at); a0 = less(a0, p, y0); b0 = less(b0, q, y0);
      if (R > 1) { const y1 = v128.load(at, 16); a1 = less(a1, p, y1); b1 = less(b1, q, y1); }
      if (R > 2) { const y2 = v128.load(at, 32); a2 = less(a2, p, y2); b2 = less(b2, q, y2); }
      if (R > 3) { const y3 = v128.load(at, 48); a3 = less(a3, p, y3); b3 = less(b3, q, y3); }
      at += bytes;
      l += step;
      m += step;
    } while (at < y);
    const r = entry(paired, reciprocal + i * step);
    const s = entry(paired, reciprocal + (i + 1) * step);
    const q = entry(paired, m);
    const z = y + bytes;
    a0 = f64x2.mul(a0, r); v128.store(y, a0); v128.store(z, f64x2.mul(less(b0, q, a0), s));
    if (R > 1) { a1 = f64x2.mul(a1, r); v128.store(y, a1, 16); v128.store(z, f64x2.mul(less(b1, q, a1), s), 16); }
    if (R > 2) { a2 = f64x2.mul(a2, r); v128.store(y, a2, 32); v128.store(z, f64x2.mul(less(b2, q, a2), s), 32); }
    if (R > 3) { a3 = f64x2.mul(a3, r); v128.store(y, a3, 48); v128.store(z, f64x2.mul(less(b3, q, a3), s), 48); }
    row = next + (i + 2) * step;
    x += stride << 1;
    y += bytes << 1;
  }
  scoresOf(R, paired, gap, d, estimate, radius, arms, stride, solved, out);
}

// @ts-ignore: decorator
@inline
function scoresOf(R: u32, paired: bool, gap: u32, d: u32, estimate: usize, rho: v128, arms: usize, stride: u32, solved: usize, out: usize): void {
  const zero = f64x2.splat(0);
  let m0 = zero, m1 = zero, m2 = zero, m3 = zero;
  let q0 = zero, q1 = zero, q2 = zero, q3 = zero;
  let x = arms;
  let y = solved;
  let theta = estimate;
  for (let i: u32 = 0; i < d; i++) {
    const t = entry(paired, theta);
    m0 = f64x2.add(m0, f64x2.mul(v128.load(x), t)); q0 = plusSquare(q0, v128.load(y));
    if (R > 1) { m1 = f64x2.add(m1, f64x2.mul(v128.load(x, 16), t)); q1 = plusSquare(q1, v128.load(y, 16)); }
    if (R > 2) { m2 = f64x2.add(m2, f64x2.mul(v128.load(x, 32), t)); q2 = plusSquare(q2, v128.load(y, 32)); }
    if (R > 3) { m3 = f64x2.add(m3, f64x2.mul(v128.load(x, 48), t)); q3 = plusSquare(q3, v128.load(y, 48)); }
    x += stride;
    y += R << 4;
    theta += paired ? 16 : 8;
  }
  if (gap > 0) {
    v128.store(out, m0); v128.store(out + gap, q0);
    if (R > 1) { v128.store(out, m1, 16); v128.store(out + gap, q1, 16); }
    if (R > 2) { v128.store(out, m2, 32); v128.store(out + gap, q2, 32); }
    if (R > 3) { v128.store(out, m3, 48); v128.store(out + gap, q3, 48); }
    return;
  }
  v128.store(out, f64x2.add(m0, f64x2.mul(rho, f64x2.sqrt(q0))));
  if (R > 1) v128.store(out, f64x2.add(m1, f64x2.mul(rho, f64x2.sqrt(q1))), 16);
  if (R > 2) v128.store(out, f64x2.add(m2, f64x2.mul(rho, f64x2.sqrt(q2))), 32);
  if (R > 3) v128.store(out, f64x2.add(m3, f64x2.mul(rho, f64x2.sqrt(q3))), 48);
}

// @ts-ignore: decorator
@inline
function plusSquare(sum: v128, y: v128): v128 {
  return f64x2.add(sum, f64x2.mul(y, y));
}

/** to[feature][k] = (a[k][feature], b[k][feature]) for k < count: rows of a and b stand `step` bytes apart. */
export function pairArms(a: usize, b: usize, step: u32, to: usize, count: u32, d: u32): void {
  const stride = count << 4;
  for (let k: u32 = 0; k < count; k++) {
    let out = to + (k << 4);
    for (let i: u32 = 0; i < d << 3; i += 8) {
      v128.store(out, v128.load64_lane(b + i, v128.load64_zero(a + i), 1));
      out += stride;
    }
    a += step;
    b += step;
  }
}
