/** The processes: a headless peer with an HTTP API, and a hub. */
export * from "./demo/index.ts";
export * from "./doctor/index.ts";
export { type HttpAddress, parseHttpAddress } from "./http/address.ts";
export { Vitals } from "./http/health.ts";
export { type Listening, listen } from "./http/listen.ts";
export { createHubApp, type HubAppOptions } from "./hub/app.ts";
export { type HubProcessOptions, startHubProcess } from "./hub/process.ts";
export { createLog, LOG_LEVELS, type Log, type LogLevel, parseLevel, processLog } from "./log/log.ts";
export { HubMetrics } from "./metrics/hubMetrics.ts";
export { type FileFeatures, parseFeatures, vectorFeatures } from "./peer/features.ts";
export { httpTarget } from "./peer/fuzz.ts";
export { type PeerProcessOptions, readPolicy } from "./peer/options.ts";
export { startPeerProcess } from "./peer/process.ts";
export type { Running } from "./process.ts";
