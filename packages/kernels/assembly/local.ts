import { Context, GROUP, triangle } from "./context";
import { solveBack } from "./factor";

/** local += (x xᵀ, r x, 1) of this round's observations, groups `from` to `to`. */
export function addLocal(c: Context, from: u32, to: u32): void {
  addSeen(c, c.localAt, from, to);
}

/** open += the same. */
export function addOpen(c: Context, from: u32, to: u32): void {
  addSeen(c, c.openAt, from, to);
}

function addSeen(c: Context, sums: usize, from: u32, to: u32): void {
  const extent = c.extent << 3;
  for (let group = from; group < to; group++) {
    const seen = c.seenAt + (group << 2) * extent;
    let at = sums + group * c.columns * GROUP;
    for (let column: u32 = 0; column < c.columns; column++) {
      const one = seen + load<u32>(c.operandsAt + (column << 3));
      const other = seen + load<u32>(c.operandsAt + (column << 3), 4);
      for (let half: u32 = 0; half < 2; half++) {
        const skip = half * (extent << 1);
        const a = pair(one + skip, extent);
        const b = pair(other + skip, extent);
        v128.store(at, f64x2.add(v128.load(at), f64x2.mul(a, b)));
        at += 16;
      }
    }
  }
}

/** The same number of two peers. */
// @ts-ignore: decorator
@inline
function pair(at: usize, extent: u32): v128 {
  return v128.load64_lane(at + extent, v128.load64_zero(at), 1);
}

/** L Lᵀ += x xᵀ by Givens rotations, then θ̂ anew: balls of the own sums, groups `from` to `to`. */
export function updateLocal(c: Context, from: u32, to: u32, scratch: usize): void {
  const d = c.dimension;
  const factorBytes = (triangle(d) + d) * GROUP;
  const extent = c.extent << 3;
  for (let group = from; group < to; group++) {
    const lower = c.localLowerAt + group * factorBytes;
    const reciprocal = c.localReciprocalAt + group * d * GROUP;
    for (let half: u32 = 0; half < 2; half++) {
      const seen = c.seenAt + ((group << 2) + (half << 1)) * extent;
      for (let i: u32 = 0; i < d; i++) v128.store(scratch + (i << 4), pair(seen + (i << 3), extent));
      rotate(d, lower + (half << 4), reciprocal + (half << 4), scratch);
    }
    const moment = c.localAt + (group * c.columns + triangle(d)) * GROUP;
    solveForward(d, lower, reciprocal, moment);
    solveBack(d, lower, reciprocal, c.localEstimateAt + ((group * d) << 5));
  }
}

function rotate(d: u32, lower: usize, reciprocal: usize, work: usize): void {
  const one = f64x2.splat(1);
  let diagonal = lower;
  for (let k: u32 = 0; k < d; k++) {
    const old = v128.load(diagonal);
    const x = v128.load(work + (k << 4));
    const root = f64x2.sqrt(f64x2.add(f64x2.mul(old, old), f64x2.mul(x, x)));
    const inverse = f64x2.div(one, root);
    const cosine = f64x2.mul(old, inverse);
    const sine = f64x2.mul(x, inverse);
    v128.store(diagonal, root);
    v128.store(reciprocal + k * GROUP, inverse);
    let at = diagonal + (k + 1) * GROUP;
    for (let i = k + 1; i < d; i++) {
      const l = v128.load(at);
      const w = v128.load(work + (i << 4));
      v128.store(at, f64x2.add(f64x2.mul(cosine, l), f64x2.mul(sine, w)));
      v128.store(work + (i << 4), f64x2.sub(f64x2.mul(cosine, w), f64x2.mul(sine, l)));
      at += (i + 1) * GROUP;
    }
    diagonal += (k + 2) * GROUP;
  }
}

/** y = L⁻¹ moment, into the row below L. */
function solveForward(d: u32, lower: usize, reciprocal: usize, moment: usize): void {
  const y = lower + triangle(d) * GROUP;
  let row = lower;
  for (let i: u32 = 0; i < d; i++) {
    let s0 = v128.load(moment + i * GROUP), s1 = v128.load(moment + i * GROUP, 16);
    for (let j: u32 = 0; j < i * GROUP; j += GROUP) {
      s0 = f64x2.sub(s0, f64x2.mul(v128.load(row + j), v128.load(y + j)));
      s1 = f64x2.sub(s1, f64x2.mul(v128.load(row + j, 16), v128.load(y + j, 16)));
    }
    const r = reciprocal + i * GROUP;
    v128.store(y + i * GROUP, f64x2.mul(s0, v128.load(r)));
    v128.store(y + i * GROUP, f64x2.mul(s1, v128.load(r, 16)), 16);
    row += (i + 1) * GROUP;
  }
}
