import { ConfigError, check, type PeerId } from "@coterie/core";

/** Whom a peer has to do with: as a partner, and as the origin of records that others pass on. */
export interface PeersOptions {
  /** Only these, where given. */
  readonly allow?: readonly PeerId[];
  /** Not these, even where they are allowed. */
  readonly deny?: readonly PeerId[];
}

export type Admits = (peer: PeerId) => boolean;

export function parsePeers(options: PeersOptions | undefined): Admits | undefined {
  if (options === undefined) return undefined;
  const { allow, deny } = check.fields("peers", options, ["allow", "deny"]);
  const [allowed, denied] = [names("peers.allow", allow), names("peers.deny", deny)];
  return (peer) => (allowed === null || allowed.has(peer)) && denied?.has(peer) !== true;
}

function names(field: string, given: unknown): ReadonlySet<PeerId> | null {
  if (given === undefined) return null;
  if (!Array.isArray(given)) throw new ConfigError(field, given, "be a list of peers' names");
  return new Set(given.map((name, k) => check.text(`${field}[${k}]`, name)));
}
