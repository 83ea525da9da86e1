import { execFileSync } from "node:child_process";
import { Random } from "@coterie/core";
import { type PacketCount, startLoss, stopLoss, whyNoLoss } from "./loss.ts";
import { GROUND, HUB, hostOf, namespaceOf, openAddress, SEAM, sideAddress } from "./namespaces.ts";
import { isHidden, LOSS, sideOf } from "./plan.ts";
import { type Endpoint, SlowProxy } from "./proxy.ts";

/** Where one process lives. */
export interface ProcessHost {
  /** What stands before its command line. */
  readonly enter: readonly string[];
  /** Where it listens for peers: a multiaddr, or `none`. */
  readonly listen: string;
  /** The host of its HTTP side. */
  readonly host: string;
}

/** What processes stand on, and what can be done to it. */
export interface Testbed {
  readonly kind: "namespaces" | "loopback";
  /** How 30 % loss is made here. */
  readonly loss: "packets" | "stalls";
  /** Why not of packets, where it is not. */
  readonly whyStalls: string | null;
  /** Packets that came in while they were being lost. */
  readonly packets: PacketCount;
  readonly hub: ProcessHost;
  peer(index: number): ProcessHost;
  /** The hub's address, as a peer gets there. */
  bootstrap(index: number): string;
  cut(on: boolean): void;
  lossy(on: boolean): void;
  /** Delays and stalls on the way to the hub, for those who have no other way to anybody. */
  stall(on: boolean): void;
  close(): void;
}

const multiaddr = ({ host, port }: Endpoint): string => `/ip4/${host}/tcp/${port}`;

/** What a poor line does to a piece: up to so many ms, and now and then a stall. */
const DELAY_MS = 400;
const STALLS = 0.05;

/**
 * The network that `openNamespaces` made for process `pid`; this process must be on the ground. Hidden peers go through a
 * proxy to the hub, the others straight to it.
 */
export async function namespaceTestbed(pid: number, peers: number, hubPort: number, seed: number): Promise<Testbed> {
  const hidden = Array.from({ length: peers }, (_, k) => k).filter(isHidden);
  const target = { host: sideAddress(0, HUB), port: hubPort };
  const proxies = await proxiesFor(hidden, seed, target, (k) => sideAddress(sideOf(k), GROUND));
  const whyStalls = whyNoLoss();
  let packets: PacketCount = { heard: 0, dropped: 0 };
  const enter = (who: number | "hub" | "ground"): string[] => ["ip", "netns", "exec", namespaceOf(pid, who)];
  const poor = poorLines(peers, hubPort, proxies);
  return {
    kind: "namespaces",
    loss: whyStalls === null ? "packets" : "stalls",
    whyStalls,
    get packets() {
      return packets;
    },
    hub: { enter: enter("hub"), listen: `/ip4/0.0.0.0/tcp/${hubPort}`, host: sideAddress(0, HUB) },
    peer: (k) => ({
      enter: enter(k),
      listen: isHidden(k) ? "none" : `/ip4/${openAddress(hostOf(k))}/tcp/0`,
      host: sideAddress(sideOf(k), hostOf(k)),
    }),
    bootstrap: (k) => {
      const proxy = proxies.get(k);
      if (proxy === undefined) return multiaddr({ host: openAddress(HUB), port: hubPort });
      return multiaddr({ host: sideAddress(sideOf(k), GROUND), port: proxy.port });
    },
    cut(on) {
      execFileSync("ip", ["link", "set", SEAM, on ? "down" : "up"]);
      for (const [k, proxy] of proxies) if (sideOf(k) === 1) proxy.cut(on);
    },
    lossy(on) {
      if (whyStalls !== null) for (const proxy of proxies.values()) proxy.stalls = on ? LOSS : 0;
      else if (on) for (const { who, matches } of poor) startLoss(enter(who), matches);
      else for (const { who } of poor) packets = sumOf(packets, stopLoss(enter(who)));
    },
    stall: (on) => slow(proxies.values(), on),
    close: () => closeAll(proxies.values()),
  };
}

/** Everything on this machine's own loopback: nobody can be dialled, and everybody's way to the hub is a proxy. */
export async function loopbackTestbed(peers: number, hubPort: number, seed: number): Promise<Testbed> {
  const host = "127.0.0.1";
  const every = Array.from({ length: peers }, (_, k) => k);
  const proxies = await proxiesFor(every, seed, { host, port: hubPort }, () => host);
  return {
    kind: "loopback",
    loss: "stalls",
    whyStalls: "there are no network namespaces",
    packets: { heard: 0, dropped: 0 },
    hub: { enter: [], listen: multiaddr({ host, port: hubPort }), host },
    peer: () => ({ enter: [], listen: "none", host }),
    bootstrap: (k) => multiaddr({ host, port: proxies.get(k)?.port ?? hubPort }),
    cut(on) {
      for (const [k, proxy] of proxies) if (sideOf(k) === 1) proxy.cut(on);
    },
    lossy(on) {
      for (const proxy of proxies.values()) proxy.stalls = on ? LOSS : 0;
    },
    stall: (on) => slow(proxies.values(), on),
    close: () => closeAll(proxies.values()),
  };
}

/**
 * Who loses which packets: all that peers, the hub and the proxies get from each other. What users send is spared: it is
 * no part of the network.
 */
function poorLines(
  peers: number,
  hubPort: number,
  proxies: ReadonlyMap<number, SlowProxy>,
): { readonly who: number | "hub" | "ground"; readonly matches: readonly string[] }[] {
  const open = `ip daddr ${openAddress(0)}/24`;
  const ports = Array.from(proxies.values(), ({ port }) => port);
  return [
    { who: "hub", matches: [open, `tcp dport ${hubPort}`] },
    { who: "ground", matches: [`tcp sport ${hubPort}`, ...ports.map((port) => `tcp dport ${port}`)] },
    ...Array.from({ length: peers }, (_, who) => {
      const proxy = proxies.get(who);
      return { who, matches: [proxy === undefined ? open : `tcp sport ${proxy.port}`] };
    }),
  ];
}

const sumOf = (a: PacketCount, b: PacketCount): PacketCount => ({
  heard: a.heard + b.heard,
  dropped: a.dropped + b.dropped,
});

async function proxiesFor(
  peers: readonly number[],
  seed: number,
  target: Endpoint,
  host: (peer: number) => string,
): Promise<Map<number, SlowProxy>> {
  const random = Random.seeded(seed).fork("proxy");
  const opened = peers.map(async (k) => [k, await SlowProxy.open(host(k), target, random.fork(k))] as const);
  return new Map(await Promise.all(opened));
}

function slow(proxies: Iterable<SlowProxy>, on: boolean): void {
  for (const proxy of proxies) {
    proxy.mostDelayMs = on ? DELAY_MS : 0;
    proxy.stalls = on ? STALLS : 0;
  }
}

function closeAll(proxies: Iterable<SlowProxy>): void {
  for (const proxy of proxies) proxy.close();
}
