import type { PeerId } from "@coterie/core";
import { create } from "@libp2p/crypto/hmac";
import { sha256 } from "../sha256.ts";
import { type Badge, createBadge } from "./badge.ts";

const utf8 = new TextEncoder();

/** What the two sides of a greeting know of it. Noise vouches for the names, so nobody can pass on another's proof. */
export interface GreetingParties {
  readonly caller: PeerId;
  readonly answerer: PeerId;
  readonly callerNonce: Uint8Array;
  readonly answererNonce: Uint8Array;
  readonly room: Uint8Array;
}

/** Makes and checks proofs that a peer holds the room key, without showing it. */
export interface Prover {
  /** HMAC-SHA256(key, role, both names, both nonces, room): the role keeps a proof from being sent back. */
  prove(role: "caller" | "answerer", occasion: GreetingParties): Promise<Uint8Array>;
  check(role: "caller" | "answerer", occasion: GreetingParties, proof: Uint8Array): Promise<boolean>;
  /** HMAC-SHA256(key, text): what only those who hold the key can know. */
  seal(text: Uint8Array): Promise<Uint8Array>;
  /** What shows a hub that the caller holds the key of a room. */
  badge(room: Uint8Array): Promise<Badge>;
}

export async function createProver(roomKey: string): Promise<Prover> {
  const hmac = await create("SHA256", sha256(utf8.encode(`coterie room key 1\n${roomKey}`)));
  const prove: Prover["prove"] = (role, { caller, answerer, callerNonce, answererNonce, room }) => {
    const names = utf8.encode(`coterie proof 1\n${role}\n${caller}\n${answerer}\n`);
    return hmac.digest(join([names, callerNonce, answererNonce, room]));
  };
  return {
    prove,
    check: async (role, occasion, proof) => equalInConstantTime(await prove(role, occasion), proof),
    seal: async (text) => hmac.digest(text),
    badge: async (room) => createBadge(await hmac.digest(join([utf8.encode("coterie badge 1\n"), room]))),
  };
}

/**
 * What every signed entry of a room is bound to. In a room with a key only those who hold it can know this, so a good
 * signature also shows that its peer holds the key, whoever passed the entry on.
 */
export async function entrySeal(
  prover: Prover | null,
  { room, agreement }: { readonly room: Uint8Array; readonly agreement: Uint8Array },
): Promise<Uint8Array> {
  const text = join([utf8.encode("coterie entry 1\n"), room, agreement]);
  return prover === null ? sha256(text) : prover.seal(text);
}

/** The name of a room as strangers see it. */
export const roomDigest = (name: string): Uint8Array => digest(`coterie room 1\n${name}`);

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    all.set(part, at);
    return at + part.length;
  }, 0);
  return all;
}

/** Takes as long wherever the two differ. */
export function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  let differs = a.length ^ b.length;
  for (let k = 0; k < a.length && k < b.length; k++) differs |= a[k]! ^ b[k]!;
  return differs === 0;
}

/** 32 bytes that stand for a text. */
export function digest(text: string): Uint8Array {
  return sha256(utf8.encode(text));
}
