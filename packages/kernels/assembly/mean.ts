import { Context, GROUP } from "./context";
import { buildBlock, following, power, programAt, replayBlock } from "./replay";

/**
 * Two cheaper ways to promote, where every map keeps the mean (dcb): what is replayed is the deviation from the mean over
 * the peers, in single precision; or nothing is, because after a long delay the slot is its mean (collapse).
 */

/** mean[column] = Σ over peers / V, columns `from` to `to`, in ascending order of the peer. */
export function meanOf(c: Context, from: u32, to: u32): void {
  const extent = c.extent << 3;
  const end = c.dueAt + c.peers * extent;
  for (let column = from; column < to; column += 4) {
    const operands = c.operandsAt + (column << 3);
    const a0 = load<u32>(operands), b0 = load<u32>(operands, 4), a1 = load<u32>(operands, 8), b1 = load<u32>(operands, 12);
    const a2 = load<u32>(operands, 16), b2 = load<u32>(operands, 20), a3 = load<u32>(operands, 24), b3 = load<u32>(operands, 28);
    let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0, s3: f64 = 0;
    for (let at: usize = c.dueAt; at < end; at += extent) {
      s0 += load<f64>(at + a0) * load<f64>(at + b0);
      s1 += load<f64>(at + a1) * load<f64>(at + b1);
      s2 += load<f64>(at + a2) * load<f64>(at + b2);
      s3 += load<f64>(at + a3) * load<f64>(at + b3);
    }
    const out = c.meanAt + (column << 3);
    const peers = <f64>c.peers;
    store<f64>(out, s0 / peers);
    store<f64>(out, s1 / peers, 8);
    store<f64>(out, s2 / peers, 16);
    store<f64>(out, s3 / peers, 24);
  }
}

/** active += weight · mean, for the one ball that all peers share. */
export function promoteMean(c: Context): void {
  const weight = v128.load(c.weightsAt);
  for (let column: u32 = 0; column < c.columns; column++) {
    const term = f64x2.mul(weight, v128.load64_splat(c.meanAt + (column << 3)));
    const at = c.activeAt + column * GROUP;
    v128.store(at, f64x2.add(v128.load(at), term));
    v128.store(at, f64x2.add(v128.load(at, 16), term), 16);
  }
}

/** The largest |slot − mean| over the peers in one block of columns, replayed: what collapse leaves out. */
export function probe(c: Context, block: u32, scratch: usize): f64 {
  const size = (c.peers + 1) << 6;
  memory.fill(scratch + (c.peers << 6), 0, 64);
  memory.fill(scratch + size + (c.peers << 6), 0, 64);
  buildBlock(c, block, scratch);
  const rows = replayBlock(c, scratch, scratch + size);
  const scale = power(c.maps);
  let most: f64 = 0;
  for (let peer: u32 = 0; peer < c.peers; peer++) {
    const row = rows + load<u32>(c.rowsAt + (peer << 2));
    for (let k: u32 = 0; k < 8; k++) {
      const off = Math.abs(load<f64>(row + (k << 3)) * scale - load<f64>(c.meanAt + (((block << 3) + k) << 3)));
      if (off > most) most = off;
    }
  }
  return most;
}

/** Every so many maps the sums are scaled down: a single number ends at 2^128. */
const REACH: u32 = 64;

/** As `replay` with sixteen columns of deviations a row: active += weight · (mean + 2^-maps · deviation). */
export function replayDeviation(c: Context, from: u32, to: u32, scratch: usize): void {
  const size = (c.peers + 1) << 6;
  memory.fill(scratch + (c.peers << 6), 0, 64);
  memory.fill(scratch + size + (c.peers << 6), 0, 64);
  for (let block = from; block < to; block++) {
    buildDeviation(c, block, scratch);
    promoteDeviation(c, block, replaySingles(c, scratch, scratch + size));
  }
}

function buildDeviation(c: Context, block: u32, out: usize): void {
  const extent = c.extent << 3;
  for (let k: u32 = 0; k < 16; k++) {
    const column = (block << 4) + k;
    const one = load<u32>(c.operandsAt + (column << 3));
    const other = load<u32>(c.operandsAt + (column << 3), 4);
    const mean = load<f64>(c.meanAt + (column << 3));
    let at = c.dueAt;
    const end = out + (c.peers << 6);
    for (let to = out + (k << 2); to < end; to += 64) {
      store<f32>(to, <f32>(load<f64>(at + one) * load<f64>(at + other) - mean));
      at += extent;
    }
  }
}

function replaySingles(c: Context, a: usize, b: usize): usize {
  let source = a;
  let target = b;
  let program = c.firstProgram;
  for (let done: u32 = 0; done < c.maps; ) {
    const before = done;
    if (c.maps & 1 && done == 0) {
      const at = programAt(c, program);
      sumSingles(source, target, at + 16, load<u32>(at));
      done = 1;
    } else {
      program = following(c, program);
      const at = programAt(c, program);
      chainSingles(source, target, at + (done == 0 ? load<u32>(at, 12) : load<u32>(at, 8)), load<u32>(at, 4));
      done += 2;
    }
    if (done / REACH != before / REACH) scaleDown(target, c.peers);
    const held = source;
    source = target;
    target = held;
    program = following(c, program);
  }
  return source;
}

function sumSingles(source: usize, target: usize, pairs: usize, count: u32): void {
  for (const end = target + (count << 6); target < end; target += 64) {
    const a = source + load<u32>(pairs);
    const b = source + load<u32>(pairs, 4);
    v128.store(target, f32x4.add(v128.load(a), v128.load(b)));
    v128.store(target, f32x4.add(v128.load(a, 16), v128.load(b, 16)), 16);
    v128.store(target, f32x4.add(v128.load(a, 32), v128.load(b, 32)), 32);
    v128.store(target, f32x4.add(v128.load(a, 48), v128.load(b, 48)), 48);
    pairs += 8;
  }
}

function chainSingles(source: usize, target: usize, items: usize, count: u32): void {
  let p0 = f32x4.splat(0), p1 = p0, p2 = p0, p3 = p0;
  for (const end = items + (count << 3); items < end; items += 8) {
    const item = load<u32>(items, 4);
    const a = source + load<u32>(items);
    const b = source + (item & ~63);
    const n0 = f32x4.add(v128.load(a), v128.load(b)), n1 = f32x4.add(v128.load(a, 16), v128.load(b, 16));
    const n2 = f32x4.add(v128.load(a, 32), v128.load(b, 32)), n3 = f32x4.add(v128.load(a, 48), v128.load(b, 48));
    v128.store(target, f32x4.add(p0, n0));
    v128.store(target, f32x4.add(p1, n1), 16);
    v128.store(target, f32x4.add(p2, n2), 32);
    v128.store(target, f32x4.add(p3, n3), 48);
    p0 = n0; p1 = n1; p2 = n2; p3 = n3;
    target += (item & 1) << 6;
  }
}

function scaleDown(rows: usize, count: u32): void {
  const scale = f32x4.splat(<f32>power(REACH));
  for (let at = rows; at < rows + (count << 6); at += 16) v128.store(at, f32x4.mul(v128.load(at), scale));
}

function promoteDeviation(c: Context, block: u32, rows: usize): void {
  const scale = f64x2.splat(power(c.maps % REACH));
  const groups = (c.peers + 3) >> 2;
  for (let group: u32 = 0; group < groups; group++) {
    const at = c.rowsAt + (group << 4);
    const r0 = rows + load<u32>(at), r1 = rows + load<u32>(at, 4), r2 = rows + load<u32>(at, 8), r3 = rows + load<u32>(at, 12);
    const w0 = v128.load(c.weightsAt + (group << 5)), w1 = v128.load(c.weightsAt + (group << 5), 16);
    let active = c.activeAt + (group * c.columns + (block << 4)) * GROUP;
    let mean = c.meanAt + (block << 7);
    for (let k: u32 = 0; k < 64; k += 8) {
      const x0 = f64x2.promote_low_f32x4(v128.load64_zero(r0 + k)), x1 = f64x2.promote_low_f32x4(v128.load64_zero(r1 + k));
      const x2 = f64x2.promote_low_f32x4(v128.load64_zero(r2 + k)), x3 = f64x2.promote_low_f32x4(v128.load64_zero(r3 + k));
      const m0 = v128.load64_splat(mean), m1 = v128.load64_splat(mean + 8);
      v128.store(active, plus(v128.load(active, 0), w0, scale, m0, v128.shuffle<f64>(x0, x1, 0, 2)), 0);
      v128.store(active, plus(v128.load(active, 16), w1, scale, m0, v128.shuffle<f64>(x2, x3, 0, 2)), 16);
      v128.store(active, plus(v128.load(active, 32), w0, scale, m1, v128.shuffle<f64>(x0, x1, 1, 3)), 32);
      v128.store(active, plus(v128.load(active, 48), w1, scale, m1, v128.shuffle<f64>(x2, x3, 1, 3)), 48);
      active += GROUP << 1;
      mean += 16;
    }
  }
}

// @ts-ignore: decorator
@inline
function plus(active: v128, weight: v128, scale: v128, mean: v128, deviation: v128): v128 {
  return f64x2.add(active, f64x2.mul(weight, f64x2.add(mean, f64x2.mul(deviation, scale))));
}
