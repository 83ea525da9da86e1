/**
 * The parts below the SDK, for the other packages of Coterie: the fault simulation, the suites, the processes. It promises
 * nothing: any release may change it. Nothing here reaches Node.
 */
export { AverageExchange } from "./exchange/averageExchange.ts";
export { type Arrival, createExchange, type Exchange, type ExchangeRecord } from "./exchange/exchange.ts";
export { Leaps } from "./exchange/leaps.ts";
export {
  decodeAnswer,
  decodeProposal,
  encodeAnswer,
  encodeProposal,
  isProbing,
  VERDICTS,
  type Verdict,
} from "./exchange/message.ts";
export { RecordExchange } from "./exchange/recordExchange.ts";
export {
  decodeReportAnswers,
  decodeReports,
  encodeReportAnswers,
  encodeReports,
  REPORT_ANSWERS,
} from "./exchange/report.ts";
export type { Contributions } from "./features/features.ts";
export type { OnBadItem } from "./features/menu.ts";
export { type HostConfig, type HostEvent, PeerHost, type TickOutcome } from "./host/host.ts";
export { Keeper } from "./host/keeper.ts";
export { freshSaved, readSaved, writeSaved } from "./host/saved.ts";
export { type Identity, identityFrom } from "./identity/identity.ts";
export type { Notary } from "./identity/signature.ts";
export type { NetworkEvent } from "./libp2p/events.ts";
export { decodeGreeting, encodeGreeting, requests, responses } from "./libp2p/frames.ts";
export { type Credentials, greet, type Voice, welcome } from "./libp2p/greeting.ts";
export type { HubCounts } from "./libp2p/hub.ts";
export { HUB_LIMITS, type HubLimits } from "./libp2p/hubLimits.ts";
export { mortal, type ProcessLife } from "./link/mortal.ts";
export type { LogFile } from "./log/file.ts";
export { decodeClaim, encodeClaim, newsBytes, reader, readNews, signedBy, writeNews } from "./membership/codec.ts";
export type { Bulletin, Claim, MembershipEvent, News, Occasion, SignedEntry } from "./membership/entry.ts";
export { Graves } from "./membership/graves.ts";
export { EXPIRE_MS, KIN_EXPIRE_MS, MEMBERSHIP_LIMITS, roundMs, SWAP_SIZE, VIEW_SIZE } from "./membership/limits.ts";
export { Membership } from "./membership/membership.ts";
export { MEMO } from "./membership/memo.ts";
export { idOf } from "./membership/name.ts";
export { Own } from "./membership/own.ts";
export { Swaps } from "./membership/swaps.ts";
export { Dials } from "./node/dials.ts";
export type { GossipEffect, GossipEvent, NodeEffect, NodeEvent } from "./node/event.ts";
export type { Gossip } from "./node/gossip.ts";
export { type Hearing, hear } from "./node/hearing.ts";
export * as journal from "./node/journal.ts";
export { Loss } from "./node/loss.ts";
export { Node } from "./node/node.ts";
export { Places } from "./node/places.ts";
export { queued, ReportQueue, reported } from "./node/reportQueue.ts";
export { Scores } from "./node/scores.ts";
export { chosen, settled } from "./sdk/choiceEntries.ts";
export type { ChooseOptions } from "./sdk/chooseOptions.ts";
export { DEFAULT_TICK } from "./sdk/defaults.ts";
export type { ExploreOptions } from "./sdk/explore.ts";
export { Ledger } from "./sdk/ledger.ts";
export { pack, unpack } from "./sdk/portable.ts";
export type { TokenAnswer } from "./sdk/reports.ts";
export type { RewardOptions } from "./sdk/rewards.ts";
export type { RewardAnswer } from "./sdk/settling.ts";
export { sha256 } from "./sha256.ts";
export type { Backend, Contents, KeyChange } from "./store/backend.ts";
export { durable } from "./store/durable.ts";
export type { Upgraded } from "./store/folder/upgrade.ts";
export type { MemoryDisk } from "./store/memory.ts";
export { memoryBackend } from "./store/memory.ts";
export { type Hash, read as readStoreRecord, write as writeStoreRecord } from "./store/record.ts";
export { recover } from "./store/recover.ts";
export type { Entry, Recovered, Store } from "./store/store.ts";
export { readToken, writeToken } from "./token/token.ts";
