import { createHash } from "node:crypto";
import type { Hash } from "../record.ts";

/** The same digest as the one of our own, many times faster. */
export const nodeSha256: Hash = (bytes) => createHash("sha256").update(bytes).digest();
