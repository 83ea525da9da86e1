import { judgeClock, readClocks, writtenAt } from "./clock.ts";
import type { Finding } from "./finding.ts";
import { checkHub } from "./hub.ts";
import { checkBrowser, checkNode, checkWebrtc } from "./machine.ts";
import { checkPort } from "./ports.ts";
import { folderOf, lookInto, tryStore } from "./store.ts";

export interface DoctorOptions {
  /** Addresses to listen on, as multiaddrs. */
  readonly listen: readonly string[];
  /** Were they asked for? Else they are what a hub takes when it is told nothing, and need not be free. */
  readonly asked: boolean;
  /** A store, there already or not; null: whether one could be made in the current folder. */
  readonly store: string | null;
  /** Hubs or peers to reach. */
  readonly bootstrap: readonly string[];
}

/** Looks at all that a hub or a peer on this machine needs. Changes nothing that lasts. */
export async function doctor({ listen, asked, store, bootstrap }: DoctorOptions): Promise<Finding[]> {
  const started = readClocks();
  const ports: Finding[] = [];
  for (const address of listen) ports.push(await checkPort(address, asked));
  const stores = [...(store === null ? [] : [await lookInto(store)]), await tryStore(folderOf(store))];
  const hubs = await Promise.all(bootstrap.map((address) => checkHub(address)));
  const clock = judgeClock(started, readClocks(), await writtenAt(store === null ? [] : [store]));
  const { version, env } = process;
  return [checkNode(version), clock, ...ports, ...stores, ...hubs, checkWebrtc(process.cwd()), checkBrowser(env)];
}
