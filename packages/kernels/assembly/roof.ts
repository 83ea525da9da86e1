/** What this machine can do through the same WebAssembly: benchmarks are read against it. */

/** Twelve chains of multiply and add on two doubles each; 24 multiply-adds a turn. */
export function multiplyAdd(turns: u32, seed: f64): f64 {
  const c = f64x2.splat(0.999999);
  const e = f64x2.splat(seed);
  let a0 = e, a1 = e, a2 = e, a3 = e, a4 = e, a5 = e, a6 = e, a7 = e, a8 = e, a9 = e, a10 = e, a11 = e;
  for (let k: u32 = 0; k < turns; k++) {
    a0 = f64x2.add(f64x2.mul(a0, c), e); a1 = f64x2.add(f64x2.mul(a1, c), e); a2 = f64x2.add(f64x2.mul(a2, c), e);
    a3 = f64x2.add(f64x2.mul(a3, c), e); a4 = f64x2.add(f64x2.mul(a4, c), e); a5 = f64x2.add(f64x2.mul(a5, c), e);
    a6 = f64x2.add(f64x2.mul(a6, c), e); a7 = f64x2.add(f64x2.mul(a7, c), e); a8 = f64x2.add(f64x2.mul(a8, c), e);
    a9 = f64x2.add(f64x2.mul(a9, c), e); a10 = f64x2.add(f64x2.mul(a10, c), e); a11 = f64x2.add(f64x2.mul(a11, c), e);
  }
  const s = f64x2.add(f64x2.add(f64x2.add(a0, a1), f64x2.add(a2, a3)), f64x2.add(f64x2.add(a4, a5), f64x2.add(a6, a7)));
  const t = f64x2.add(s, f64x2.add(f64x2.add(a8, a9), f64x2.add(a10, a11)));
  return f64x2.extract_lane(t, 0) + f64x2.extract_lane(t, 1);
}

/** a = ½ (a + b) over `bytes` (a multiple of 64): two reads and a write of memory. */
export function halfSum(a: usize, b: usize, bytes: u32): void {
  const half = f64x2.splat(0.5);
  for (let at: u32 = 0; at < bytes; at += 64) {
    for (let k: u32 = 0; k < 64; k += 16) {
      v128.store(a + at + k, f64x2.mul(half, f64x2.add(v128.load(a + at + k), v128.load(b + at + k))));
    }
  }
}
