/**
 * A faster way to do what core does itself, with the same bits: every sum in ascending order of its index, nothing fused.
 * Core has none and depends on none; `@coterie/kernels` makes one from WebAssembly.
 */
export interface Accelerator {
  readonly name: string;
  /** Below so many numbers offered (arms times features) core is as fast alone. */
  readonly leastNumbers: number;
  /** argmax x·θ̂ + ρ ‖L⁻¹x‖ over `count` arms [arm][feature], L packed; ties go to the lowest index. */
  optimistic(
    dimension: number,
    lower: Float64Array,
    reciprocal: Float64Array,
    estimate: Float64Array,
    radius: number,
    values: Float64Array,
    count: number,
  ): number;
}

let current: Accelerator | null = null;

/** Takes a faster way into use everywhere, or with null none. Returns what was in use before. */
export function accelerate(accelerator: Accelerator | null): Accelerator | null {
  const before = current;
  current = accelerator;
  return before;
}

export const accelerator = (): Accelerator | null => current;
