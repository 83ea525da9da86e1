export { type Demo, type DemoOptions, startDemo } from "./demo.ts";
export { type RunningReplay, startReplay } from "./replay.ts";
export type { DemoSummary } from "./summary.ts";
