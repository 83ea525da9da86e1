import type { PeerId } from "@coterie/core";
import { create } from "@libp2p/crypto/hmac";
import { sha256 } from "../sha256.ts";
import { TOKEN_BYTES } from "./frames.ts";

const utf8 = new TextEncoder();

/** What the two sides of a greeting know of it. Noise vouches for the names, so nobody can pass on another's proof. */
export interface Occasion {
  readonly caller: PeerId;
  readonly answerer: PeerId;
  readonly callerNonce: Uint8Array;
  readonly answererNonce: Uint8Array;
  readonly room: Uint8Array;
}

/** Makes and checks proofs that a peer holds the room key, without showing it. */
export interface Prover {
  /** HMAC-SHA256(key, role, both names, both nonces, room): the role keeps a proof from being sent back. */
  prove(role: "caller" | "answerer", occasion: Occasion): Promise<Uint8Array>;
  check(role: "caller" | "answerer", occasion: Occasion, proof: Uint8Array): Promise<boolean>;
}

export async function createProver(roomKey: string): Promise<Prover> {
  const hmac = await create("SHA256", sha256(utf8.encode(`coterie room key 1\n${roomKey}`)));
  const prove: Prover["prove"] = (role, { caller, answerer, callerNonce, answererNonce, room }) => {
    const names = utf8.encode(`coterie proof 1\n${role}\n${caller}\n${answerer}\n`);
    const text = new Uint8Array(names.length + 3 * TOKEN_BYTES);
    [names, callerNonce, answererNonce, room].reduce((at, part) => {
      text.set(part, at);
      return at + part.length;
    }, 0);
    return hmac.digest(text);
  };
  return { prove, check: async (role, occasion, proof) => sameBytes(await prove(role, occasion), proof) };
}

/** Takes as long wherever the two differ. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let differs = a.length ^ b.length;
  for (let k = 0; k < a.length && k < b.length; k++) differs |= a[k]! ^ b[k]!;
  return differs === 0;
}

/** 32 bytes that stand for a text. */
export function digest(text: string): Uint8Array {
  return sha256(utf8.encode(text));
}
