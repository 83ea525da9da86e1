// ln, cosine and sine of two numbers at once: the very operations of core's numbers/ln.ts, lane by lane.

/** ln x for normal x > 0. */
export function ln2(x: v128): v128 {
  const bits = x;
  // 2^52 + e as a double has e in its low bits: a way to turn a small whole number into a double.
  const biased = v128.or(i64x2.shr_u(bits, 52), i64x2.splat(0x4330000000000000));
  let exponent = f64x2.sub(f64x2.sub(biased, f64x2.splat(4503599627370496)), f64x2.splat(1023));
  let mantissa = v128.or(v128.and(bits, i64x2.splat(0x000fffffffffffff)), i64x2.splat(0x3ff0000000000000));
  const high = f64x2.gt(mantissa, f64x2.splat(1.4142135623730951));
  mantissa = v128.bitselect(f64x2.mul(mantissa, f64x2.splat(0.5)), mantissa, high);
  exponent = f64x2.add(exponent, v128.and(high, f64x2.splat(1)));
  const f = f64x2.sub(mantissa, f64x2.splat(1));
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f));
  const z = f64x2.mul(s, s);
  let tail = f64x2.splat(2.0 / 23.0);
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 21.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 19.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 17.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 15.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 13.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 11.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 9.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 7.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 5.0));
  tail = f64x2.add(f64x2.mul(tail, z), f64x2.splat(2.0 / 3.0));
  tail = f64x2.mul(tail, z);
  const low = f64x2.sub(
    f64x2.sub(f64x2.mul(s, f), f64x2.mul(s, tail)),
    f64x2.mul(exponent, f64x2.splat(1.9082149292705877e-10)),
  );
  return f64x2.add(f64x2.mul(exponent, f64x2.splat(0.6931471803691238)), f64x2.sub(f, low));
}

// @ts-ignore: decorator
@inline
function quarterOf(u: v128): v128 {
  const octant = f64x2.floor(f64x2.mul(u, f64x2.splat(8)));
  return f64x2.floor(f64x2.mul(f64x2.add(octant, f64x2.splat(1)), f64x2.splat(0.5)));
}

/** Stores r·cos(2πu) at `out` and r·sin(2πu) at `out + gap`, u in [0, 1). */
// @ts-ignore: decorator
@inline
export function polar(out: usize, gap: usize, r: v128, u: v128): void {
  const quarter = quarterOf(u);
  const a = f64x2.mul(f64x2.sub(u, f64x2.mul(quarter, f64x2.splat(0.25))), f64x2.splat(6.283185307179586));
  const z = f64x2.mul(a, a);
  let s = f64x2.splat(-7.647163731819817e-13);
  let c = f64x2.splat(4.7794773323873846e-14);
  s = f64x2.add(f64x2.mul(s, z), f64x2.splat(1.6059043836821616e-10));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(-1.1470745597729723e-11));
  s = f64x2.add(f64x2.mul(s, z), f64x2.splat(-2.505210838544172e-8));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(2.0876756987868096e-9));
  s = f64x2.add(f64x2.mul(s, z), f64x2.splat(0.0000027557319223985893));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(-2.755731922398589e-7));
  s = f64x2.add(f64x2.mul(s, z), f64x2.splat(-0.0001984126984126984));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(0.000024801587301587298));
  s = f64x2.add(f64x2.mul(s, z), f64x2.splat(0.008333333333333333));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(-0.0013888888888888887));
  s = f64x2.add(f64x2.mul(s, z), f64x2.splat(-0.16666666666666666));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(0.041666666666666664));
  s = f64x2.add(f64x2.mul(s, z), f64x2.splat(1));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(-0.5));
  c = f64x2.add(f64x2.mul(c, z), f64x2.splat(1));
  s = f64x2.mul(s, a);
  const one = f64x2.eq(quarter, f64x2.splat(1));
  const two = f64x2.eq(quarter, f64x2.splat(2));
  const three = f64x2.eq(quarter, f64x2.splat(3));
  const swap = v128.or(one, three);
  const sign = i64x2.splat(0x8000000000000000);
  const cosine = v128.xor(v128.bitselect(s, c, swap), v128.and(v128.or(one, two), sign));
  const sine = v128.xor(v128.bitselect(c, s, swap), v128.and(v128.or(two, three), sign));
  v128.store(out, f64x2.mul(r, cosine));
  v128.store(out + gap, f64x2.mul(r, sine));
}
