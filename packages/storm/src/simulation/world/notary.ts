import type * as parts from "@coterie/net/internal";

/**
 * Signatures that cost nothing and wait for nothing: a tag that only this process can make, for the time of a run. What
 * is tested is what becomes of good and bad ones, not the cryptography.
 */
export function notaryOf(self: string): parts.Notary {
  return {
    sign: async (bytes) => {
      const signature = new Uint8Array(SIGNATURE_BYTES);
      const tag = tagOf(self, bytes);
      for (let i = 0; i < 4; i++) signature[i] = tag >>> (8 * i);
      return signature;
    },
    verify: async (signer, bytes, signature) => {
      if (signature.length !== SIGNATURE_BYTES) return false;
      const tag = tagOf(signer, bytes);
      for (let i = 0; i < SIGNATURE_BYTES; i++) {
        if (signature[i] !== (i < 4 ? (tag >>> (8 * i)) & 0xff : 0)) return false;
      }
      return true;
    },
  };
}

const SIGNATURE_BYTES = 64;

function tagOf(signer: string, bytes: Uint8Array): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < signer.length; i++) h = Math.imul(h ^ signer.charCodeAt(i), 0x01000193);
  for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i]!, 0x01000193);
  return h;
}
