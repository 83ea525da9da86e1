import type * as parts from "@coterie/net/internal";

/**
 * Signatures that cost nothing and wait for nothing: a tag that only this process can make, for the time of a run. What
 * is tested is what becomes of good and bad ones, not the cryptography.
 */
export function notaryOf(self: string): parts.Notary {
  return {
    sign: async (bytes) => tag(self, bytes),
    verify: async (signer, bytes, signature) => {
      const good = tag(signer, bytes);
      return signature.length === good.length && signature.every((byte, i) => byte === good[i]);
    },
  };
}

function tag(signer: string, bytes: Uint8Array): Uint8Array {
  let h = 0x811c9dc5;
  for (let i = 0; i < signer.length; i++) h = Math.imul(h ^ signer.charCodeAt(i), 0x01000193);
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  const out = new Uint8Array(64);
  for (let i = 0; i < 4; i++) out[i] = h >>> (8 * i);
  return out;
}
