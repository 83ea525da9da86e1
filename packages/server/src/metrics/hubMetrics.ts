import type { Hub } from "@coterie/net";
import type { HubCounts } from "@coterie/net/internal";
import { Metrics } from "./registry.ts";

type Numbers = { [K in keyof HubCounts]: HubCounts[K] extends number ? K : never }[keyof HubCounts];

/** What a hub counts for Prometheus. */
export class HubMetrics extends Metrics {
  /** `hub` is null until it is up. */
  constructor(hub: () => Hub | null) {
    super();
    const read = (name: Numbers) => () => hub()?.counts()[name] ?? 0;
    this.gauge("coterie_hub_rooms", "Rooms that somebody is in.", read("rooms"));
    this.gauge("coterie_hub_members", "Peers that told it about themselves lately, per room.", read("members"));
    this.gauge("coterie_hub_tickets", "Names that hold a ticket of this hub, per room.", read("tickets"));
    this.gauge("coterie_hub_traded", "Peers that other hubs told it of.", read("traded"));
    this.gauge("coterie_hub_links", "Other hubs that tell it of their peers.", read("hubs"));
    this.gauge("coterie_hub_connections", "Open connections.", read("connections"));
    this.gauge("coterie_hub_reservations", "Peers that can be reached through it.", read("reservations"));
    this.gauge("coterie_hub_circuits", "Connections that go through it now.", read("circuits"));
    this.counter("coterie_hub_relayed_bytes_total", "Bytes that went through it.", read("relayedBytes"));
    this.counter("coterie_hub_introductions_total", "Answers to peers that look for others.", read("introductions"));
    this.counter("coterie_sent_bytes_total", "Bytes sent to peers, not counting what was relayed.", read("sentBytes"));
    this.counter("coterie_received_bytes_total", "Bytes received from peers, as above.", read("receivedBytes"));
    this.counters(
      "coterie_violations_total",
      "What peers did that no correct peer does, by cause.",
      "cause",
      () => hub()?.counts().violations ?? [],
    );
    this.counters(
      "coterie_hub_overloads_total",
      "Peers that were refused because a limit was reached, by limit.",
      "limit",
      () => hub()?.counts().overloads ?? [],
    );
  }
}
