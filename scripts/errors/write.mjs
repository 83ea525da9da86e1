// Writes docs/errors.md from the catalogue:   node scripts/errors/write.mjs
import { writeFileSync } from "node:fs";
import { page } from "./page.mjs";

writeFileSync(new URL("../../docs/errors.md", import.meta.url), page());
