import type { PeerId } from "@coterie/core";
import type { Ed25519PrivateKey } from "@libp2p/interface";
import { peerIdFromString } from "@libp2p/peer-id";
import { sameBytes } from "../bytes.ts";
import { keepNewest } from "../keep.ts";
import { type Notary, SIGNATURE_BYTES } from "./signature.ts";

/**
 * Signatures found good, or made here, by how they begin, with the text they sign. An entry reaches a peer over many ways,
 * and where many peers share a process each would check it again, at a quarter of a millisecond.
 */
const known = new Map<
  number,
  { readonly signer: PeerId; readonly signed: Uint8Array; readonly signature: Uint8Array }
>();
const MOST_KNOWN = 4096;

/** Ed25519 over the room's seal and the claim, so that an entry of one room says nothing in another. */
export function createNotary(signer: PeerId, key: Ed25519PrivateKey, seal: Uint8Array): Notary {
  const sign = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const signed = signedText(seal, bytes);
    const signature = new Uint8Array(await key.sign(signed));
    remember(signer, signed, signature);
    return signature;
  };
  return { sign, verify: createVerifier(seal) };
}

/** The half of a notary that needs no key. */
export function createVerifier(seal: Uint8Array): Notary["verify"] {
  const look = async (signer: PeerId, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> => {
    const signed = signedText(seal, bytes);
    if (!(await isGood(signer, signed, signature))) return false;
    remember(signer, signed, new Uint8Array(signature));
    return true;
  };
  return (signer, bytes, signature) => {
    const before = known.get(nameOf(signature));
    const same = before?.signer === signer && isSigned(before.signed, seal, bytes);
    return (same && sameBytes(before.signature, signature)) || look(signer, bytes, signature);
  };
}

/** What a signature is found by: its first 30 bits, which make the kind of number that takes no object. Two that begin alike only cost each other their place. */
const nameOf = (signature: Uint8Array): number =>
  signature[0]! | (signature[1]! << 8) | (signature[2]! << 16) | ((signature[3]! & 0x3f) << 24);

function remember(signer: PeerId, signed: Uint8Array, signature: Uint8Array): void {
  keepNewest(known, nameOf(signature), { signer, signed, signature }, MOST_KNOWN);
}

function signedText(seal: Uint8Array, bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(seal.length + bytes.length);
  all.set(seal);
  all.set(bytes, seal.length);
  return all;
}

/** Whether a text is `signedText` of these, without making that. */
function isSigned(text: Uint8Array, seal: Uint8Array, bytes: Uint8Array): boolean {
  return text.length === seal.length + bytes.length && hasAt(text, 0, seal) && hasAt(text, seal.length, bytes);
}

/** Compared as they lie: a view of a part would cost more than to look at it. */
function hasAt(text: Uint8Array, from: number, part: Uint8Array): boolean {
  for (let k = 0; k < part.length; k++) if (text[from + k] !== part[k]) return false;
  return true;
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
