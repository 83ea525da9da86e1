import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

/** Tests read the sources of every package, so that none of them can pass on a stale build. */
const PACKAGES = ["core", "kernels", "lab", "net", "webrtc", "compliance", "storm", "server", "studio"];

export default defineConfig({
  resolve: {
    // The longer names first: an alias also takes what begins with it.
    alias: [
      { find: "@coterie/net/browser", replacement: at("net/src/browser.ts") },
      { find: "@coterie/net/store", replacement: at("net/src/store/folder/index.ts") },
      ...PACKAGES.map((name) => ({ find: `@coterie/${name}`, replacement: at(`${name}/src/index.ts`) })),
    ],
  },
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "{site/src,scripts}/**/*.test.mjs"],
    // Many tests wait for processes and browsers: a file a core, also where there are but two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
