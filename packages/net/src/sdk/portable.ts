import { ConfigError, Reader, Writer } from "@coterie/core";
import { otherTerms, roomOf } from "./agreement.ts";

/** "CEXP" and the version of this layout. Another version is refused, never guessed at. */
const MAGIC = 0x50584543;
const VERSION = 2;

/** A peer's state to be carried elsewhere, with the terms under which its numbers mean something. */
export function pack(terms: string, state: Uint8Array): Uint8Array {
  const out = new Writer();
  out.u32(MAGIC);
  out.u32(VERSION);
  out.text(terms);
  out.u32(state.length);
  out.raw(state);
  return out.bytes();
}

export function unpack(terms: string, bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) throw new ConfigError("import", bytes, "be the bytes that export() gave");
  const from = new Reader(bytes, (_, field, value, bound) => new ConfigError(`import: ${field}`, value, bound));
  const magic = from.u32("magic");
  if (magic !== MAGIC) throw new ConfigError("import: magic", magic, "mark the state of a peer");
  const version = from.u32("version");
  if (version !== VERSION) throw new ConfigError("import: version", version, `be ${VERSION}`);
  const made = from.text("terms");
  // What else differs the state says itself.
  if (roomOf(made) !== roomOf(terms)) throw otherTerms("import", made, terms);
  const state = from.raw("state", from.u32("state"));
  from.end("state");
  return state;
}
