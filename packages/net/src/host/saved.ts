import { createPeer, type Peer, type PeerId, Reader, restore, snapshot, Writer } from "@coterie/core";
import { Exchange } from "../exchange/exchange.ts";
import { type Birth, complain, readBirth, writeBirth } from "./birth.ts";
import type { HostConfig } from "./config.ts";

/** What a snapshot keeps. */
export interface Saved {
  readonly birth: Birth;
  readonly peer: Peer;
  readonly exchange: Exchange | null;
  readonly members: Set<PeerId>;
  readonly annex: Uint8Array | null;
}

/** `annex` in place of the one that was read: it has a life of its own since then. `secret`: with the peer's key. */
export function writeSaved(
  { birth, peer, exchange, members }: Saved,
  annex: Uint8Array | null,
  secret: boolean,
): Uint8Array {
  const out = new Writer();
  const state = snapshot(peer);
  writeBirth(out, birth, secret);
  out.u32(state.length);
  out.raw(state);
  exchange?.write(out);
  out.u32(members.size);
  for (const member of members) out.text(member);
  out.u8(annex === null ? 0 : 1);
  if (annex !== null) {
    out.u32(annex.length);
    out.raw(annex);
  }
  return out.bytes();
}

/** A state to begin with. */
export function freshSaved(config: HostConfig, birth: Birth): Saved {
  const peer = createPeer({ ...config.peer, id: birth.id });
  return { birth, peer, exchange: exchangeOf(config, peer), members: new Set(), annex: null };
}

/** The state that a snapshot holds. */
export function readSaved(config: HostConfig, saved: Uint8Array): Saved {
  const from = new Reader(saved, complain);
  const birth = readBirth(from);
  const peer = restore({ ...config.peer, id: birth.id }, from.raw("peer", from.u32("peer")));
  const exchange = exchangeOf(config, peer);
  exchange?.read(from);
  const members = new Set<PeerId>();
  for (let left = from.u32("members"); left > 0; left--) members.add(from.text("members"));
  const annex = from.u8("annex") === 1 ? from.raw("annex", from.u32("annex")) : null;
  from.end("snapshot");
  return { birth, peer, exchange, members, annex };
}

function exchangeOf({ agreement, limits }: HostConfig, peer: Peer): Exchange | null {
  return peer.config.policy.codec === null ? null : new Exchange({ peer, agreement, limits });
}
