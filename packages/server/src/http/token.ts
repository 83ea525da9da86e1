import { ConfigError } from "@coterie/core";
import { type HttpAddress, isLoopback } from "./address.ts";

/** Whoever reaches the API can teach the peer anything, so beyond this machine it asks for a token. */
export function requireToken(field: string, { host, port }: HttpAddress, token: string | null): void {
  if (token !== null && !/^\S{16,}$/.test(token)) {
    throw new ConfigError("the token", `${token.length} letters`, "be a text of at least 16 letters without spaces");
  }
  if (token !== null || isLoopback(host)) return;
  throw new ConfigError(
    field,
    `${host}:${port}`,
    "be a loopback address such as 127.0.0.1, unless there is a token (--token-file, or COTERIE_TOKEN)",
  );
}
