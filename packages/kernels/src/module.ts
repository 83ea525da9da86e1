import { SHARED, SINGLE } from "./wasm.ts";

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
    stride: number,
    scratch: number,
  ): void;
  largest(scores: number, count: number): number;
  transposeArms(from: number, to: number, arms: number, dimension: number, width: number): void;
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
  theoryRadii(context: number, from: number, to: number, norm: number, spread: number, lnDelta: number): void;
  addLocal(context: number, from: number, to: number): void;
  addOpen(context: number, from: number, to: number): void;
  endEpoch(context: number, from: number, to: number): void;
  updateLocal(context: number, from: number, to: number, scratch: number): void;
  meanOf(context: number, from: number, to: number): void;
  promoteMean(context: number): void;
  probe(context: number, block: number, scratch: number): number;
  replay(context: number, from: number, to: number, scratch: number): void;
  replayDeviation(context: number, from: number, to: number, scratch: number): void;
  halfSum(a: number, b: number, bytes: number): void;
  multiplyAdd(turns: number, seed: number): number;
}

export const PAGE_BYTES = 65536;
/** A memory of WebAssembly ends at 4 GiB. */
export const MOST_BYTES = 65536 * PAGE_BYTES;

const modules = new Map<string, WebAssembly.Module | null>();

/** Null where there is no WebAssembly, or none with vectors of 128 bits. */
function moduleOf(source: string): WebAssembly.Module | null {
  const known = modules.get(source);
  if (known !== undefined) return known;
  const made = typeof WebAssembly === "undefined" ? null : compile(source);
  modules.set(source, made);
  return made;
}

function compile(source: string): WebAssembly.Module | null {
  const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

export const kernelsAvailable = (): boolean => moduleOf(SINGLE) !== null;

/** The kernels with a memory of their own of at least `bytes`; null where they cannot run. */
export function createKernels(bytes: number, shared = false): Kernels | null {
  const module = moduleOf(shared ? SHARED : SINGLE);
  if (module === null) return null;
  const initial = Math.max(1, Math.ceil(bytes / PAGE_BYTES));
  const memory = new WebAssembly.Memory(shared ? { initial, maximum: 65536, shared } : { initial, maximum: 65536 });
  return instantiate(module, memory);
}

/** What another thread instantiates on the memory of `createKernels(…, true)`. */
export const sharedModule = (): unknown => moduleOf(SHARED);

function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort } });
  return { ...(exports as unknown as Omit<Kernels, "memory">), memory };
}

function abort(): never {
  throw new Error("a kernel stopped");
}
