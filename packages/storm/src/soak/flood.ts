import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Libp2pNetwork, libp2p, type Room } from "@coterie/net";

/** Where a flood goes. */
export interface FloodTask {
  readonly room: Pick<Room, "name" | "agreement">;
  /** Multiaddrs of the peers. */
  readonly addresses: readonly string[];
  readonly perSecond: number;
}

/** So many messages under one name, and then the same under another: names cost nothing. */
const PER_NAME = 400;
const LONGEST = 4096;
const GIVE_UP_MS = 2000;

/** What was sent so far. */
export interface Flooded {
  messages: number;
  connections: number;
  names: number;
}

/**
 * Somebody who is in the room and sends garbage, as exchanges to everybody who answers and as plain bytes to their ports,
 * as fast as told, under one name after the other, without ever saying goodbye. Until `signal` says stop.
 */
export async function flood(
  { room, addresses, perSecond }: FloodTask,
  sent: Flooded,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const network = await joined(room, addresses);
    if (network === null) continue;
    sent.names += 1;
    try {
      for (let k = 0; k < PER_NAME && !signal.aborted; k++) {
        void strike(network, sent);
        if (k % 8 === 0) knock(addresses[k % addresses.length] ?? "", sent);
        await sleep(1000 / perSecond);
      }
    } finally {
      await network.close();
    }
  }
}

/** Nobody lets it in for now: a flood of hours goes on after a pause. */
async function joined(room: FloodTask["room"], addresses: readonly string[]): Promise<Libp2pNetwork | null> {
  try {
    return await libp2p({ listen: [], bootstrap: [...addresses] })(room);
  } catch {
    await sleep(GIVE_UP_MS);
    return null;
  }
}

async function strike(network: Libp2pNetwork, sent: Flooded): Promise<void> {
  const known = network.alive();
  const target = known[sent.messages % Math.max(1, known.length)];
  if (target === undefined) return;
  sent.messages += 1;
  const length = 1 + (randomBytes(2).readUInt16LE() % LONGEST);
  try {
    await network.link.request(target, randomBytes(length), { signal: AbortSignal.timeout(GIVE_UP_MS) });
  } catch {
    // Refused, thrown out or ignored: as it should be.
  }
}

/** Bytes that are no handshake. */
function knock(address: string, sent: Flooded): void {
  const [, host, port] = /^\/ip4\/([^/]+)\/tcp\/(\d+)/.exec(address) ?? [];
  if (host === undefined || port === undefined) return;
  sent.connections += 1;
  const socket = connect(Number(port), host, () => socket.end(randomBytes(LONGEST)));
  socket.on("error", () => {});
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
}
