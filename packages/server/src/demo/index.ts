export { type Demo, type DemoOptions, startDemo } from "./demo.ts";
export { type Replay, startReplay } from "./replay.ts";
export type { DemoSummary } from "./summary.ts";
