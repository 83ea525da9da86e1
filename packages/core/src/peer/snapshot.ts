import { ConfigError, InvariantError } from "../errors.ts";
import { Reader, Writer } from "../numbers/bytes.ts";
import { whole } from "../options.ts";
import { initialPeer, type Peer, type PeerConfig } from "./peer.ts";

/** "CSNP" and the version of this layout. A snapshot of another version is refused, never guessed at. */
const MAGIC = 0x504e5343;
const VERSION = 1;

/** Everything a peer's future depends on: `restore(peer.config, snapshot(peer))` goes on bit for bit. */
export function snapshot(peer: Peer): Uint8Array {
  const out = new Writer();
  writeSnapshot(out, peer);
  return out.bytes();
}

/** The same behind what else is written. */
export function writeSnapshot(out: Writer, peer: Peer): void {
  out.u32(MAGIC);
  out.u32(VERSION);
  out.text(identity(peer.config));
  out.f64(peer.round);
  out.f64(peer.peers);
  out.u8((peer.waiting ? 1 : 0) + (peer.settled ? 2 : 0));
  out.f64s(peer.chosen);
  peer.learner.write(out);
}

/** A peer as it was. The config must be the one it was made with. */
export function fromSnapshot(config: PeerConfig, bytes: Uint8Array): Peer {
  const from = new Reader(bytes, (_, field, value, bound) => new ConfigError(`snapshot: ${field}`, value, bound));
  const magic = from.u32("magic");
  if (magic !== MAGIC) throw new ConfigError("snapshot: magic", magic, "mark a peer's snapshot");
  const version = from.u32("version");
  if (version !== VERSION) throw new ConfigError("snapshot: version", version, `be ${VERSION}`);
  const made = from.text("config");
  if (made !== identity(config)) throw new ConfigError("snapshot: config", made, `be ${identity(config)}`);
  const peer = initialPeer(config);
  peer.round = whole("snapshot: round", from.f64("round"), 1);
  peer.peers = whole("snapshot: peers", from.f64("peers"), 1);
  const flags = whole("snapshot: flags", from.u8("flags"), 0, 3);
  peer.waiting = (flags & 1) !== 0;
  peer.settled = (flags & 2) !== 0;
  from.f64s("chosen", peer.chosen);
  peer.learner.resize(peer.peers);
  readLearner(peer, from);
  from.end("snapshot");
  return peer;
}

/** Numbers that no observations sum up to are the snapshot's fault, not ours. */
function readLearner({ learner }: Peer, from: Reader): void {
  try {
    learner.read(from);
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    throw new ConfigError("snapshot: sums", error.message, "be those of observations");
  }
}

/**
 * What must agree between a snapshot and the config it is restored with. Whether a peer is wary need not: a room may get
 * a key, and a peer may be opened without its network.
 */
function identity(config: PeerConfig): string {
  const { id, dimension, policy } = config;
  const { kind, layout } = policy;
  return JSON.stringify({ id, dimension, kind, options: { ...policy.options, wary: undefined }, layout });
}
