import { Context, GROUP } from "./context";

/**
 * Promotion without having mixed: the observations of the slot that is due become its columns, then the maps of all rounds
 * since are replayed, for eight columns (one line of cache a row) at a time.
 *
 * A map is a program (the lab's engine/programs.ts): each row is the sum of two rows of the map before. Two peers that mixed with each other have the
 * same row, so a matching halves the number of rows. A peer that kept its buffer is the sum of itself and itself; one that
 * was reset points at the row of zeros behind all others. Halving waits until the end: a scale of 2^-maps is exact.
 */
export function replay(c: Context, from: u32, to: u32, scratch: usize): void {
  const size = (c.peers + 1) << 6;
  memory.fill(scratch + (c.peers << 6), 0, 64);
  memory.fill(scratch + size + (c.peers << 6), 0, 64);
  for (let block = from; block < to; block++) {
    buildBlock(c, block, scratch);
    promoteBlock(c, block, replayBlock(c, scratch, scratch + size));
  }
}

/** The eight columns of `block` of every peer's slot, as it was when its round closed, [peer][8]. */
function buildBlock(c: Context, block: u32, out: usize): void {
  if (c.closedAt != 0) {
    takeClosed(c, block, out);
    return;
  }
  const extent = c.extent << 3;
  for (let k: u32 = 0; k < 8; k++) {
    const operands = c.operandsAt + (((block << 3) + k) << 3);
    const one = load<u32>(operands);
    const other = load<u32>(operands, 4);
    let at = c.dueAt;
    const end = out + (c.peers << 6);
    for (let to = out + (k << 3); to < end; to += 64) {
      store<f64>(to, load<f64>(at + one) * load<f64>(at + other));
      at += extent;
    }
  }
  for (let k: u32 = 0; k < c.resets; k++) {
    const peer = load<u32>(c.resetPeersAt + (k << 2));
    memory.copy(out + (peer << 6), c.resetSlotsAt + ((k * c.columns + (block << 3)) << 3), 64);
  }
}

/** The same of the last epoch's sums, which stand in groups of four peers. */
function takeClosed(c: Context, block: u32, out: usize): void {
  for (let peer: u32 = 0; peer < c.peers; peer++) {
    let from = c.closedAt + ((peer >> 2) * c.columns + (block << 3)) * GROUP + ((peer & 3) << 3);
    const to = out + (peer << 6);
    for (let k: u32 = 0; k < 64; k += 8) {
      store<f64>(to + k, load<f64>(from));
      from += GROUP;
    }
  }
}

/** closed = open, open = 0, groups `from` to `to`. */
export function endEpoch(c: Context, from: u32, to: u32): void {
  const bytes = c.columns * GROUP;
  memory.copy(c.closedAt + from * bytes, c.openAt + from * bytes, (to - from) * bytes);
  memory.fill(c.openAt + from * bytes, 0, (to - from) * bytes);
}

// @ts-ignore: decorator
@inline
function programAt(c: Context, program: u32): usize {
  return c.programsAt + program * c.programBytes;
}

// @ts-ignore: decorator
@inline
function following(c: Context, program: u32): u32 {
  return program + 1 == c.programCount ? 0 : program + 1;
}

/** Plays all maps on [row][8], the last ones by twos; returns which of the two halves of the scratch space holds the outcome. */
function replayBlock(c: Context, a: usize, b: usize): usize {
  let source = a;
  let target = b;
  let program = c.firstProgram;
  for (let done: u32 = 0; done < c.maps; ) {
    if (c.maps & 1 && done == 0) {
      const at = programAt(c, program);
      sumRows(source, target, at + 16, load<u32>(at));
      done = 1;
    } else {
      program = following(c, program);
      const at = programAt(c, program);
      chainRows(source, target, at + (done == 0 ? load<u32>(at, 12) : load<u32>(at, 8)), load<u32>(at, 4));
      done += 2;
    }
    const held = source;
    source = target;
    target = held;
    program = following(c, program);
  }
  return source;
}

/** target[k] = source[a_k] + source[b_k]; a_k and b_k as bytes. */
function sumRows(source: usize, target: usize, pairs: usize, count: u32): void {
  for (const end = target + (count << 6); target < end; target += 64) {
    const a = source + load<u32>(pairs);
    const b = source + load<u32>(pairs, 4);
    v128.store(target, f64x2.add(v128.load(a), v128.load(b)));
    v128.store(target, f64x2.add(v128.load(a, 16), v128.load(b, 16)), 16);
    v128.store(target, f64x2.add(v128.load(a, 32), v128.load(b, 32)), 32);
    v128.store(target, f64x2.add(v128.load(a, 48), v128.load(b, 48)), 48);
    pairs += 8;
  }
}

/**
 * Two maps at once, along chains in which each new row shares a term with the next: an item names two rows of the source,
 * in bytes; their sum is a row of the map between, which is never stored. Its lowest bit says whether the sum with the
 * item before is a row of the target, or the item only begins a chain.
 */
function chainRows(source: usize, target: usize, items: usize, count: u32): void {
  let p0 = f64x2.splat(0), p1 = p0, p2 = p0, p3 = p0;
  for (const end = items + (count << 3); items < end; items += 8) {
    const item = load<u32>(items, 4);
    const a = source + load<u32>(items);
    const b = source + (item & ~63);
    const n0 = f64x2.add(v128.load(a), v128.load(b)), n1 = f64x2.add(v128.load(a, 16), v128.load(b, 16));
    const n2 = f64x2.add(v128.load(a, 32), v128.load(b, 32)), n3 = f64x2.add(v128.load(a, 48), v128.load(b, 48));
    v128.store(target, f64x2.add(p0, n0));
    v128.store(target, f64x2.add(p1, n1), 16);
    v128.store(target, f64x2.add(p2, n2), 32);
    v128.store(target, f64x2.add(p3, n3), 48);
    p0 = n0; p1 = n1; p2 = n2; p3 = n3;
    target += (item & 1) << 6;
  }
}

/** active += weight · 2^-maps · slot. */
function promoteBlock(c: Context, block: u32, rows: usize): void {
  const scale = f64x2.splat(power(c.maps));
  const groups = (c.peers + 3) >> 2;
  for (let group: u32 = 0; group < groups; group++) {
    const at = c.rowsAt + (group << 4);
    const r0 = rows + load<u32>(at), r1 = rows + load<u32>(at, 4), r2 = rows + load<u32>(at, 8), r3 = rows + load<u32>(at, 12);
    const w0 = v128.load(c.weightsAt + (group << 5)), w1 = v128.load(c.weightsAt + (group << 5), 16);
    let active = c.activeAt + (group * c.columns + (block << 3)) * GROUP;
    for (let k: u32 = 0; k < 64; k += 16) {
      const x0 = v128.load(r0 + k), x1 = v128.load(r1 + k), x2 = v128.load(r2 + k), x3 = v128.load(r3 + k);
      v128.store(active, plus(v128.load(active, 0), w0, scale, v128.shuffle<f64>(x0, x1, 0, 2)), 0);
      v128.store(active, plus(v128.load(active, 16), w1, scale, v128.shuffle<f64>(x2, x3, 0, 2)), 16);
      v128.store(active, plus(v128.load(active, 32), w0, scale, v128.shuffle<f64>(x0, x1, 1, 3)), 32);
      v128.store(active, plus(v128.load(active, 48), w1, scale, v128.shuffle<f64>(x2, x3, 1, 3)), 48);
      active += GROUP << 1;
    }
  }
}

// @ts-ignore: decorator
@inline
function plus(active: v128, weight: v128, scale: v128, sum: v128): v128 {
  return f64x2.add(active, f64x2.mul(weight, f64x2.mul(sum, scale)));
}

/** 2^-n, n < 1023. */
// @ts-ignore: decorator
@inline
function power(n: u32): f64 {
  return reinterpret<f64>((<u64>(1023 - n)) << 52);
}
