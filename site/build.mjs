/** `node site/build.mjs [--out DIR]`: builds the documentation site, to `site/dist` unless told otherwise. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildSite } from "./src/site.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = values.out === undefined ? fileURLToPath(new URL("./dist", import.meta.url)) : resolve(values.out);
const pages = await buildSite(out);
console.log(`${pages} pages in ${out}`);
