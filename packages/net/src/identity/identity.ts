import { ConfigError, type PeerId } from "@coterie/core";
import { generateKeyPairFromSeed, privateKeyFromRaw } from "@libp2p/crypto/keys";
import type { Ed25519PrivateKey } from "@libp2p/interface";
import { peerIdFromPrivateKey } from "@libp2p/peer-id";
import { sha256 } from "../sha256.ts";
import { subtle } from "../subtle.ts";
import { fromBase64 } from "../token/base64.ts";
import { createNotary } from "./notary.ts";
import type { Notary } from "./signature.ts";

/** The secret that a key is made of; and the key, which is that secret and the public half that follows from it. */
export const SEED_BYTES = 32;
export const PRIVATE_KEY_BYTES = 64;
/** What stands before the secret of an Ed25519 key in its PKCS #8 form (RFC 8410). */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

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
  const pair = secret.length === SEED_BYTES ? await pairFrom(secret) : keyFrom(secret);
  // What is signed says for which agreement: a record of one room is nothing in another.
  const seal = sha256(new TextEncoder().encode(`coterie record 1\n${agreement}`));
  const key = new Uint8Array(pair.raw);
  const id = peerIdFromPrivateKey(pair).toString();
  return { id, seed: key.slice(0, SEED_BYTES), key, notary: createNotary(id, pair, seal) };
}

async function pairFrom(seed: Uint8Array): Promise<Ed25519PrivateKey> {
  const half = await publicHalf(seed);
  return half === null ? generateKeyPairFromSeed("Ed25519", seed) : keyFrom(Uint8Array.from([...seed, ...half]));
}

/**
 * The public half of a key as the browser makes it beside the page, whose own thread would stand still for 15 ms. Null where the
 * browser does not know such keys.
 */
async function publicHalf(seed: Uint8Array): Promise<Uint8Array | null> {
  if (subtle === null) return null;
  try {
    const key = await subtle.importKey("pkcs8", Uint8Array.from([...PKCS8, ...seed]), "Ed25519", true, ["sign"]);
    return fromBase64((await subtle.exportKey("jwk", key)).x ?? "");
  } catch {
    return null;
  }
}

function keyFrom(raw: Uint8Array): Ed25519PrivateKey {
  const key = privateKeyFromRaw(raw);
  if (key.type !== "Ed25519") throw new ConfigError("key", key.type, "be of the kind Ed25519");
  return key;
}
