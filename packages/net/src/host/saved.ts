import { ConfigError, check, fromSnapshot, initialPeer, type Peer, Reader, Writer } from "@coterie/core";
import { checkHeritage, writeSnapshot } from "@coterie/core/internal";
import { createExchange, type Exchange } from "../exchange/exchange.ts";
import { heritageBytes, readHeritage } from "../node/heritage.ts";
import type { Life } from "../node/journal.ts";
import { Loss } from "../node/loss.ts";
import { Places } from "../node/places.ts";
import { ReportQueue } from "../node/reportQueue.ts";
import { type Birth, readBirth, writeBirth } from "./birth.ts";
import { complain } from "./complain.ts";
import type { Earlier, HostConfig } from "./config.ts";
import { type Format, layoutOf, readFormat, requireFormat, writeFormat } from "./format.ts";
import { exchangeOfVersion1, heritageOfVersion1, type Left } from "./version1.ts";

/** What a snapshot keeps. */
export interface Saved extends Life {
  readonly birth: Birth;
  readonly annex: Uint8Array | null;
  /** Whether the learner wrote another layout, so that the peer goes on from its heritage alone. */
  readonly inherited: boolean;
}

/** `annex` in place of the one that was read: it has a life of its own since then. `secret`: with the peer's key; `room`: for how many bytes, as far as is known. */
export function writeSaved(
  { birth, peer, exchange, loss, places, queue }: Omit<Saved, "annex" | "inherited">,
  annex: Uint8Array | null,
  secret: boolean,
  room?: number,
): Uint8Array {
  const { learner, config } = peer;
  const out = new Writer(room);
  writeFormat(out, config.policy);
  writeBirth(out, birth, secret);
  out.f64(peer.round);
  out.f64(peer.peers);
  part(out, heritageBytes(learner.heritage?.() ?? null));
  out.part(() => writeSnapshot(out, peer));
  part(out, exchange === null ? new Uint8Array() : bytesOf(exchange));
  out.u8(annex === null ? 0 : 1);
  if (annex !== null) part(out, annex);
  part(out, heritageBytes(loss.left));
  out.f64(loss.date);
  // Where others are is for this peer's own disk alone, as its key is.
  (secret ? places : new Places()).write(out);
  part(out, queue.save());
  return out.bytes();
}

function part(out: Writer, bytes: Uint8Array): void {
  out.u32(bytes.length);
  out.raw(bytes);
}

function bytesOf(exchange: Exchange): Uint8Array {
  const out = new Writer();
  exchange.write(out);
  return out.bytes();
}

/** A state to begin with. `inherited`: entries of another layout follow. */
export function freshSaved(config: HostConfig, birth: Birth, inherited = false): Saved {
  const peer = initialPeer({ ...config.peer, id: birth.id });
  return {
    birth,
    peer,
    exchange: exchangeOf(config, peer),
    loss: new Loss(),
    places: new Places(),
    queue: new ReportQueue(),
    annex: null,
    inherited,
  };
}

/**
 * The state that a snapshot holds, whichever version wrote it. `load` gets the annex first: it knows what the app agreed to,
 * and says so better than a state that does not fit other features. `anew`: only the learner's heritage is good.
 */
export function readSaved(
  config: HostConfig,
  saved: Uint8Array,
  load: (annex: Uint8Array, format: number) => void = () => {},
  anew = false,
): Saved {
  const from = new Reader(saved, complain);
  const format = readFormat(from, saved);
  requireFormat(format, config.peer.policy);
  const birth = readBirth(from);
  const state =
    format.format === 1
      ? readState1(config, birth, format, from, saved)
      : stateOf(config, birth, format, readParts(from), anew);
  const { annex, lost, date, places, reports } = readRest(from, format);
  if (annex !== null) load(annex, format.format);
  const { peer, exchange, inherited } = state();
  const loss = new Loss();
  const left = readHeritage(lost, config.peer.dimension);
  loss.resume(peer, left && checkHeritage(left, config.peer.dimension), date);
  return { birth, peer, exchange, inherited, loss, places, queue: queueOf(reports), annex };
}

function queueOf(reports: Uint8Array | null): ReportQueue {
  const queue = new ReportQueue();
  if (reports === null) return queue;
  const from = new Reader(reports, complain);
  queue.load(from);
  from.end("reports");
  return queue;
}

/** What a snapshot keeps beside the peer; null where that cannot be told without the peer itself. */
export function annexOf(saved: Uint8Array): Uint8Array | null {
  const from = new Reader(saved, complain);
  const format = readFormat(from, saved);
  if (format.format === 1) return null;
  readBirth(from);
  readParts(from);
  return readRest(from, format).annex;
}

/** A peer that knows what `saved` has seen itself, under other terms: `carry` says what that is now. */
export function carried(config: HostConfig, saved: Saved, { carry, refusal }: Earlier): Saved {
  const heritage = saved.peer.learner.heritage?.();
  if (heritage === undefined) throw refusal();
  const { round, peers } = saved.peer;
  const state = inherit(config, saved.birth, { round, peers, heritage: carry(heritage) });
  // Of a loss nothing is asked any more: others hold what was lost under the old terms.
  return { ...saved, ...state, loss: new Loss() };
}

/** What follows the peer in a snapshot. */
interface Rest {
  readonly annex: Uint8Array | null;
  readonly lost: Uint8Array;
  readonly date: number;
  readonly places: Places;
  /** Null before format 6. */
  readonly reports: Uint8Array | null;
}

function readRest(from: Reader, format: Format): Rest {
  // Up to format 3 it was kept who was there.
  if (format.format < 4) for (let left = from.u32("members"); left > 0; left--) from.text("members");
  const annex = from.u8("annex") === 1 ? from.raw("annex", from.u32("annex")) : null;
  const lost = format.format < 3 ? new Uint8Array() : from.raw("lost", from.u32("lost"));
  const date = format.format < 3 ? 0 : from.f64("lost");
  const places = new Places();
  if (format.format >= 5) places.read(from);
  const reports = format.format < 6 ? null : from.raw("reports", from.u32("reports"));
  from.end("snapshot");
  return { annex, lost, date, places, reports };
}

type State = Pick<Saved, "peer" | "exchange" | "inherited">;

/** A state as it lies in a snapshot. */
interface Parts {
  readonly round: number;
  readonly peers: number;
  readonly heritage: Uint8Array;
  readonly state: Uint8Array;
  readonly exchanged: Uint8Array;
}

function readParts(from: Reader): Parts {
  const [round, peers] = [from.f64("round"), from.f64("peers")];
  const heritage = from.raw("heritage", from.u32("heritage"));
  const state = from.raw("peer", from.u32("peer"));
  return { round, peers, heritage, state, exchanged: from.raw("exchange", from.u32("exchange")) };
}

/** What comes of the parts is made when it is asked for. */
function stateOf(
  config: HostConfig,
  birth: Birth,
  { format, layout }: Format,
  parts: Parts,
  anew: boolean,
): () => State {
  const { round, peers } = parts;
  return () => {
    if (layout === layoutOf(config.peer.policy) && !anew) return restored(config, birth, format, parts);
    const left = readHeritage(parts.heritage, config.peer.dimension);
    return inherit(config, birth, left && { round, peers, heritage: left });
  };
}

function restored(
  config: HostConfig,
  birth: Birth,
  format: number,
  { state, exchanged }: Pick<Parts, "state" | "exchanged">,
): State {
  const peer = fromSnapshot({ ...config.peer, id: birth.id }, state);
  const exchange = exchangeOf(config, peer);
  // Up to format 6 programs wrote there what averages need, and of records it meant nothing.
  if (config.peer.policy.delivery === "newest" && format < 7) return { peer, exchange, inherited: false };
  const rest = new Reader(exchanged, complain);
  exchange?.read(rest);
  rest.end("exchange");
  return { peer, exchange, inherited: false };
}

function readState1(
  config: HostConfig,
  birth: Birth,
  { format, layout }: Format,
  from: Reader,
  saved: Uint8Array,
): () => State {
  const state = from.raw("peer", from.u32("peer"));
  const exchanged = exchangeOfVersion1(from, saved, state);
  return () =>
    layout === layoutOf(config.peer.policy)
      ? restored(config, birth, format, { state, exchanged })
      : inherit(config, birth, heritageOfVersion1(state, config.peer));
}

/** A peer that knows what it has seen itself, and nothing of others. */
function inherit(config: HostConfig, birth: Birth, left: Left | null): State {
  const { peer, exchange } = freshSaved(config, birth);
  const { learner } = peer;
  if (left === null || learner.inherit === undefined) {
    throw new ConfigError("snapshot: layout", "another one", "be the one that this policy writes");
  }
  peer.round = check.whole("snapshot: round", left.round, 1);
  peer.peers = check.whole("snapshot: peers", left.peers, 1);
  learner.resize(left.peers);
  learner.inherit(checkHeritage(left.heritage, config.peer.dimension));
  return { peer, exchange, inherited: true };
}

function exchangeOf({ agreement, limits, patience }: HostConfig, peer: Peer): Exchange | null {
  return createExchange({ peer, agreement, limits, patience });
}
