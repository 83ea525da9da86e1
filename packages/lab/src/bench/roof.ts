import { ConfigError } from "@coterie/core";
import { createKernels, type Kernels } from "@coterie/kernels";

const TURNS = 20_000;
/** Large enough to be read from memory, not from a cache; in pieces short enough to be left alone on a busy machine. */
const BYTES = 64 << 20;
const PIECE = 4 << 20;

export function benchKernels(bytes: number): Kernels {
  const kernels = createKernels(bytes);
  if (kernels === null) throw new ConfigError("bench", "kernels", "run where WebAssembly supports 128-bit SIMD");
  return kernels;
}

/** What this machine can do through the same WebAssembly, one thread; measured in the same run as what is held to it. */
export interface Roof {
  /** Multiply-adds of doubles in a nanosecond, vectors of 128 bits, not fused. */
  readonly multiplyAdds: number;
  /** Bytes in a nanosecond: two streams read, one written. */
  readonly bytes: number;
}

export function multiplyAddCall(): () => void {
  const kernels = benchKernels(64);
  return () => void kernels.multiplyAdd(TURNS, 1e-9);
}

function bandwidthCall(): () => void {
  const kernels = benchKernels(2 * BYTES + 64);
  // Memory that nobody has touched is not there yet.
  kernels.halfSum(0, BYTES, BYTES);
  let at = 0;
  return () => {
    kernels.halfSum(at, BYTES + at, PIECE);
    at = (at + PIECE) % BYTES;
  };
}

export const roofCalls = (): { multiplyAdd: () => void; bandwidth: () => void } => ({
  multiplyAdd: multiplyAddCall(),
  bandwidth: bandwidthCall(),
});

/** Multiply-adds in a nanosecond, from the time of `multiplyAddCall`. */
export const multiplyAddsIn = (time: number): number => (24 * TURNS) / time;

export const roofFrom = ({ multiplyAdd, bandwidth }: { multiplyAdd: number; bandwidth: number }): Roof => ({
  multiplyAdds: multiplyAddsIn(multiplyAdd),
  bytes: (3 * PIECE) / bandwidth,
});
