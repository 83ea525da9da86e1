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
import { checkHeritage, readHeritage, writeHeritage } from "./heritage.ts";
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
  writeHeritage(out, learner.heritage?.() ?? null);
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

/** The state that a snapshot holds, whichever version wrote it. */
export function readSaved(config: HostConfig, saved: Uint8Array): Saved {
  const from = new Reader(saved, complain);
  const format = readFormat(from, saved);
  requireFormat(format, config.peer.policy);
  const birth = readBirth(from);
  const read = format.format === 1 ? readState1(config, birth, format, from) : readState(config, birth, format, from);
  const members = new Set<PeerId>();
  for (let left = from.u32("members"); left > 0; left--) members.add(from.text("members"));
  const annex = from.u8("annex") === 1 ? from.raw("annex", from.u32("annex")) : null;
  from.end("snapshot");
  return { birth, ...read, members, annex };
}

type State = Pick<Saved, "peer" | "exchange" | "inherited">;

function readState(config: HostConfig, birth: Birth, { layout }: Format, from: Reader): State {
  const { dimension, policy } = config.peer;
  const [round, peers] = [from.f64("round"), from.f64("peers")];
  const heritage = readHeritage(from, dimension);
  const state = from.raw("peer", from.u32("peer"));
  const exchanged = from.raw("exchange", from.u32("exchange"));
  if (layout !== layoutOf(policy)) return inherit(config, birth, heritage && { round, peers, heritage });
  const peer = restore({ ...config.peer, id: birth.id }, state);
  const exchange = exchangeOf(config, peer);
  const rest = new Reader(exchanged, complain);
  exchange?.read(rest);
  rest.end("exchange");
  return { peer, exchange, inherited: false };
}

function readState1(config: HostConfig, birth: Birth, { layout }: Format, from: Reader): State {
  const state = from.raw("peer", from.u32("peer"));
  const same = layout === layoutOf(config.peer.policy);
  const peer = same ? restore({ ...config.peer, id: birth.id }, state) : createPeer({ ...config.peer, id: birth.id });
  const exchange = exchangeOf(config, peer);
  exchange?.read(from);
  return same ? { peer, exchange, inherited: false } : inherit(config, birth, heritageOfVersion1(state, config.peer));
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
