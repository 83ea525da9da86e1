export { loadKernels, useKernels, wasmAccelerator } from "./accelerator.ts";
export { CONTEXT_BYTES, type ContextField, type ContextValues, writeContext } from "./context.ts";
export {
  createKernels,
  type KernelMemory,
  type Kernels,
  kernelsAvailable,
  MOST_BYTES,
  PAGE_BYTES,
} from "./module.ts";
