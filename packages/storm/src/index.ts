/** What `coterie storm`, `coterie chaos` and `coterie soak` run. */
export { type AttackFigure, attack } from "./attacks/attacks.ts";
export { type ChaosOptions, runChaos } from "./chaos/run.ts";
export { type ChaosReport, chaosText } from "./chaos/task.ts";
export { withChildren } from "./damage/children.ts";
export { type DamageReport, damage, damageText } from "./damage/damage.ts";
export { type FuzzReport, fuzz } from "./fuzz/fuzz.ts";
export { jsonTarget, type Target } from "./fuzz/target.ts";
export { targets } from "./fuzz/targets.ts";
export { MUTANTS, mutantOf } from "./mutants/index.ts";
export { reportText, storyOf } from "./report.ts";
export { playRoom, type RoomOptions, type RoomReport } from "./room/room.ts";
export { roomText } from "./room/text.ts";
export { runStorm, type StormOptions } from "./run.ts";
export type { Story } from "./shrink.ts";
export { type SoakOptions, type SoakReport, soak, soakText } from "./soak/soak.ts";
export { type Outcome, storm } from "./storm.ts";
