import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { isHidden, sideOf } from "./plan.ts";

/**
 * A network of namespaces, seen by nobody else: one for each peer, one for the hub, and the ground, where two bridges join
 * them and the users live. Addresses are of the block for benchmarks (RFC 2544), which is routed nowhere.
 *
 *   198.18.0.0/24   peers among each other, across both bridges; the seam between the bridges can be opened
 *   198.18.1.0/24   users to the peers of side 0, and these to their proxy; the same on side 1 with 198.18.2.0/24
 */
const PREFIX = "coterie-";
export const HUB = 250;
export const GROUND = 254;
/** The ground's own end of what joins the bridges. */
export const SEAM = "seam0";

export const namespaceOf = (pid: number, who: number | "hub" | "ground"): string => `${PREFIX}${pid}-${who}`;
export const openAddress = (host: number): string => `198.18.0.${host}`;
export const sideAddress = (side: 0 | 1, host: number): string => `198.18.${1 + side}.${host}`;
/** Hosts count from 1. */
export const hostOf = (peer: number): number => peer + 1;

const ip = (...args: string[]): string =>
  execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Why there can be no namespaces here, in a few words; null where there can. */
export function whyNoNamespaces(): string | null {
  if (process.platform !== "linux") return `this is ${process.platform}, not Linux`;
  if (process.getuid?.() !== 0) return "they need root";
  const probe = namespaceOf(process.pid, "ground");
  try {
    ip("netns", "add", probe);
    ip("-n", probe, "link", "add", "probe0", "type", "veth", "peer", "name", "probe1");
    ip("-n", probe, "link", "add", "probe2", "type", "bridge");
    return null;
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    return code === "ENOENT" ? "the command ip (iproute2) is missing" : (stderr?.trim() ?? message);
  } finally {
    remove(probe);
  }
}

/** Makes the network of a process. What one that was killed has left behind goes first. */
export function openNamespaces(pid: number, peers: number): void {
  sweep();
  build(pid, peers);
}

/** Takes it away, and whoever still lives in it. */
export function closeNamespaces(pid: number): void {
  for (const name of all()) if (name.startsWith(`${PREFIX}${pid}-`)) remove(name);
}

function build(pid: number, peers: number): void {
  const ground = namespaceOf(pid, "ground");
  ip("netns", "add", ground);
  up(ground, "lo");
  for (const side of [0, 1] as const) {
    ip("-n", ground, "link", "add", `side${side}`, "type", "bridge");
    ip("-n", ground, "addr", "add", `${sideAddress(side, GROUND)}/24`, "dev", `side${side}`);
    up(ground, `side${side}`);
  }
  ip("-n", ground, "link", "add", SEAM, "type", "veth", "peer", "name", "seam1");
  for (const side of [0, 1]) {
    ip("-n", ground, "link", "set", `seam${side}`, "master", `side${side}`);
    up(ground, `seam${side}`);
  }
  settle(pid, "hub", HUB, 0, true);
  for (let peer = 0; peer < peers; peer++) settle(pid, peer, hostOf(peer), sideOf(peer), !isHidden(peer));
}

/** A namespace with one cable to the bridge of its side. Who is not open has no address among the peers. */
function settle(pid: number, who: number | "hub", host: number, side: 0 | 1, open: boolean): void {
  const [ground, name] = [namespaceOf(pid, "ground"), namespaceOf(pid, who)];
  ip("netns", "add", name);
  ip("link", "add", `to-${who}`, "netns", ground, "type", "veth", "peer", "name", "eth0", "netns", name);
  ip("-n", ground, "link", "set", `to-${who}`, "master", `side${side}`);
  up(ground, `to-${who}`);
  up(name, "lo");
  up(name, "eth0");
  ip("-n", name, "addr", "add", `${sideAddress(side, host)}/24`, "dev", "eth0");
  if (open) ip("-n", name, "addr", "add", `${openAddress(host)}/24`, "dev", "eth0");
}

const up = (namespace: string, device: string): string => ip("-n", namespace, "link", "set", device, "up");

const all = (): string[] => {
  try {
    return readdirSync("/run/netns").filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
};

function sweep(): void {
  for (const name of all()) {
    const pid = Number(/^coterie-(\d+)-/.exec(name)?.[1] ?? process.pid);
    if (!runs(pid)) remove(name);
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Takes its devices along, and whoever still lives in it. */
function remove(name: string): void {
  try {
    for (const pid of ip("netns", "pids", name).split("\n").filter(Boolean)) process.kill(Number(pid), "SIGKILL");
    ip("netns", "del", name);
  } catch {
    // Not there, or gone meanwhile.
  }
}
