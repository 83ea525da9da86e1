/** The SDK, as far as it needs nothing of Node. */

export type { Waiting } from "../link/wait.ts";
export { alone } from "./alone.ts";
export type { Choice } from "./choice.ts";
export type { RewardAnswer } from "./choices.ts";
export type { Clock } from "./clock.ts";
export { createPeer } from "./createPeer.ts";
export { DEFAULT_TICK, defaultPolicy } from "./defaults.ts";
export type { EventOf, PeerEvent, PeerEventKind, PeerEvents } from "./events.ts";
export type { Explanation, Reason } from "./explain.ts";
export type { ExploreOptions } from "./explore.ts";
export type { PeersOptions } from "./guests.ts";
export type { PendingChoice, Scored } from "./inspect.ts";
export type { ChoiceId } from "./ledger.ts";
export type { LogOptions, LogSink } from "./log.ts";
export type { ChooseOptions, Last, Situation } from "./menu.ts";
export type { PeerOptions, TickOptions } from "./options.ts";
export type { Migration } from "./papers.ts";
export type { TokenAnswer } from "./reports.ts";
export type { RewardOptions, RewardRange } from "./rewards.ts";
export type { Observed, ObserveOptions, RoomPeer } from "./roomPeer.ts";
export type { Slate, SlateOptions } from "./slate.ts";
export type { ExchangeCounts, PeerState } from "./state.ts";
export type { TickRequest } from "./ticking.ts";
export type { Warning } from "./warnings.ts";
export type { Watched, WatchOptions } from "./watched.ts";
