import { type Hub, type HubOptions, startHub } from "@coterie/net";
import type { HttpAddress } from "../http/address.ts";
import { Vitals } from "../http/health.ts";
import { listen } from "../http/listen.ts";
import { requireToken } from "../http/token.ts";
import { logNetwork } from "../log/events.ts";
import { type LogLevel, processLog } from "../log/log.ts";
import { HubMetrics } from "../metrics/hubMetrics.ts";
import { explainListen, GRACE_MS, type Running } from "../process.ts";
import { createHubApp } from "./app.ts";
import { readKey } from "./key.ts";
import { mountHubPages } from "./pages.ts";

/** What a hub is started with. */
export interface HubProcessOptions {
  readonly http: HttpAddress;
  /** Callers of the HTTP side must bear it; null where only this machine gets there. */
  readonly token: string | null;
  /** Where its key is kept; drawn at the first start. */
  readonly keyFile: string;
  readonly network: Pick<HubOptions, "listen" | "announce" | "rooms" | "hubs" | "trustProxy" | "limits">;
  readonly logLevel: LogLevel;
  /** Ends the waiting while the hub starts. */
  readonly signal?: AbortSignal;
}

export async function startHubProcess(options: HubProcessOptions): Promise<Running> {
  const { http: address, token, keyFile, network, signal } = options;
  requireToken("--http", address, token);
  const privateKey = readKey("--key-file", keyFile);
  const log = processLog(options.logLevel);
  const vitals = new Vitals();
  let hub: Hub | null = null;
  const metrics = new HubMetrics(() => hub);
  const app = createHubApp({ hub: () => hub, vitals, metrics, log, token });
  mountHubPages(app, { hub: () => hub, rooms: network.rooms, http: address });
  const http = await listen("--http", address, (request) => app.fetch(request));
  try {
    hub = await startHub({ ...network, privateKey, onEvent: (event) => logNetwork(log, event) });
    signal?.throwIfAborted();
  } catch (error) {
    await hub?.close();
    await http.close(0);
    throw explainListen(network.listen, error);
  }
  vitals.begun();
  const { self, addresses } = hub;
  log.info("ready", { self, http: http.url, addresses });
  const running = hub;
  return {
    ready: { ready: true, self, http: http.url, addresses },
    sentence: `hub ${self}: pages and HTTP at ${http.url}, peers at ${addresses.join(", ")}`,
    async close() {
      vitals.ending();
      await http.close(GRACE_MS);
      await running.close();
      log.info("stopped");
    },
  };
}
