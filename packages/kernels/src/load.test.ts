import { afterEach, describe, expect, it, vi } from "vitest";

/** The package as it is first met, where `WebAssembly` is what is given. */
async function met(wasm: object | undefined) {
  vi.resetModules();
  vi.stubGlobal("WebAssembly", wasm);
  const { accelerate } = await import("@coterie/core/internal");
  return { ...(await import("./index.ts")), inUse: () => accelerate(null)?.name };
}

const { validate, compile, Module, Instance, Memory } = WebAssembly;
const forbidden = (): never => {
  throw new WebAssembly.CompileError("a content policy forbids it");
};

/** Places in which the kernels cannot run. */
const PLACES: Record<string, object | undefined> = {
  "there is none": undefined,
  "it has no vectors": { validate: () => false, compile, Module, Instance, Memory },
  "a page may not compile": { validate, compile: async () => forbidden(), Module: forbidden, Instance, Memory },
  "a page may not start one": { validate, compile, Module, Instance: forbidden, Memory },
};

// Files of this package share a process: the next one must not get modules that met no WebAssembly.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe("WebAssembly", () => {
  it("is taken into use where it is, at once or, on a page's own thread, beside it", async () => {
    const wasm = { validate, compile, Module, Instance, Memory };
    const first = await met(wasm);
    expect(first.useKernels()).toBe(true);
    expect(first.inUse()).toBe("wasm-simd128");
    vi.stubGlobal("document", {});
    const second = await met({ ...wasm, Module: forbidden });
    expect(await Promise.all([second.loadKernels(), second.loadKernels()])).toEqual([true, true]);
    expect(second.inUse()).toBe("wasm-simd128");
  });

  it.each(Object.entries(PLACES))("is done without where %s", async (_, wasm) => {
    const first = await met(wasm);
    expect(first.useKernels()).toBe(false);
    expect(await first.loadKernels()).toBe(false);
    vi.stubGlobal("document", {});
    const second = await met(wasm);
    expect(await second.loadKernels()).toBe(false);
    expect(second.inUse()).toBeUndefined();
  });
});
