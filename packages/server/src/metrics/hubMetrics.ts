import type { Hub } from "@coterie/net";
import type { HubCounts } from "@coterie/net/internal";
import type { Registry } from "prom-client";
import { add, counter, counters, createRegistry, gauge } from "./registry.ts";

type Numbers = { [K in keyof HubCounts]: HubCounts[K] extends number ? K : never }[keyof HubCounts];

/** What a hub counts for Prometheus. */
export class HubMetrics {
  readonly registry: Registry = createRegistry();
  readonly #answers = new Map<string, number>();

  /** `hub` is null until it is up. */
  constructor(hub: () => Hub | null) {
    const { registry } = this;
    const read = (name: Numbers) => () => hub()?.counts()[name] ?? 0;
    gauge(registry, "coterie_hub_rooms", "Rooms that somebody is in.", read("rooms"));
    gauge(registry, "coterie_hub_members", "Peers that told it about themselves lately, per room.", read("members"));
    gauge(registry, "coterie_hub_traded", "Peers that other hubs told it of.", read("traded"));
    gauge(registry, "coterie_hub_links", "Other hubs that tell it of their peers.", read("hubs"));
    gauge(registry, "coterie_hub_connections", "Open connections.", read("connections"));
    gauge(registry, "coterie_hub_reservations", "Peers that can be reached through it.", read("reservations"));
    gauge(registry, "coterie_hub_circuits", "Connections that go through it now.", read("circuits"));
    counter(registry, "coterie_hub_relayed_bytes_total", "Bytes that went through it.", read("relayedBytes"));
    counter(
      registry,
      "coterie_hub_introductions_total",
      "Answers to peers that look for others.",
      read("introductions"),
    );
    counter(
      registry,
      "coterie_sent_bytes_total",
      "Bytes sent to peers, not counting what was relayed.",
      read("sentBytes"),
    );
    counter(registry, "coterie_received_bytes_total", "Bytes received from peers, as above.", read("receivedBytes"));
    counters(
      registry,
      "coterie_violations_total",
      "What peers did that no correct peer does, by cause.",
      "cause",
      () => hub()?.counts().violations ?? [],
    );
    counters(
      registry,
      "coterie_hub_overloads_total",
      "Peers that were refused because a limit was reached, by limit.",
      "limit",
      () => hub()?.counts().overloads ?? [],
    );
    counters(
      registry,
      "coterie_http_answers_total",
      "Answers of the HTTP API by status.",
      "status",
      () => this.#answers,
    );
  }

  answered(status: number): void {
    add(this.#answers, String(status));
  }
}
