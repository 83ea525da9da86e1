import { ProtocolViolation, Writer } from "@coterie/core";
import { SIGNATURE_BYTES } from "../identity/signature.ts";
import { newsBytes, reader, readNews, writeNews } from "../membership/codec.ts";
import type { Bulletin, Occasion } from "../membership/entry.ts";
import type { Refusal } from "./events.ts";

/**
 * The frames of `/coterie/exchange/2.0.0`, each behind its length as a varint.
 *
 *     greeting:  HELLO -> <- WELCOME or MEET    where a key is asked for also  PROOF -> <- ACCEPT  or  BADGE -> <- ADMIT;  or <- REFUSE
 *     then any number of times:                 header, body -> <- header, body
 *
 *     HELLO    1 | keyed u8 | room 32 | agreement 32 | nonce 32
 *     WELCOME  2 | nonce 32            PROOF  3 | proof 32        ACCEPT  4 | proof 32        REFUSE  5 | why u8
 *     MEET     7 | asks u8 | nonce 32 | misfits u16      (a hub's welcome; asks for nothing, a proof, or a badge)
 *     BADGE    8 | public key 32 | signature 64          ADMIT  9 | misfits u16     (where it has not the room's key)
 *     header   6 | kind u8 | news   (kinds of requests: gossip, exchange; of responses: see `ResponseKind`)
 */
const HELLO = 1;
const WELCOME = 2;
const PROOF = 3;
const ACCEPT = 4;
const REFUSE = 5;
const HEADER = 6;
const MEET = 7;
const BADGE = 8;
const ADMIT = 9;

/** Of digests, nonces and proofs. */
export const TOKEN_BYTES = 32;

export type Handshake =
  | {
      readonly kind: "hello";
      readonly keyed: boolean;
      readonly room: Uint8Array;
      readonly agreement: Uint8Array;
      readonly nonce: Uint8Array;
    }
  | { readonly kind: "welcome"; readonly nonce: Uint8Array }
  | {
      /** From a meeting point: it is nobody's partner, and only keeps what each peer says about itself. */
      readonly kind: "meet";
      readonly asks: Asks;
      readonly nonce: Uint8Array;
      /** How many it knows who give the room the same name and agree on something else. */
      readonly misfits: number;
    }
  /** Shows a hub that has not the room's key that its caller has it (`badge.ts`). */
  | { readonly kind: "badge"; readonly key: Uint8Array; readonly signature: Uint8Array }
  | { readonly kind: "admit"; readonly misfits: number }
  | { readonly kind: "proof"; readonly proof: Uint8Array }
  | { readonly kind: "accept"; readonly proof: Uint8Array }
  | { readonly kind: "refuse"; readonly reason: Refusal };

/** What a hub wants to see of a caller. */
type Asks = "nothing" | "proof" | "badge";

const ASKS: readonly Asks[] = ["nothing", "proof", "badge"];
const REFUSALS: readonly Refusal[] = [
  "another-room",
  "another-agreement",
  "room-key",
  "overloaded",
  "another-version",
  "ticket",
];

export function encodeGreeting(greeting: Handshake): Uint8Array {
  const out = new Writer();
  switch (greeting.kind) {
    case "hello":
      out.u8(HELLO);
      out.u8(greeting.keyed ? 1 : 0);
      for (const token of [greeting.room, greeting.agreement, greeting.nonce]) out.raw(token);
      break;
    case "welcome":
      out.u8(WELCOME);
      out.raw(greeting.nonce);
      break;
    case "meet":
      out.u8(MEET);
      out.u8(ASKS.indexOf(greeting.asks));
      out.raw(greeting.nonce);
      out.u16(Math.min(greeting.misfits, 0xffff));
      break;
    case "badge":
      out.u8(BADGE);
      out.raw(greeting.key);
      out.raw(greeting.signature);
      break;
    case "admit":
      out.u8(ADMIT);
      out.u16(Math.min(greeting.misfits, 0xffff));
      break;
    case "refuse":
      out.u8(REFUSE);
      out.u8(REFUSALS.indexOf(greeting.reason));
      break;
    default:
      out.u8(greeting.kind === "proof" ? PROOF : ACCEPT);
      out.raw(greeting.proof);
  }
  return out.bytes();
}

export function decodeGreeting(bytes: Uint8Array): Handshake {
  const from = reader(bytes);
  const type = from.u8("greeting");
  const token = (): Uint8Array => from.raw("greeting", TOKEN_BYTES);
  const greeting = ((): Handshake => {
    if (type === HELLO) {
      const keyed = flag("hello.keyed", from.u8("hello.keyed"));
      return { kind: "hello", keyed, room: token(), agreement: token(), nonce: token() };
    }
    if (type === WELCOME) return { kind: "welcome", nonce: token() };
    if (type === MEET) {
      const asks = known(ASKS, from.u8("meet.asks"), "meet.asks");
      return { kind: "meet", asks, nonce: token(), misfits: from.u16("meet.misfits") };
    }
    if (type === BADGE) return { kind: "badge", key: token(), signature: from.raw("badge", SIGNATURE_BYTES) };
    if (type === ADMIT) return { kind: "admit", misfits: from.u16("admit.misfits") };
    if (type === PROOF) return { kind: "proof", proof: token() };
    if (type === ACCEPT) return { kind: "accept", proof: token() };
    if (type === REFUSE) return { kind: "refuse", reason: known(REFUSALS, from.u8("refuse"), "refuse") };
    throw new ProtocolViolation("mismatch", "greeting", type, "be a kind of greeting");
  })();
  from.end("greeting");
  return greeting;
}

export type RequestKind = Occasion;
/** `failed`: the other side could not answer; `idle`: it does not answer exchanges. */
export type ResponseKind = "answer" | "failed" | "idle";

const REQUESTS: readonly RequestKind[] = ["gossip", "exchange"];
const RESPONSES: readonly ResponseKind[] = ["answer", "failed", "idle"];

export interface Header<Kind> extends Bulletin {
  readonly kind: Kind;
}

export const requests = headerCodec(REQUESTS);
export const responses = headerCodec(RESPONSES);

/** What goes along with a body: what it is, and news of the room. */
export interface HeaderCodec<Kind> {
  encode(header: Header<Kind>): Uint8Array;
  decode(bytes: Uint8Array): Header<Kind>;
}

function headerCodec<Kind>(kinds: readonly Kind[]): HeaderCodec<Kind> {
  return {
    encode({ kind, news }) {
      const out = new Writer(2 + newsBytes(news));
      out.u8(HEADER);
      out.u8(kinds.indexOf(kind));
      writeNews(out, news);
      return out.bytes();
    },
    decode(bytes) {
      const from = reader(bytes);
      const type = from.u8("header");
      if (type !== HEADER) throw new ProtocolViolation("mismatch", "header", type, `be ${HEADER}`);
      const kind = known(kinds, from.u8("header.kind"), "header.kind");
      const news = readNews(from);
      from.end("header");
      return { kind, news };
    },
  };
}

function known<T>(values: readonly T[], index: number, field: string): T {
  const value = values[index];
  if (value === undefined) throw new ProtocolViolation("out-of-range", field, index, `be below ${values.length}`);
  return value;
}

function flag(field: string, value: number): boolean {
  if (value > 1) throw new ProtocolViolation("out-of-range", field, value, "be 0 or 1");
  return value === 1;
}
