/** A process that holds some of the demo's peers. It ends when the demo does, however that comes about. */
import { DemoPeer } from "./demoPeer.ts";
import type { Order, WorkerNews } from "./protocol.ts";

const REPORT_MS = 200;
/** Every so many reports say how things stand. */
const GLANCE_EVERY = 5;

const peers = new Map<number, DemoPeer>();
let begun: Extract<Order, { kind: "begin" }> | null = null;
let beyond: ReadonlySet<string> = new Set();
let reports = 0;

const tell = (news: WorkerNews): void => {
  // The demo may have gone a moment ago; then nobody is left to hear it.
  if (process.connected) process.send?.(news, undefined, undefined, () => {});
};

/** The hub and guests are on the side of those not named. */
function cutAt({ tap: { network } }: DemoPeer): void {
  const mine = beyond.has(network.self);
  network.cut((other) => beyond.size > 0 && beyond.has(other) !== mine);
}

async function obey(order: Order): Promise<void> {
  if (order.kind === "begin") begun = order;
  if (order.kind === "open" && begun !== null) {
    const { policy, periodMs } = begun;
    const { slot, cluster, bootstrap, rounds } = order;
    const peer = new DemoPeer({ slot, cluster, bootstrap, rounds, policy, periodMs });
    peers.set(slot, peer);
    const { id, addresses } = await peer.open();
    cutAt(peer);
    tell({ kind: "opened", slot, id, addresses });
  }
  if (order.kind === "lie") peers.get(order.slot)?.lie(order.lies);
  if (order.kind === "cut") {
    beyond = new Set(order.side);
    for (const peer of peers.values()) cutAt(peer);
  }
  if (order.kind === "kill") await kill(order.slot);
}

async function kill(slot: number): Promise<void> {
  const peer = peers.get(slot);
  if (peer === undefined) return;
  tell({ kind: "report", reports: [peer.report(true)], alive: [] });
  peers.delete(slot);
  tell({ kind: "killed", slot });
  await peer.end(true);
}

/** Not a word to anybody, and nothing to save: all of them go at once. */
function stop(): void {
  clearInterval(reporting);
  if (!process.connected) process.exit(0);
  report(true);
  process.disconnect();
}

function report(glance: boolean): void {
  const list = Array.from(peers.values(), (peer) => peer.report(glance));
  // Of all of them: while the network is cut, none sees everybody.
  const alive = glance ? new Set(Array.from(peers.values(), aliveFor).flat()) : [];
  tell({ kind: "report", reports: list, alive: [...alive] });
}

function aliveFor(peer: DemoPeer): readonly string[] {
  try {
    return peer.tap.network.alive();
  } catch {
    return []; // it has not joined yet
  }
}

const reporting = setInterval(() => report(++reports % GLANCE_EVERY === 0), REPORT_MS);
process.on("message", (order: Order) => {
  obey(order).catch((error: unknown) => {
    tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  });
});
// A terminal sends Ctrl-C to all of its processes; only the demo decides when its peers end, and says so by SIGTERM.
process.on("SIGINT", () => {});
process.on("SIGTERM", stop);
process.on("disconnect", () => process.exit(0));
tell({ kind: "ready" });
