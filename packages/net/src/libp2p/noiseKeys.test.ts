import { pureJsCrypto } from "@libp2p/noise";
import { expect, it } from "vitest";
import { noiseKeys } from "./noiseKeys.ts";

it("agrees with others on a key, with pairs of its own and with those made elsewhere", () => {
  const [own, other] = [noiseKeys.generateX25519KeyPair(), pureJsCrypto.generateX25519KeyPair()];
  expect([own.publicKey.length, own.privateKey.length]).toEqual([32, 32]);
  const theirs = pureJsCrypto.generateX25519SharedKey(other.privateKey, own.publicKey);
  expect([...noiseKeys.generateX25519SharedKey(own.privateKey, other.publicKey)]).toEqual([...theirs]);
  const elsewhere = noiseKeys.generateX25519SharedKey(other.privateKey.subarray(), own.publicKey);
  expect([...elsewhere]).toEqual([...theirs]);
});

it("takes no key that is on no curve of its own", () => {
  const { privateKey } = noiseKeys.generateX25519KeyPair();
  expect(() => noiseKeys.generateX25519SharedKey(privateKey, new Uint8Array(32))).toThrow();
  expect(() => noiseKeys.generateX25519SharedKey(privateKey, new Uint8Array(31))).toThrow();
});
