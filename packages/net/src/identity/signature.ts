import type { PeerId } from "@coterie/core";

/** Of an Ed25519 signature. */
export const SIGNATURE_BYTES = 64;

/** Signs what a peer says of itself and checks what others say; a host has the keys. */
export interface Notary {
  sign(bytes: Uint8Array): Promise<Uint8Array>;
  /** False for a bad signature, and for a name that is none. At once where it was checked before. */
  verify(signer: PeerId, bytes: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}
