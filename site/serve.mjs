/** `node site/serve.mjs [--dir DIR] [--port P]`: serves the built site on this machine alone. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { siteServer } from "./src/server.mjs";

const { values } = parseArgs({ options: { dir: { type: "string" }, port: { type: "string", default: "0" } } });
const root = values.dir === undefined ? fileURLToPath(new URL("./dist", import.meta.url)) : resolve(values.dir);
if (!existsSync(join(root, "index.html"))) {
  console.error(`${root} has no site: run node site/build.mjs first`);
  process.exit(2);
}
const server = siteServer(root);
server.listen(Number(values.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
