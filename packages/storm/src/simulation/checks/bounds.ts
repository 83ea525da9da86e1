import type { Device } from "../world/device.ts";
import { MOST_EVENTS, type Scheduler } from "../world/scheduler.ts";

/** A snapshot stands for 256 entries and the one before is kept; twice that again for what is under way. */
const MOST_RECORDS = 4 * 256;
/** One exchange, and gossip that may overlap. */
const MOST_CALLS = 16;

/** A storm lasts some hundred rounds. Liars may add to that, but not so that anybody notices. */
const MOST_ROUND = 100_000;

/** What grows without a bound, or null. `names`: those who ever were in the room; a peer that lost its disk comes back under another one. */
export function boundsFault(device: Device, scheduler: Scheduler, names: number): string | null {
  const { disk, driver, peer } = device;
  if (scheduler.waiting > MOST_EVENTS) return `${scheduler.waiting} events wait`;
  if (disk.records > MOST_RECORDS) return `${disk.records} records on its disk`;
  if (driver !== null && driver.calls > MOST_CALLS) return `${driver.calls} requests under way`;
  if (driver !== null && driver.node.size >= names) return `${driver.node.size} members in a room of ${names}`;
  if (peer !== null && peer.state().round > MOST_ROUND) return `in round ${peer.state().round}`;
  if (peer !== null && peer.state().pending > 1000) return `${peer.state().pending} pending choices`;
  return null;
}
