import { hash } from "node:crypto";
import type { Hash } from "../record.ts";

/** The same digest as the one of our own, many times faster. */
export const nodeSha256: Hash = (bytes, length = bytes.length) =>
  hash("sha256", length === bytes.length ? bytes : bytes.subarray(0, length), "buffer");
