import { generateKeyPairFromSeed, publicKeyFromRaw } from "@libp2p/crypto/keys";
import type { GreetingParties } from "./proof.ts";

const utf8 = new TextEncoder();

/**
 * A room's badge: an Ed25519 key pair that follows from the room's key. Who holds the room's key can sign with it, and a hub that has
 * not that key can check the signature: those who show the same public key hold the same room key.
 */
export interface Badge {
  readonly key: Uint8Array;
  sign(occasion: GreetingParties): Promise<Uint8Array>;
}

export async function createBadge(seed: Uint8Array): Promise<Badge> {
  const pair = await generateKeyPairFromSeed("Ed25519", seed);
  return { key: pair.publicKey.raw, sign: async (occasion) => pair.sign(textOf(occasion)) };
}

export async function checkBadge(key: Uint8Array, occasion: GreetingParties, signature: Uint8Array): Promise<boolean> {
  try {
    return await publicKeyFromRaw(key).verify(textOf(occasion), signature);
  } catch {
    // No point of the curve.
    return false;
  }
}

/** Both names and both nonces, so that nobody can show what another signed. */
function textOf({ caller, answerer, callerNonce, answererNonce, room }: GreetingParties): Uint8Array {
  const names = utf8.encode(`coterie badge 1\n${caller}\n${answerer}\n`);
  return Uint8Array.of(...names, ...callerNonce, ...answererNonce, ...room);
}
