import { ConfigError, type PeerId } from "@coterie/core";
import { generateKeyPairFromSeed, privateKeyFromRaw } from "@libp2p/crypto/keys";
import type { Ed25519PrivateKey } from "@libp2p/interface";
import { peerIdFromPrivateKey } from "@libp2p/peer-id";
import { sha256 } from "../sha256.ts";
import { createNotary } from "./notary.ts";
import type { Notary } from "./signature.ts";

/** The secret that a key is made of; and the key, which is that secret and the public half that follows from it. */
export const SEED_BYTES = 32;
export const PRIVATE_KEY_BYTES = 64;

/** Who a peer is: a name that proves itself, since it is the id of a public key, and what is signed under it. */
export interface Identity {
  readonly id: PeerId;
  readonly seed: Uint8Array;
  readonly key: Uint8Array;
  /** Signs with the key, and checks the signatures of others against their names. */
  readonly notary: Notary;
}

/** From a seed that was drawn, or from the key: the public half takes a millisecond to make, so it is kept. */
export async function identityFrom(secret: Uint8Array, agreement: string): Promise<Identity> {
  const pair = secret.length === SEED_BYTES ? await generateKeyPairFromSeed("Ed25519", secret) : keyFrom(secret);
  // What is signed says for which agreement: a record of one room is nothing in another.
  const seal = sha256(new TextEncoder().encode(`coterie record 1\n${agreement}`));
  const key = new Uint8Array(pair.raw);
  const id = peerIdFromPrivateKey(pair).toString();
  return { id, seed: key.slice(0, SEED_BYTES), key, notary: createNotary(id, pair, seal) };
}

function keyFrom(raw: Uint8Array): Ed25519PrivateKey {
  const key = privateKeyFromRaw(raw);
  if (key.type !== "Ed25519") throw new ConfigError("key", key.type, "be of the kind Ed25519");
  return key;
}
