/** Hosts of this machine. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost|.*\.localhost)$/;
/** Networks that are somebody's own. */
const PRIVATE =
  /^(0\.|10\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::)/i;

/** From where an address can be reached, the narrowest first. */
const SCOPES = ["machine", "network", "everywhere"] as const;
export type Scope = (typeof SCOPES)[number];

export function scopeOf(host: string): Scope {
  if (LOOPBACK.test(host)) return "machine";
  return PRIVATE.test(host) ? "network" : "everywhere";
}

/** Whether somebody who is at `from` may name an address of `scope`: nobody outside names hosts inside. */
export const mayName = (from: Scope, scope: Scope): boolean => SCOPES.indexOf(scope) >= SCOPES.indexOf(from);

/** The host that an address begins with; null for one that begins with something else. */
export function hostOf(address: string): string | null {
  const [, kind, host] = address.split("/", 3);
  return kind === "ip4" || kind === "ip6" || kind?.startsWith("dns") ? (host ?? null) : null;
}

/** Who is likely to be one owner: the first 24 bits of an IPv4 address, 48 of an IPv6 address. Null on this machine. */
export function prefixOf(address: string | { toString(): string }): string | null {
  const [, kind, host] = address.toString().split("/", 3);
  if (host === undefined) return null;
  if (kind === "ip4") return prefixOfIp4(host);
  return kind === "ip6" ? prefixOfIp6(host) : null;
}

function prefixOfIp4(ip: string): string | null {
  return ip.startsWith("127.") ? null : ip.slice(0, ip.lastIndexOf("."));
}

function prefixOfIp6(ip: string): string | null {
  const groups = groupsOf(ip);
  const zeros = groups.findIndex((group) => group !== 0);
  // An IPv4 address as a socket for both shows it.
  if (zeros === 5 && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return prefixOfIp4([high >> 8, high & 255, low >> 8, low & 255].join("."));
  }
  if (zeros === 7 && groups[7] === 1) return null;
  return groups
    .slice(0, 3)
    .map((group) => group.toString(16))
    .join(":");
}

/** All eight, of which `::` leaves out those that are 0. The last two may be written as an IPv4 address. */
function groupsOf(ip: string): number[] {
  const hex = ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...four) => {
    const [a = 0, b = 0, c = 0, d = 0] = four.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = "", tail] = hex.split("::");
  const numbers = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail ?? "")];
  return [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0), ...after];
}
