import { ConfigError } from "@coterie/core";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { scopeOf } from "../membership/prefix.ts";

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
  if (insecure || scopeOf(host) === "machine") return true;
  const encrypted = names.includes("wss") || names.includes("tls");
  return encrypted && scopeOf(host) === "everywhere";
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
