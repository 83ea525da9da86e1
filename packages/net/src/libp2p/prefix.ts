import type { Multiaddr } from "@multiformats/multiaddr";

/** Who is likely to be one owner: the first 24 bits of an IPv4 address, 48 of an IPv6 address. Null on this machine. */
export function prefixOf(address: Multiaddr): string | null {
  const [first] = address.getComponents();
  if (first?.value === undefined) return null;
  if (first.name === "ip4") return prefixOfIp4(first.value);
  return first.name === "ip6" ? prefixOfIp6(first.value) : null;
}

function prefixOfIp4(ip: string): string | null {
  return ip.startsWith("127.") ? null : ip.split(".").slice(0, 3).join(".");
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
