import { ConfigError } from "@coterie/core";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";

/** Hosts of this machine. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost|.*\.localhost)$/;
/** Networks that are somebody's own. */
const PRIVATE =
  /^(0\.|10\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.|f[cd]|fe[89ab]|::)/i;
const HOSTS = new Set(["ip4", "ip6", "dns", "dns4", "dns6"]);

/**
 * What a page may dial: WebSockets, directly or to a relay. Encrypted ones and public hosts only, except on this machine:
 * an address comes from other peers, and must not make a page knock at the doors of its owner's own network.
 */
export function mayDialFromPage(address: string | Multiaddr, insecure: boolean): boolean {
  const parts = componentsOf(address);
  if (parts === null) return false;
  const names = parts.map(({ name }) => name);
  const host = parts[0]?.value;
  if (!HOSTS.has(names[0] ?? "") || host === undefined || !names.some((name) => name === "ws" || name === "wss")) {
    return false;
  }
  if (insecure || LOOPBACK.test(host)) return true;
  const encrypted = names.includes("wss") || names.includes("tls");
  return encrypted && !PRIVATE.test(host);
}

/** The app's own addresses are told of at once, not when nobody is ever found. */
export function checkPageAddresses(field: string, addresses: readonly Multiaddr[], insecure: boolean): void {
  for (const [k, address] of addresses.entries()) {
    if (mayDialFromPage(address, insecure)) continue;
    const bound = mayDialFromPage(address, true)
      ? "be an encrypted one (wss) of a public host, or of this machine; or set insecure"
      : "be one of a WebSocket, such as /dns4/hub.example/tcp/443/wss";
    throw new ConfigError(`${field}[${k}]`, address.toString(), bound);
  }
}

function componentsOf(address: string | Multiaddr): ReturnType<Multiaddr["getComponents"]> | null {
  try {
    return (typeof address === "string" ? multiaddr(address) : address).getComponents();
  } catch {
    return null;
  }
}
