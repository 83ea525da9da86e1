import {
  ConfigError,
  check,
  createPeer,
  type Peer,
  type PeerId,
  Reader,
  restore,
  snapshot,
  Writer,
} from "@coterie/core";
import { Exchange } from "../exchange/exchange.ts";
import { type Birth, readBirth, writeBirth } from "./birth.ts";
import { complain } from "./complain.ts";
import type { HostConfig } from "./config.ts";
import { type Format, layoutOf, readFormat, requireFormat, writeFormat } from "./format.ts";
import { checkHeritage, heritageBytes, readHeritage } from "./heritage.ts";
import { heritageOfVersion1, type Left } from "./version1.ts";

/** What a snapshot keeps. */
export interface Saved {
  readonly birth: Birth;
  readonly peer: Peer;
  readonly exchange: Exchange | null;
  readonly members: Set<PeerId>;
  readonly annex: Uint8Array | null;
  /** Whether the learner wrote another layout, so that the peer goes on from its heritage alone. */
  readonly inherited: boolean;
}

/** `annex` in place of the one that was read: it has a life of its own since then. `secret`: with the peer's key. */
export function writeSaved(
  { birth, peer, exchange, members }: Omit<Saved, "annex" | "inherited">,
  annex: Uint8Array | null,
  secret: boolean,
): Uint8Array {
  const out = new Writer();
  const { learner, config } = peer;
  writeFormat(out, config.policy);
  writeBirth(out, birth, secret);
  out.f64(peer.round);
  out.f64(peer.peers);
  part(out, heritageBytes(learner.heritage?.() ?? null));
  part(out, snapshot(peer));
  part(out, exchange === null ? new Uint8Array() : bytesOf(exchange));
  out.u32(members.size);
  for (const member of members) out.text(member);
  out.u8(annex === null ? 0 : 1);
  if (annex !== null) part(out, annex);
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
  const peer = createPeer({ ...config.peer, id: birth.id });
  return { birth, peer, exchange: exchangeOf(config, peer), members: new Set(), annex: null, inherited };
}

/**
 * The state that a snapshot holds, whichever version wrote it. `load` gets the annex first: it knows what the app agreed to,
 * and says so better than a state that does not fit other features.
 */
export function readSaved(config: HostConfig, saved: Uint8Array, load: (annex: Uint8Array) => void = () => {}): Saved {
  const from = new Reader(saved, complain);
  const format = readFormat(from, saved);
  requireFormat(format, config.peer.policy);
  const birth = readBirth(from);
  const state = format.format === 1 ? readState1(config, birth, format, from) : readParts(config, birth, format, from);
  const members = new Set<PeerId>();
  for (let left = from.u32("members"); left > 0; left--) members.add(from.text("members"));
  const annex = from.u8("annex") === 1 ? from.raw("annex", from.u32("annex")) : null;
  from.end("snapshot");
  if (annex !== null) load(annex);
  return { birth, ...state(), members, annex };
}

type State = Pick<Saved, "peer" | "exchange" | "inherited">;

/** Reads the parts of a state; what comes of them is made when it is asked for. */
function readParts(config: HostConfig, birth: Birth, { layout }: Format, from: Reader): () => State {
  const [round, peers] = [from.f64("round"), from.f64("peers")];
  const heritage = from.raw("heritage", from.u32("heritage"));
  const state = from.raw("peer", from.u32("peer"));
  const exchanged = from.raw("exchange", from.u32("exchange"));
  return () => {
    if (layout === layoutOf(config.peer.policy)) return restored(config, birth, state, exchanged);
    const left = readHeritage(heritage, config.peer.dimension);
    return inherit(config, birth, left && { round, peers, heritage: left });
  };
}

function restored(config: HostConfig, birth: Birth, state: Uint8Array, exchanged: Uint8Array): State {
  const peer = restore({ ...config.peer, id: birth.id }, state);
  const exchange = exchangeOf(config, peer);
  const rest = new Reader(exchanged, complain);
  exchange?.read(rest);
  rest.end("exchange");
  return { peer, exchange, inherited: false };
}

/** Version 1 does not say how long the exchange is: it has to be read before what follows it. */
function readState1(config: HostConfig, birth: Birth, { layout }: Format, from: Reader): () => State {
  const state = from.raw("peer", from.u32("peer"));
  const same = layout === layoutOf(config.peer.policy);
  const peer = same ? restore({ ...config.peer, id: birth.id }, state) : createPeer({ ...config.peer, id: birth.id });
  const exchange = exchangeOf(config, peer);
  exchange?.read(from);
  return () =>
    same ? { peer, exchange, inherited: false } : inherit(config, birth, heritageOfVersion1(state, config.peer));
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
  learner.inherit(checkHeritage(left.heritage));
  return { peer, exchange, inherited: true };
}

function exchangeOf({ agreement, limits }: HostConfig, peer: Peer): Exchange | null {
  return peer.config.policy.codec === null ? null : new Exchange({ peer, agreement, limits });
}
