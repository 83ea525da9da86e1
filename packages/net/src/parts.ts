/** The parts below the SDK, for those who drive or check them one by one: the fault simulation, suites, inspectors. */

export { type Arrival, type Draft, Exchange, type ExchangeRecord, type Flight } from "./exchange/exchange.ts";
export { Leaps } from "./exchange/leaps.ts";
export { decodeAnswer, decodeProposal, encodeAnswer, encodeProposal, type Verdict } from "./exchange/message.ts";
export { recordsIn, withRecords } from "./exchange/records.ts";
export { type HostConfig, type HostEvent, PeerHost, type TickOutcome } from "./host/host.ts";
export * as journal from "./host/journal.ts";
export { Keeper } from "./host/keeper.ts";
export { freshSaved, readSaved, writeSaved } from "./host/saved.ts";
export { type Identity, identityFrom } from "./identity/identity.ts";
export { decodeGreeting, encodeGreeting, requests, responses } from "./libp2p/frames.ts";
export { decodeClaim, encodeClaim, reader, readNews, writeNews } from "./membership/codec.ts";
export * from "./membership/index.ts";
export { chosen, Ledger, settled } from "./sdk/ledger.ts";
export { pack, unpack } from "./sdk/portable.ts";
export { sha256 } from "./sha256.ts";
export { durable } from "./store/durable.ts";
export { memoryShelf } from "./store/memory.ts";
export { type Hash, read as readStoreRecord, write as writeStoreRecord } from "./store/record.ts";
export { recover } from "./store/recover.ts";
export type { Change, Contents, Shelf } from "./store/shelf.ts";
export type { Entry, Recovered, Store } from "./store/store.ts";
