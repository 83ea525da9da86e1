import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { ICryptoInterface } from "@libp2p/noise";
import { defaultCrypto } from "@libp2p/noise/crypto";

/** What stands before a key's 32 bytes where it is public (SPKI), and how many bytes do where it is private (PKCS #8). */
const PUBLIC = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x03, 0x21, 0x00);
const PRIVATE_BYTES = 16;

/** Private keys that were made here, by their bytes. */
const made = new WeakMap<object, KeyObject>();

/**
 * Noise's own cryptography, but for its keys: libp2p's reads the private one anew each time it is used, three times a handshake, and that takes
 * four times as long as what it is read for.
 */
export const noiseKeys: ICryptoInterface = {
  ...defaultCrypto,
  generateX25519KeyPair() {
    const { publicKey, privateKey } = generateKeyPairSync("x25519");
    const own = privateKey.export({ type: "pkcs8", format: "der" }).subarray(PRIVATE_BYTES);
    made.set(own, privateKey);
    return { publicKey: publicKey.export({ type: "spki", format: "der" }).subarray(PUBLIC.length), privateKey: own };
  },
  generateX25519SharedKey(own, other) {
    const privateKey = made.get(own);
    if (privateKey === undefined) return defaultCrypto.generateX25519SharedKey(own, other);
    const key = Buffer.concat([PUBLIC, other.subarray()]);
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key, type: "spki", format: "der" }) });
  },
};
