import { generateKeyPairFromSeed } from "@libp2p/crypto/keys";
import { peerIdFromPrivateKey, peerIdFromString } from "@libp2p/peer-id";
import { afterEach, expect, it, vi } from "vitest";
import { createVerifier } from "./notary.ts";

const SEAL = new Uint8Array(32).fill(5);

/** Signs as a peer of another process does, so that nothing is remembered here. */
async function stranger(seed: number) {
  const key = await generateKeyPairFromSeed("Ed25519", new Uint8Array(32).fill(seed));
  const sign = async (bytes: Uint8Array) => new Uint8Array(await key.sign(Uint8Array.from([...SEAL, ...bytes])));
  const id = peerIdFromPrivateKey(key).toString();
  const { publicKey } = peerIdFromString(id) as { publicKey: { verify: unknown } };
  const checks = vi.spyOn(Object.getPrototypeOf(publicKey) as { verify(): unknown }, "verify");
  return { id, sign, checks };
}

afterEach(() => vi.restoreAllMocks());

it("checks a signature once per version, however many copies come and whoever of the process asks", async () => {
  const { id, sign, checks } = await stranger(7);
  const [first, second] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)];
  const [one, two] = [await sign(first), await sign(second)];
  for (let copy = 0; copy < 5; copy++) expect(await createVerifier(SEAL)(id, first.slice(), one.slice())).toBe(true);
  expect(checks).toHaveBeenCalledTimes(1);
  expect(await createVerifier(SEAL)(id, second, two)).toBe(true);
  expect(await createVerifier(SEAL)(id, first, one)).toBe(true);
  expect(checks).toHaveBeenCalledTimes(2);
});

it("believes no copy that differs in a byte, in its room or in its signer because another one was good", async () => {
  const { id, sign, checks } = await stranger(8);
  const other = (await stranger(9)).id;
  const said = Uint8Array.of(9, 9, 9);
  const signature = await sign(said);
  const verify = createVerifier(SEAL);
  expect(await verify(id, said, signature)).toBe(true);
  // Of the last bytes, which are not part of what it is remembered by.
  const turned = signature.slice();
  turned[63]! ^= 1;
  const copies = [
    await verify(id, Uint8Array.of(9, 9, 8), signature),
    await verify(id, said, turned),
    await verify(other, said, signature),
    await createVerifier(new Uint8Array(32))(id, said, signature),
  ];
  expect(copies).toEqual([false, false, false, false]);
  expect(await verify(id, said, signature)).toBe(true);
  expect(checks).toHaveBeenCalledTimes(5);
});
