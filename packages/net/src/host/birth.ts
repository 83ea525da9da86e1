import { type PeerId, Reader, Writer } from "@coterie/core";
import { PRIVATE_KEY_BYTES } from "../identity/identity.ts";
import type { Entry, Recovered } from "../store/store.ts";
import { complain } from "./complain.ts";
import { readFormat } from "./format.ts";

/** What a peer is from its first moment on. */
export interface Birth {
  /** The name it publishes under, however it is called on the network since. */
  readonly id: PeerId;
  /** What it signs with; null where nothing is signed. */
  readonly key: Uint8Array | null;
}

/** `secret`: with the key, which is for the peer's own disk alone unless its owner says otherwise. */
export function writeBirth(out: Writer, { id, key }: Birth, secret: boolean): void {
  out.text(id);
  const told = secret ? key : null;
  out.u8(told === null ? 0 : 1);
  if (told !== null) out.raw(told);
}

export function readBirth(from: Reader): Birth {
  const id = from.text("id");
  return { id, key: from.u8("key") === 0 ? null : from.raw("key", PRIVATE_KEY_BYTES) };
}

/**
 * One of the first entries of every log. It stands in each snapshot too; but where all snapshots are damaged and the log reaches
 * back to the start, the same observations must not come to life under a new name: others hold them under the old one.
 */
export function born(birth: Birth): Entry {
  const out = new Writer();
  writeBirth(out, birth, true);
  return { kind: BORN, body: out.bytes() };
}

export const BORN = "born";

/** Null where nothing was ever written, or nothing of it is left. */
export function birthOf({ snapshot, entries }: Recovered): Birth | null {
  if (snapshot === null) {
    const first = entries.find(({ kind }) => kind === BORN);
    return first === undefined ? null : readBirth(new Reader(first.body, complain));
  }
  const from = new Reader(snapshot, complain);
  readFormat(from, snapshot);
  return readBirth(from);
}
