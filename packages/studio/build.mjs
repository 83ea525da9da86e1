// Builds the pages into dist/page:  node packages/studio/build.mjs   (after `tsc -b`: they use the built packages)
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const pages = readdirSync(at("pages")).filter((name) => name.endsWith(".html"));
await build({
  configFile: false,
  root: at("pages"),
  base: "/",
  logLevel: "error",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: at("dist/page"),
    emptyOutDir: true,
    target: "es2022",
    // Everything is served from one place, and a preload script would be one more thing that a strict policy must allow.
    modulePreload: { polyfill: false },
    // Nothing inlined: the policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    // The tab that is a peer brings a network along.
    chunkSizeWarningLimit: 700,
    rollupOptions: { input: pages.map((name) => at(`pages/${name}`)) },
  },
  worker: { format: "es" },
});
// The lab once more, as plain files for any place: one script that is no module, so that it also runs from a disk.
await build({
  configFile: false,
  root: at("pages"),
  base: "./",
  logLevel: "error",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: at("dist/static"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      input: at("pages/lab-static.js"),
      output: { format: "iife", entryFileNames: "lab.js", assetFileNames: "lab.[ext]" },
    },
  },
  worker: { format: "iife", rollupOptions: { output: { entryFileNames: "lab-worker.js" } } },
});
for (const name of readdirSync(at("dist/page/assets")).sort()) {
  const bytes = readFileSync(at(`dist/page/assets/${name}`));
  const kB = ({ length }) => `${(length / 1000).toFixed(1)} kB`;
  console.log(`${name.padEnd(32)} ${kB(bytes)}, ${kB(gzipSync(bytes))} gzip`);
}
