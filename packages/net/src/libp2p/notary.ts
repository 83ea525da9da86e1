import type { PeerId } from "@coterie/core";
import type { Ed25519PrivateKey } from "@libp2p/interface";
import { peerIdFromString } from "@libp2p/peer-id";
import { SIGNATURE_BYTES } from "../membership/codec.ts";
import type { Notary } from "../membership/receive.ts";
import { sameBytes } from "./proof.ts";

/**
 * Signatures found good, by themselves, with the text they sign. An entry reaches a peer over many ways, and where many
 * peers share a process each would check it again, at a quarter of a millisecond.
 */
const known = new Map<string, Uint8Array>();
const MOST_KNOWN = 4096;

/** Ed25519 over the room's digest and the claim, so that an entry of one room says nothing in another. */
export function createNotary(key: Ed25519PrivateKey, room: Uint8Array): Notary {
  const text = (bytes: Uint8Array): Uint8Array => {
    const all = new Uint8Array(room.length + bytes.length);
    all.set(room);
    all.set(bytes, room.length);
    return all;
  };
  return {
    sign: async (bytes) => new Uint8Array(await key.sign(text(bytes))),
    verify: async (signer, bytes, signature) => {
      const name = `${signer} ${String.fromCharCode(...signature)}`;
      const signed = text(bytes);
      const before = known.get(name);
      if (before !== undefined && sameBytes(before, signed)) return true;
      if (!(await isGood(signer, signed, signature))) return false;
      known.set(name, signed);
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
      return true;
    },
  };
}

async function isGood(signer: PeerId, signed: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    // An Ed25519 name is its public key; one that is not is nobody's here.
    const { publicKey, type } = peerIdFromString(signer);
    return type === "Ed25519" && (await publicKey.verify(signed, signature));
  } catch {
    return false;
  }
}
