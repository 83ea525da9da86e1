import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

export default defineConfig({
  // Tests read the sources of every package, so that none of them can pass on a stale build.
  resolve: { alias: { "@coterie/core": source("core"), "@coterie/lab": source("lab"), "@coterie/net": source("net") } },
  test: {
    include: ["packages/*/src/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
