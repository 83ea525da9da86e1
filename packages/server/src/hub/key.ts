import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { ConfigError } from "@coterie/core";

/** 32 secret bytes, of which a hub's name is made, as 64 hex digits in a file; drawn at the first start. */
export function readKey(field: string, path: string): Uint8Array {
  const text = readText(field, path) ?? drawKey(field, path);
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) throw new ConfigError(field, path, "be a file with 64 hex digits");
  return Uint8Array.from(Buffer.from(text.trim(), "hex"));
}

function readText(field: string, path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new ConfigError(field, `${path} (${code})`, "be a file that can be read");
  }
}

function drawKey(field: string, path: string): string {
  const text = `${randomBytes(32).toString("hex")}\n`;
  try {
    // Never over another: two hubs that start at once must not end up with a key each and one file.
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(field, `${path} (${code})`, "be a file that can be written");
  }
  return text;
}
