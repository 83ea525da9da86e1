/** What `coterie storm`, `coterie chaos` and `coterie soak` run. */

export { type ChaosOptions, runChaos } from "./chaos/run.ts";
export { type ChaosReport, chaosText } from "./chaos/task.ts";
export { withChildren } from "./damage/children.ts";
export { type DamageReport, damage, damageText } from "./damage/damage.ts";
export { type FuzzReport, fuzz } from "./fuzz/fuzz.ts";
export { type FuzzTarget, jsonTarget } from "./fuzz/target.ts";
export { targets } from "./fuzz/targets.ts";
export { type AttackFigure, attack } from "./simulation/attacks/attacks.ts";
export { MUTANTS, mutantOf } from "./simulation/mutants/index.ts";
export { reportText, storyOf } from "./simulation/report.ts";
export { playRoom, type RoomOptions, type RoomReport } from "./simulation/room/room.ts";
export { roomText } from "./simulation/room/text.ts";
export { runStorm, type StormOptions } from "./simulation/run.ts";
export type { Story } from "./simulation/shrink.ts";
export { type StormOutcome, storm } from "./simulation/storm.ts";
export { type SoakOptions, type SoakReport, soak, soakText } from "./soak/soak.ts";
