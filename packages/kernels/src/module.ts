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
  meanOf(context: number, from: number, to: number): void;
  promoteMean(context: number): void;
  probe(context: number, block: number, scratch: number): number;
  replay(context: number, from: number, to: number, scratch: number): void;
  replayDeviation(context: number, from: number, to: number, scratch: number): void;
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
  inversePair(places: number, both: number, outer: number, scale: number): number;
  halfSum(a: number, b: number, bytes: number): void;
  multiplyAdd(turns: number, seed: number): number;
}

export const PAGE_BYTES = 65536;
/** A memory of WebAssembly ends at 4 GiB. */
export const MOST_BYTES = 65536 * PAGE_BYTES;

const modules = new Map<string, WebAssembly.Module | null>();

/** Null where there is no WebAssembly, none with vectors of 128 bits, or a page may not compile any. */
function moduleOf(source: string): WebAssembly.Module | null {
  const known = modules.get(source);
  if (known !== undefined) return known;
  const made = compile(source);
  modules.set(source, made);
  return made;
}

function compile(source: string): WebAssembly.Module | null {
  const bytes = bytesOf(source);
  try {
    return bytes && new WebAssembly.Module(bytes);
  } catch {
    // A page's content policy forbids it.
    return null;
  }
}

function bytesOf(source: string): Uint8Array<ArrayBuffer> | null {
  if (typeof WebAssembly === "undefined") return null;
  const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
  return WebAssembly.validate(bytes) ? bytes : null;
}

export const kernelsAvailable = (): boolean => moduleOf(SINGLE) !== null;

/** As `kernelsAvailable`, without holding up the thread. */
export async function kernelsLoaded(): Promise<boolean> {
  if (!modules.has(SINGLE)) {
    const bytes = bytesOf(SINGLE);
    const made = bytes && (await WebAssembly.compile(bytes).catch(() => null));
    modules.set(SINGLE, made);
  }
  return kernelsAvailable();
}

/** The kernels with a memory of their own of at least `bytes`; null where they cannot run. */
export function createKernels(bytes: number): Kernels | null {
  const module = moduleOf(SINGLE);
  return module && instantiate(module, new WebAssembly.Memory(pagesFor(bytes)));
}

/** The same on a memory that other threads can share. */
export function createSharedKernels(bytes: number): Kernels | null {
  const module = moduleOf(SHARED);
  return module && instantiate(module, new WebAssembly.Memory({ ...pagesFor(bytes), shared: true }));
}

const pagesFor = (bytes: number): { initial: number; maximum: number } => ({
  initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)),
  maximum: 65536,
});

/** What another thread instantiates on the memory of `createSharedKernels`. */
export const sharedModule = (): unknown => moduleOf(SHARED);

function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort } });
  return { ...(exports as unknown as Omit<Kernels, "memory">), memory };
}

function abort(): never {
  throw new Error("a kernel stopped");
}
