import { ln2, polar } from "./functions";

/**
 * The streams of core's Random for four peers at once, one a lane, and what a world draws from them: the same bits,
 * peer by peer, as `random.fork(peer)` would give.
 */

// @ts-ignore: decorator
@inline
function avalanche(word: v128): v128 {
  let h = word;
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 16)), i32x4.splat(0x85ebca6b));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 13)), i32x4.splat(0xc2b2ae35));
  return v128.xor(h, i32x4.shr_u(h, 16));
}

/** Stirs one word a lane into the four keys at `key` (four vectors). */
function absorb(key: usize, word: v128): void {
  let carry = word;
  for (let step: u32 = 0; step < 8; step++) {
    const at = key + ((step & 3) << 4);
    carry = avalanche(i32x4.add(v128.xor(carry, v128.load(at)), i32x4.splat(0x9e3779b9 * (step + 1))));
    v128.store(at, carry);
  }
}

/** state = the beginning of the streams `parent.fork(first + lane)`; `parent` is a key of four words. */
export function fork4(state: usize, parent: usize, first: u32): void {
  for (let k: u32 = 0; k < 64; k += 16) v128.store(state + k, i32x4.splat(load<i32>(parent + (k >> 2))));
  absorb(state, i32x4.splat(1));
  absorb(state, i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3)));
  absorb(state, i32x4.splat(0));
  // xoshiro stands still at zero.
  const any = v128.or(v128.or(v128.load(state), v128.load(state, 16)), v128.or(v128.load(state, 32), v128.load(state, 48)));
  v128.store(state, v128.or(v128.load(state), v128.and(i32x4.eq(any, i32x4.splat(0)), i32x4.splat(1))));
  for (let k = 0; k < 4; k++) next(state);
}

/** xoshiro128++, a word a lane. */
// @ts-ignore: decorator
@inline
function next(state: usize): v128 {
  const s0 = v128.load(state), s1 = v128.load(state, 16), s3 = v128.load(state, 48);
  const sum = i32x4.add(s0, s3);
  const result = i32x4.add(v128.or(i32x4.shl(sum, 7), i32x4.shr_u(sum, 25)), s0);
  const s2 = v128.xor(v128.load(state, 32), s0);
  const t3 = v128.xor(s3, s1);
  v128.store(state, v128.xor(s1, s2), 16);
  v128.store(state, v128.xor(s0, t3));
  v128.store(state, v128.xor(s2, i32x4.shl(s1, 9)), 32);
  v128.store(state, v128.or(i32x4.shl(t3, 11), i32x4.shr_u(t3, 21)), 48);
  return result;
}

// @ts-ignore: decorator
@inline
function uniform(high: v128, low: v128): v128 {
  const h = f64x2.convert_low_i32x4_u(high), l = f64x2.convert_low_i32x4_u(low);
  return f64x2.mul(f64x2.add(f64x2.mul(h, f64x2.splat(67108864)), l), f64x2.splat(1.1102230246251565e-16));
}

// @ts-ignore: decorator
@inline
function upper(word: v128): v128 {
  return v128.shuffle<i32>(word, word, 2, 3, 2, 3);
}

/** out[k][lane], k < count rounded up to even: standard normals by Box and Muller. */
export function normals4(state: usize, out: usize, count: u32): void {
  for (let k: u32 = 0, at: usize = out; k < count; k += 2, at += 64) {
    const h0 = i32x4.shr_u(next(state), 5);
    const l0 = i32x4.shr_u(next(state), 6);
    const h1 = i32x4.shr_u(next(state), 5);
    const l1 = i32x4.shr_u(next(state), 6);
    polar(at, 32, radius(uniform(h0, l0)), uniform(h1, l1));
    polar(at + 16, 32, radius(uniform(upper(h0), upper(l0))), uniform(upper(h1), upper(l1)));
  }
}

// @ts-ignore: decorator
@inline
function radius(u: v128): v128 {
  return f64x2.sqrt(f64x2.mul(f64x2.splat(-2), ln2(f64x2.sub(f64x2.splat(1), u))));
}

/**
 * Arms of peers `from` to `to` (whole groups of four), uniform on the sphere, as [peer][arm][feature], and their means.
 * `thetas` is [peer][feature] as bytes offsets per peer in `thetaOf`; scratch holds 64 + 32 (arms·d + 1 + d) bytes.
 */
export function drawArms(parent: usize, from: u32, to: u32, arms: u32, d: u32, out: usize, means: usize, thetas: usize, clusterOf: usize, scratch: usize): void {
  const theta = scratch + 64;
  const normals = theta + (d << 5);
  for (let peer = from; peer < to; peer += 4) {
    fork4(scratch, parent, peer);
    normals4(scratch, normals, arms * d);
    for (let lane: u32 = 0; lane < 4; lane++) {
      const own = thetas + ((load<u32>(clusterOf + ((peer + lane) << 2)) * d) << 3);
      for (let i: u32 = 0; i < d; i++) store<f64>(theta + (i << 5) + (lane << 3), load<f64>(own + (i << 3)));
    }
    const stride = (arms * d) << 3;
    const base = out + peer * stride;
    for (let arm: u32 = 0; arm < arms; arm++) {
      const at = normals + ((arm * d) << 5);
      const to = base + ((arm * d) << 3);
      placeArm(at, d, to, stride, theta, 0, means + ((peer * arms + arm) << 3), arms);
      placeArm(at + 16, d, to + (stride << 1), stride, theta + 16, 0, means + (((peer + 2) * arms + arm) << 3), arms);
    }
  }
}

/** Two peers' arm: to unit length, to its place, and its mean x·θ. */
// @ts-ignore: decorator
@inline
function placeArm(at: usize, d: u32, out: usize, stride: u32, theta: usize, offset: usize, means: usize, arms: u32): void {
  let square = f64x2.splat(0);
  for (let i: u32 = 0; i < d << 5; i += 32) {
    const x = v128.load(at + i);
    square = f64x2.add(square, f64x2.mul(x, x));
  }
  const scale = f64x2.div(f64x2.splat(1), f64x2.sqrt(square));
  let mean = f64x2.splat(0);
  let to = out;
  for (let i: u32 = 0; i < d << 5; i += 32) {
    const x = f64x2.mul(v128.load(at + i), scale);
    v128.store64_lane(to, x, 0);
    v128.store64_lane(to + stride, x, 1);
    mean = f64x2.add(mean, f64x2.mul(x, v128.load(theta + i)));
    to += 8;
  }
  v128.store64_lane(means, mean, 0);
  v128.store64_lane(means + (arms << 3), mean, 1);
}

/** payments = means + noise · normal, [peer][arm], peers `from` to `to` (whole groups of four). */
export function drawNoise(parent: usize, from: u32, to: u32, arms: u32, noise: f64, means: usize, payments: usize, scratch: usize): void {
  for (let peer = from; peer < to; peer += 4) {
    fork4(scratch, parent, peer);
    normals4(scratch, scratch + 64, arms);
    for (let lane: u32 = 0; lane < 4; lane++) {
      const at = ((peer + lane) * arms) << 3;
      for (let arm: u32 = 0; arm < arms; arm++) {
        const normal = load<f64>(scratch + 64 + (arm << 5) + (lane << 3));
        store<f64>(payments + at + (arm << 3), load<f64>(means + at + (arm << 3)) + noise * normal);
      }
    }
  }
}

/** out[peer] = parent.fork(peer).below(bound): the random policy's picks, peers `from` to `to` (whole groups of four). */
export function drawBelow(parent: usize, from: u32, to: u32, bound: u32, out: usize, scratch: usize): void {
  // 2^32 mod bound, in 32 bits: draws at or above the last whole multiple are drawn again.
  const past = (0 - bound) % bound;
  for (let peer = from; peer < to; peer += 4) {
    fork4(scratch, parent, peer);
    v128.store(scratch + 64, next(scratch));
    for (let lane: u32 = 0; lane < 4; lane++) {
      let draw = load<u32>(scratch + 64 + (lane << 2));
      while (past != 0 && draw >= 0 - past) draw = nextOfLane(scratch, lane);
      store<u32>(out + ((peer + lane) << 2), draw % bound);
    }
  }
}

/** One lane goes on alone: a draw that must be repeated is rare. */
function nextOfLane(state: usize, lane: u32): u32 {
  const at = state + (lane << 2);
  const s0 = load<u32>(at), s1 = load<u32>(at, 16), s3 = load<u32>(at, 48);
  const result = rotl<u32>(s0 + s3, 7) + s0;
  const s2 = load<u32>(at, 32) ^ s0;
  const t3 = s3 ^ s1;
  store<u32>(at, s1 ^ s2, 16);
  store<u32>(at, s0 ^ t3);
  store<u32>(at, s2 ^ (s1 << 9), 32);
  store<u32>(at, rotl<u32>(t3, 11), 48);
  return result;
}
