import { ConfigError, createPeer, type Peer, type PeerId, Reader, restore, snapshot, Writer } from "@coterie/core";
import { Exchange } from "../exchange/exchange.ts";
import type { HostConfig } from "./config.ts";

/** What a snapshot keeps. */
export interface Saved {
  readonly peer: Peer;
  readonly exchange: Exchange | null;
  readonly members: Set<PeerId>;
  readonly annex: Uint8Array | null;
}

/** `annex` in place of the one that was read: it has a life of its own since then. */
export function writeSaved({ peer, exchange, members }: Saved, annex: Uint8Array | null): Uint8Array {
  const out = new Writer();
  const state = snapshot(peer);
  out.text(peer.config.id);
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

/** The state that a snapshot holds, or one to begin with. */
export function readSaved(config: HostConfig, saved: Uint8Array | null): Saved {
  const from =
    saved === null ? null : new Reader(saved, (_, field, value, bound) => new ConfigError(field, value, bound));
  // The name it was born with: what it publishes goes by it, however it is called on the network since.
  const born = from === null ? config.peer : { ...config.peer, id: from.text("id") };
  const peer = from === null ? createPeer(born) : restore(born, from.raw("peer", from.u32("peer")));
  const { agreement, limits } = config;
  const exchange = config.peer.policy.codec === null ? null : new Exchange({ peer, agreement, limits });
  const members = new Set<PeerId>();
  if (from === null) return { peer, exchange, members, annex: null };
  exchange?.read(from);
  for (let left = from.u32("members"); left > 0; left--) members.add(from.text("members"));
  const annex = from.u8("annex") === 1 ? from.raw("annex", from.u32("annex")) : null;
  from.end("snapshot");
  return { peer, exchange, members, annex };
}
