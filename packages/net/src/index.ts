/** What a Node app uses. */
export {
  type ChoiceEntry,
  compareVariants,
  type Estimate,
  type EvaluateOptions,
  type Evaluation,
  evaluate,
  type OutcomeEntry,
  OverlapError,
  parseLog,
  type ShadowReport,
  shadowReport,
  type TargetReport,
  type TargetSpec,
  toDsjson,
  type VariantsReport,
} from "@coterie/core";
export * from "./common.ts";
export {
  HUB_LIMITS,
  type Hub,
  type HubCounts,
  type HubLimit,
  type HubLimits,
  type HubMember,
  type HubOptions,
  type HubRoom,
  type Libp2pOptions,
  libp2p,
  startHub,
} from "./libp2p/index.ts";
export { type LogFile, logFile } from "./log/file.ts";
export * as parts from "./parts.ts";
export {
  type BackedUp,
  backup,
  folderStore,
  type Inspection,
  inspect,
  type Restored,
  restore,
  type Upgraded,
  upgrade,
} from "./store/folder/index.ts";
