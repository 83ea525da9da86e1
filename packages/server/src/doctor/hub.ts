import { randomBytes } from "node:crypto";
import { ConfigError } from "@coterie/core";
import { libp2p } from "@coterie/net";
import type { NetworkEvent } from "@coterie/net/internal";
import { bad, type Finding, good, note, worded } from "./finding.ts";

/** As long as a peer waits for a hub across the world. */
const MOST_MS = 12_000;
const LOOK_MS = 50;

const REMEDY =
  "See that the hub runs (coterie hub prints its addresses), that the address is one of them, and that no firewall stands between.";

/** Whether a hub or a peer answers at an address, and whether one can be reached through it. */
export async function checkHub(address: string, mostMs = MOST_MS): Promise<Finding> {
  const events: NetworkEvent[] = [];
  let join: ReturnType<typeof libp2p>;
  try {
    join = libp2p({ bootstrap: [address], listen: [], onEvent: (event) => events.push(event) });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return bad("hub", `${address} is no address: ${error.message}.`, "Write it like /ip4/192.0.2.7/tcp/4001.");
  }
  // A room of its own: nobody is bothered, and nobody answers but the one who is asked.
  const network = await join({ name: `doctor ${randomBytes(8).toString("hex")}`, agreement: "doctor" });
  try {
    const end = performance.now() + mostMs;
    for (;;) {
      const found = judge(address, network.addresses(), events);
      if (found !== null) return found;
      if (performance.now() > end) {
        if (network.connections === 0) return bad("hub", `${address} does not answer.`, REMEDY);
        const remedy = "Peers behind routers need a hub with a free slot; try another one.";
        return note("hub", `${address} answers, but relays nothing to this machine.`, remedy);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } catch (error) {
    return bad("hub", `${address} could not be asked (${worded(error)}).`, REMEDY);
  } finally {
    await network.close();
  }
}

function judge(address: string, own: readonly string[], events: readonly NetworkEvent[]): Finding | null {
  if (own.some((each) => each.includes("/p2p-circuit"))) {
    return good("hub", `${address} is a hub; it answers, and this machine can be reached through it.`);
  }
  for (const event of events) {
    if (event.kind === "unreachable") return bad("hub", `${address} cannot be reached: ${event.message}.`, REMEDY);
    if (event.kind === "refused" && event.reason === "overloaded") {
      const remedy =
        "Try another hub, or this one later; its operator sees which limit it is in coterie_hub_overloads_total.";
      return note("hub", `${address} answers, but is full.`, remedy);
    }
    if (event.kind === "refused") return good("hub", `${address} answers, and lets in only its own room.`);
  }
  return null;
}
