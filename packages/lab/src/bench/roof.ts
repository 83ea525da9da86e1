import { ConfigError } from "@coterie/core";
import { createKernels, type Kernels } from "@coterie/kernels";

const TURNS = 20_000;
/** Large enough to be read from memory, not from a cache. */
const BYTES = 64 << 20;

export function benchKernels(bytes: number): Kernels {
  const kernels = createKernels(bytes);
  if (kernels === null) throw new ConfigError("bench", "kernels", "run where WebAssembly has vectors of 128 bits");
  return kernels;
}

/** What this machine can do through the same WebAssembly, one thread; measured in the same run as what is held to it. */
export interface Roof {
  /** Multiply-adds of doubles in a nanosecond, vectors of 128 bits, not fused. */
  readonly multiplyAdds: number;
  /** Bytes in a nanosecond: two streams read, one written. */
  readonly bytes: number;
}

export const roofCalls = (): { multiplyAdd: () => void; bandwidth: () => void } => {
  const kernels = benchKernels(2 * BYTES + 64);
  return {
    multiplyAdd: () => void kernels.multiplyAdd(TURNS, 1e-9),
    bandwidth: () => kernels.halfSum(0, BYTES, BYTES),
  };
};

export const roofFrom = ({ multiplyAdd, bandwidth }: { multiplyAdd: number; bandwidth: number }): Roof => ({
  multiplyAdds: (24 * TURNS) / multiplyAdd,
  bytes: (3 * BYTES) / bandwidth,
});
