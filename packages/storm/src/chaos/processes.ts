import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@coterie/core";
import { PeerResident, Resident, type ResidentConfig } from "./resident.ts";
import { CHAOS_POLICIES, type ChaosTask } from "./task.ts";
import type { Testbed } from "./testbed.ts";
import { DIMENSION } from "./user.ts";

export const ROOM = "chaos";
/** A round of a peer. */
const TICK_MS = 600;
/** Processes that start at once: all of them together would take longer for it. */
const STARTING = 4;

/** The hub and the peers of one run. */
export interface Processes {
  readonly hub: Resident;
  readonly peers: readonly PeerResident[];
}

export function makeProcesses({ plan, policy, command, logs }: ChaosTask, testbed: Testbed, folder: string): Processes {
  const token = randomBytes(16).toString("hex");
  const env = { COTERIE_TOKEN: token, COTERIE_ROOM_KEY: randomBytes(16).toString("hex"), NO_COLOR: "1" };
  const config = (name: string, enter: readonly string[], args: readonly string[]): ResidentConfig => ({
    name,
    command: [...enter, ...command, ...args, "--json"],
    env,
    token,
    log: logs === null ? null : join(logs, `${name.replaceAll(" ", "-")}.log`),
  });
  if (logs !== null) mkdirSync(logs, { recursive: true });
  const level = ["--log-level", logs === null ? "info" : "debug"];
  const { hub } = testbed;
  const meet = ["--listen", hub.listen, "--room", ROOM, "--key-file", join(folder, "hub.key")];
  const random = Random.seeded(plan.seed).fork("user");
  return {
    hub: new Resident(config("the hub", hub.enter, ["hub", ...meet, ...level, "--http", `${hub.host}:0`])),
    peers: Array.from({ length: plan.peers }, (_, index) => {
      const store = join(folder, `peer-${index}`);
      mkdirSync(store, { recursive: true });
      const { enter, listen, host } = testbed.peer(index);
      const place = ["--store", join(store, "store"), "--http", `${host}:0`, "--listen", listen];
      const room = ["--room", ROOM, "--dimension", `${DIMENSION}`, "--policy", JSON.stringify(CHAOS_POLICIES[policy])];
      const args = [
        "peer",
        ...place,
        ...room,
        "--tick-ms",
        `${TICK_MS}`,
        "--bootstrap",
        testbed.bootstrap(index),
        ...level,
      ];
      return new PeerResident(index, join(store, "store"), config(`peer ${index}`, enter, args), random.fork(index));
    }),
  };
}

/** Starts everybody, a few at a time; `started` hears of each. */
export async function moveIn(
  { hub, peers }: Processes,
  started: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  await Promise.race([hub.start(), stopped]);
  const waiting = [...peers];
  let count = 0;
  const next = async (): Promise<void> => {
    for (let peer = waiting.shift(); peer !== undefined && !signal.aborted; peer = waiting.shift()) {
      await peer.start();
      started(++count);
    }
  };
  await Promise.race([Promise.all(Array.from({ length: STARTING }, next)), stopped]);
}
