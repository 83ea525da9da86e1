// Compiles assembly/ to WebAssembly and inlines it into src/wasm.ts: a file beside the module would be left out by most bundlers. Does nothing where nothing changed.
//   node packages/kernels/build.mjs
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
/** Of the file written here. */
const FORMAT = 3;
const OUT = at("./src/wasm.ts");
const FLAGS = [
  "-O3",
  "--noAssert",
  "--runtime",
  "stub",
  "--enable",
  "simd",
  "--importMemory",
  "--disableWarning",
  "112",
];

const files = readdirSync(at("./assembly"))
  .filter((name) => name.endsWith(".ts"))
  .sort();
const sources = new Map(files.map((name) => [`assembly/${name}`, readFileSync(at(`./assembly/${name}`), "utf8")]));
const { version } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve("assemblyscript/package.json")), "utf8"));
const hash = createHash("sha256")
  .update(JSON.stringify([FORMAT, version, FLAGS, ...sources]))
  .digest("hex");

async function compile() {
  const { default: asc } = await import("assemblyscript/asc");
  let binary = null;
  const { error, stderr } = await asc.main(["assembly/index.ts", "--outFile", "kernels.wasm", ...FLAGS], {
    readFile: (name) => sources.get(name) ?? null,
    writeFile: (name, contents) => {
      if (name.endsWith(".wasm")) binary = contents;
    },
    listFiles: () => [],
  });
  if (error || binary === null) {
    process.stderr.write(`${stderr.toString()}\n`);
    throw error ?? new Error("the compiler left no module");
  }
  return Buffer.from(binary).toString("base64");
}

if (!existsSync(OUT) || !readFileSync(OUT, "utf8").includes(hash)) {
  const text = `// Made by build.mjs from assembly/ (${hash}). Do not edit.\nexport const WASM: string =\n  "${await compile()}";\n`;
  writeFileSync(OUT, text);
}
