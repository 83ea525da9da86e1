import { isIP } from "node:net";
import { ConfigError } from "@coterie/core";

/** Where an HTTP API listens. */
export interface HttpAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

const BOUND = "be HOST:PORT such as 127.0.0.1:8080 (port 0: any free one)";

/** `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`. */
export function parseHttpAddress(field: string, text: string): HttpAddress {
  const found = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const host = found?.[1] ?? found?.[2] ?? "";
  const port = Number(found?.[3]);
  const known = found?.[1] !== undefined ? isIP(host) === 6 : isIP(host) === 4 || /^[a-z][a-z0-9.-]*$/i.test(host);
  if (found === null || !known || port > 65_535) throw new ConfigError(field, text, BOUND);
  return { host, port };
}

/** Whether only programs of this machine get there. */
export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase();
  return plain === "localhost" || plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** As it stands in a URL. */
export const origin = ({ host, port }: HttpAddress): string =>
  `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
