import { type Accelerator, accelerate, type Fit, LEAST_DIMENSION, type Ridge } from "@coterie/core/internal";
import { EvidenceKernels } from "./evidence.ts";
import { createKernels, type Kernels, kernelsLoaded, PAGE_BYTES } from "./module.ts";

/** Measured (`coterie bench choose`): with fewer numbers copying them costs what the kernel gains. */
const LEAST_NUMBERS = 64;

/** With 16 features copying a matrix costs what the kernel gains; with 25 it takes half of core's time. */
const LEAST_FACTORED = 20;

/** With fewer features what core does beside factor and inverse costs as much as a second lane for nothing. */
const LEAST_ALONE = 96;

/** Core's choice of an arm through WebAssembly: menus are copied in, turned to [feature][arm], and scored two arms at a time. */
class WasmAccelerator implements Accelerator {
  readonly name = "wasm-simd128";
  readonly leastNumbers = LEAST_NUMBERS;
  readonly leastDimension = LEAST_DIMENSION;
  readonly leastFactored = LEAST_FACTORED;
  readonly leastAlone = LEAST_ALONE;
  readonly #kernels: Kernels;
  readonly #evidence: EvidenceKernels;
  #numbers: Float64Array;
  #arms = -1;
  #dimension = -1;
  /** Where things stand, in numbers. */
  #at = { lower: 0, reciprocal: 0, estimate: 0, given: 0, turned: 0, scratch: 0, vectors: 0 };

  /** Two sets, each with a memory of its own. */
  constructor(kernels: Kernels, evidence: Kernels) {
    this.#kernels = kernels;
    this.#evidence = new EvidenceKernels(evidence);
    this.#numbers = new Float64Array(kernels.memory.buffer);
  }

  optimistic(
    d: number,
    lower: Float64Array,
    reciprocal: Float64Array,
    estimate: Float64Array,
    radius: number,
    values: Float64Array,
    count: number,
  ): number {
    this.menu(d, values, count);
    this.#score(lower, reciprocal, estimate, radius, 0);
    return this.#kernels.largest(8 * this.#at.scratch, count);
  }

  menu(d: number, values: Float64Array, count: number): void {
    if (count !== this.#arms || d !== this.#dimension) this.#arrange(count, d);
    const at = this.#at;
    this.#numbers.set(values.length === count * d ? values : values.subarray(0, count * d), at.given);
    // Arms 2k and 2k + 1 side by side; with an odd count the last lane is scored and never read.
    this.#kernels.pairArms(8 * at.given, 8 * (at.given + d), 16 * d, 8 * at.turned, at.vectors, d);
  }

  measure(
    lower: Float64Array,
    reciprocal: Float64Array,
    mean: Float64Array,
    means: Float64Array,
    squares: Float64Array,
  ): void {
    const { scratch, vectors } = this.#at;
    const gap = 2 * vectors;
    this.#score(lower, reciprocal, mean, 0, gap);
    const numbers = this.#numbers;
    // A view of a few numbers costs more than to copy them.
    for (let arm = 0; arm < this.#arms; arm++) {
      means[arm] = numbers[scratch + arm]!;
      squares[arm] = numbers[scratch + gap + arm]!;
    }
  }

  /** Scores of the menu; with a gap their means and, so many numbers behind, ‖L⁻¹x‖². */
  #score(lower: Float64Array, reciprocal: Float64Array, estimate: Float64Array, radius: number, gap: number): void {
    const at = this.#at;
    const numbers = this.#numbers;
    numbers.set(lower, at.lower);
    numbers.set(reciprocal, at.reciprocal);
    numbers.set(estimate, at.estimate);
    this.#kernels.scoreArms(
      at.vectors,
      this.#dimension,
      8 * at.lower,
      8 * at.reciprocal,
      8,
      8 * at.estimate,
      radius,
      8 * at.turned,
      8 * at.scratch,
      8 * gap,
      8 * (at.scratch + 4 * at.vectors),
    );
  }

  evidence(dimension: number, prior: Ridge, first: Fit, second: Fit | null, again: boolean): void {
    this.#evidence.evidence(dimension, prior, first, second, again);
  }

  addInverses(...given: Parameters<Accelerator["addInverses"]>): number {
    return this.#evidence.addInverses(...given);
  }

  energies(...given: Parameters<Accelerator["energies"]>): boolean {
    return this.#evidence.energies(...given);
  }

  refactor(...given: Parameters<Accelerator["refactor"]>): boolean {
    return this.#evidence.refactor(...given);
  }

  invert(...given: Parameters<Accelerator["invert"]>): void {
    this.#evidence.invert(...given);
  }

  inverseTrace(...given: Parameters<Accelerator["inverseTrace"]>): number {
    return this.#evidence.inverseTrace(...given);
  }

  square(dimension: number, sums: Float64Array): void {
    this.#evidence.square(dimension, sums);
  }

  /** Makes room for another shape. */
  #arrange(count: number, d: number): void {
    const vectors = (count + (count & 1)) / 2;
    let end = 8;
    const take = (numbers: number): number => {
      const at = end;
      end += numbers + (numbers & 1);
      return at;
    };
    this.#at = {
      vectors,
      lower: take((d * (d + 1)) / 2),
      reciprocal: take(d),
      estimate: take(d),
      given: take(2 * vectors * d),
      turned: take(2 * vectors * d),
      // Scores, or means and squares; then L⁻¹x of four vectors.
      scratch: take(4 * vectors + 8 * d),
    };
    const missing = 8 * end - this.#kernels.memory.buffer.byteLength;
    if (missing > 0) this.#kernels.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Float64Array(this.#kernels.memory.buffer);
    this.#arms = count;
    this.#dimension = d;
  }
}

let made: Accelerator | null | undefined;

/** Core's faster way through WebAssembly; null where that is missing. */
export function wasmAccelerator(): Accelerator | null {
  if (made === undefined) made = make();
  return made;
}

function make(): Accelerator | null {
  try {
    const kernels = createKernels(PAGE_BYTES);
    const evidence = createKernels(PAGE_BYTES);
    return kernels && evidence && new WasmAccelerator(kernels, evidence);
  } catch {
    // No room for a memory, or a browser that has a page's own thread start nothing of this size.
    return null;
  }
}

/** Takes the kernels into use in core, where they can run. Returns whether they are. */
export function useKernels(): boolean {
  const accelerator = wasmAccelerator();
  if (accelerator !== null) accelerate(accelerator);
  return accelerator !== null;
}

/**
 * The same, where it may be a page's own thread that asks: some browsers let that one compile in no other way than beside
 * it. Never fails.
 */
export async function loadKernels(): Promise<boolean> {
  if (typeof document !== "undefined") await kernelsLoaded();
  return useKernels();
}
