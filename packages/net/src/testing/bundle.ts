import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The sources of the packages, as the tests' own aliases have them. */
const ALIAS = [
  { find: "@coterie/net/browser", replacement: at("net/src/browser.ts") },
  { find: "@coterie/webrtc", replacement: at("webrtc/src/index.ts") },
  { find: "@coterie/kernels", replacement: at("kernels/src/index.ts") },
  { find: "@coterie/core/internal", replacement: at("core/src/internal.ts") },
  { find: "@coterie/core", replacement: at("core/src/index.ts") },
];

/** A module made of `code`, with all that it imports, as one minified script, for a browser: Node's are an error. As an `iife` it defines the global `name`. */
export async function bundle(code: string, format: "es" | "iife" = "es", name = "coterie"): Promise<string> {
  const [script, ...more] = await chunks(code, { format, name, codeSplitting: false });
  if (more.length > 0) throw new Error(`one script was expected, not ${more.length + 1}`);
  return script!.code;
}

/** The same as the scripts that a bundler makes of it: what is loaded at once, and what is loaded later. */
export async function scripts(code: string): Promise<{ readonly first: string; readonly later: string }> {
  const all = await chunks(code, { format: "es" });
  const byName = new Map(all.map((script) => [script.fileName, script]));
  const first = new Set(all.filter(({ isEntry }) => isEntry));
  for (const { imports } of first) for (const name of imports) first.add(byName.get(name)!);
  const text = (some: readonly { readonly code: string }[]): string => some.map((script) => script.code).join("");
  return { first: text([...first]), later: text(all.filter((script) => !first.has(script))) };
}

async function chunks(
  code: string,
  output: { readonly format: "es" | "iife"; readonly name?: string; readonly codeSplitting?: boolean },
) {
  const entry = "\0entry";
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: at(""),
    resolve: { alias: ALIAS },
    plugins: [
      {
        name: "entry",
        enforce: "pre",
        resolveId(id, importer) {
          // Vite would put something empty in its place, and the page would fail when it gets there.
          if (isBuiltin(id)) throw new Error(`${importer} reaches Node: ${id}`);
          return id === "entry" ? entry : null;
        },
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: "es2022",
      rolldownOptions: {
        input: "entry",
        preserveEntrySignatures: "strict",
        output,
      },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (first === undefined || !("output" in first)) throw new Error("vite gave no bundle");
  return first.output.flatMap((each) => (each.type === "chunk" ? [each] : []));
}
