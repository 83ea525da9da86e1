import { WASM } from "./wasm.ts";

/** A memory of WebAssembly; its buffer is replaced when it grows. */
export interface KernelMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

/** The kernels on one memory. Pointers are bytes; what each does stands beside its source in assembly/. */
export interface Kernels {
  readonly memory: KernelMemory;
  choose(context: number, from: number, to: number, scratch: number): void;
  scoreArms(
    vectors: number,
    dimension: number,
    lower: number,
    reciprocal: number,
    step: number,
    estimate: number,
    radius: number,
    arms: number,
    out: number,
    gap: number,
    solved: number,
  ): void;
  largest(scores: number, count: number): number;
  pairArms(a: number, b: number, step: number, to: number, count: number, dimension: number): void;
  drawArms(
    parent: number,
    from: number,
    to: number,
    arms: number,
    dimension: number,
    out: number,
    means: number,
    thetas: number,
    clusterOf: number,
    scratch: number,
  ): void;
  drawNoise(
    parent: number,
    from: number,
    to: number,
    arms: number,
    noise: number,
    means: number,
    payments: number,
    scratch: number,
  ): void;
  drawBelow(parent: number, from: number, to: number, bound: number, out: number, scratch: number): void;
  refresh(context: number, from: number, to: number): number;
  refreshLocal(context: number, from: number, to: number): number;
  refreshTheory(context: number, from: number, to: number, norm: number, spread: number, lnDelta: number): number;
  addLocal(context: number, from: number, to: number): void;
  addOpen(context: number, from: number, to: number): void;
  endEpoch(context: number, from: number, to: number): void;
  updateLocal(context: number, from: number, to: number, scratch: number): void;
  replay(context: number, from: number, to: number, scratch: number): void;
  mixPair(
    places: number,
    baseA: number,
    otherA: number,
    scaleA: number,
    baseB: number,
    otherB: number,
    scaleB: number,
  ): void;
  evidencePair(places: number, centred: number): void;
  evidenceOne(places: number, base: number, other: number, scale: number, centred: number): void;
  factorOne(places: number): number;
  invertLowerOne(places: number): void;
  invertOne(places: number): void;
  squareOne(places: number): void;
  solvePair(places: number): number;
  inversePair(places: number, both: number, outer: number, scale: number): number;
  halfSum(a: number, b: number, bytes: number): void;
  multiplyAdd(turns: number, seed: number): number;
}

export const PAGE_BYTES = 65536;
/** A memory of WebAssembly ends at 4 GiB. */
export const MOST_BYTES = 65536 * PAGE_BYTES;

/** Null where there is no WebAssembly, none with vectors of 128 bits, or a page may not compile any. */
let compiled: WebAssembly.Module | null | undefined;

function compile(): WebAssembly.Module | null {
  if (compiled !== undefined) return compiled;
  const bytes = wasmBytes();
  try {
    compiled = bytes && new WebAssembly.Module(bytes);
  } catch {
    // A page's content policy forbids it.
    compiled = null;
  }
  return compiled;
}

function wasmBytes(): Uint8Array<ArrayBuffer> | null {
  if (typeof WebAssembly === "undefined") return null;
  const bytes = Uint8Array.from(atob(WASM), (character) => character.charCodeAt(0));
  return WebAssembly.validate(bytes) ? bytes : null;
}

export const kernelsAvailable = (): boolean => compile() !== null;

/** As `kernelsAvailable`, without holding up the thread. */
export async function kernelsLoaded(): Promise<boolean> {
  if (compiled === undefined) {
    const bytes = wasmBytes();
    compiled = bytes && (await WebAssembly.compile(bytes).catch(() => null));
  }
  return kernelsAvailable();
}

/** The kernels with a memory of their own of at least `bytes`; null where they cannot run. */
export function createKernels(bytes: number): Kernels | null {
  const module = compile();
  if (module === null) return null;
  const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)), maximum: 65536 });
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort } });
  return { ...(exports as unknown as Omit<Kernels, "memory">), memory };
}

function abort(): never {
  throw new Error("a kernel stopped");
}
