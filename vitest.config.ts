import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const at = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

/** Tests read the sources of every package, so that none of them can pass on a stale build. */
const PACKAGES = ["core", "kernels", "lab", "net", "webrtc", "compliance", "storm", "server", "studio"];

/** Files that take long, by the end of their path. They begin first: else the last of them would run alone in the end. */
const LONG = [
  "cli/src/commands/storm.test.ts",
  "cli/src/commands/chaos.test.ts",
  "scripts/docs/docs.test.mjs",
  "scripts/packages/installed.test.mjs",
  "cli/src/commands/network.test.ts",
  "cli/src/commands/demo.start.page.test.ts",
  "cli/src/commands/demo.faults.page.test.ts",
  "cli/src/commands/soak.test.ts",
  "webrtc/src/webrtc.test.ts",
  "site/src/site.test.mjs",
  "scripts/packages/lint.test.mjs",
  "cli/src/commands/peer.test.ts",
  "cli/src/commands/run.test.ts",
  "lab/src/experiments/experiments.test.ts",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((end) => moduleId.endsWith(end));
      return found < 0 ? LONG.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

const EVERY = ["packages/*/src/**/*.test.{ts,tsx}", "{site/src,scripts}/**/*.test.mjs"];

/** Packages whose tests leave nothing behind: their files share a process, so that each module is loaded once. */
const PURE = ["core", "kernels", "lab", "compliance", "studio"].map(
  (name) => `packages/${name}/src/**/*.test.{ts,tsx}`,
);

export default defineConfig({
  resolve: {
    // The longer names first: an alias also takes what begins with it.
    alias: [
      ...["core", "net"].map((name) => ({
        find: `@coterie/${name}/internal`,
        replacement: at(`${name}/src/internal.ts`),
      })),
      { find: "@coterie/net/browser", replacement: at("net/src/browser.ts") },
      { find: "@coterie/net/store", replacement: at("net/src/store/folder/index.ts") },
      ...PACKAGES.map((name) => ({ find: `@coterie/${name}`, replacement: at(`${name}/src/index.ts`) })),
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "apart", include: EVERY, exclude: PURE } },
    ],
    // Many tests wait for processes and browsers: three files at once, also where there are but two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongFirst },
    // Limits end what hangs, and measure nothing: a busy machine takes long for what takes no time on an idle one.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
