import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "@coterie/core";

/** A secret from a file or the environment, never from the command line, where everybody on the machine can read it. */
export function readSecret(flag: string, path: string | undefined, variable: string): string | undefined {
  const given = process.env[variable];
  if (path === undefined) return given === "" ? undefined : given;
  if (given !== undefined && given !== "") {
    throw new ConfigError(flag, path, `not be combined with ${variable} in the environment`);
  }
  const text = readText(flag, path).replace(/\r?\n$/, "");
  if (text === "" || /[\r\n]/.test(text)) throw new ConfigError(flag, path, "be a file with the secret in one line");
  return text;
}

function readText(flag: string, path: string): string {
  try {
    if ((statSync(path).mode & 0o004) !== 0) {
      process.stderr.write(`coterie: everybody on this machine can read ${path}; try chmod 600\n`);
    }
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(flag, `${path} (${code ?? error})`, "be a file that can be read");
  }
}
