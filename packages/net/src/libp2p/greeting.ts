import { type PeerId, ProtocolViolation } from "@coterie/core";
import { randomBytes } from "@libp2p/crypto";
import { type Refusal, RefusedError } from "./events.ts";
import { decodeGreeting, encodeGreeting, type Greeting, TOKEN_BYTES } from "./frames.ts";
import { type Occasion, type Prover, sameBytes } from "./proof.ts";
import type { Wire } from "./wire.ts";

export type Hello = Extract<Greeting, { kind: "hello" }>;

/** What a peer brings to a greeting. */
export interface Credentials {
  readonly self: PeerId;
  readonly room: Uint8Array;
  readonly agreement: Uint8Array;
  /** Null in an open room. */
  readonly prover: Prover | null;
}

/** Who answered a greeting: another member, or a hub and how many it knows that do not fit us. */
export type Answerer = { readonly kind: "member" } | { readonly kind: "hub"; readonly misfits: number };

/**
 * The first words on a stream: do both belong to the same room, and, where it has a key, do both hold it? The caller
 * proves itself first, so that nobody gets a proof out of a peer just by calling it. A hub needs no key, because it is
 * told nothing but what the caller says about itself; one that has the key may ask for a proof, and then gives one too.
 */
export async function greet(wire: Wire, mine: Credentials, answerer: PeerId, signal: AbortSignal): Promise<Answerer> {
  const { self, room, agreement, prover } = mine;
  const callerNonce = randomBytes(TOKEN_BYTES);
  await say(wire, { kind: "hello", keyed: prover !== null, room, agreement, nonce: callerNonce }, signal);
  const welcome = await hear(wire, ["welcome", "meet"], signal);
  const who: Answerer = welcome.kind === "meet" ? { kind: "hub", misfits: welcome.misfits } : { kind: "member" };
  if (prover === null || (welcome.kind === "meet" && !welcome.asks)) return who;
  const answererNonce = welcome.nonce;
  const occasion: Occasion = { caller: self, answerer, callerNonce, answererNonce, room };
  await say(wire, { kind: "proof", proof: await prover.prove("caller", occasion) }, signal);
  const { proof } = await hear(wire, ["accept"], signal);
  if (!(await prover.check("answerer", occasion, proof))) throw new RefusedError("room-key", "us");
  return who;
}

/** The other side of `greet`. Whoever does not fit is told why before it is turned away. */
export async function welcome(wire: Wire, mine: Credentials, caller: PeerId, signal: AbortSignal): Promise<void> {
  const hello = await hear(wire, ["hello"], signal);
  const misfit = misfits(hello, mine);
  if (misfit !== null) return refuse(wire, misfit, signal);
  const nonce = randomBytes(TOKEN_BYTES);
  await say(wire, { kind: "welcome", nonce }, signal);
  if (mine.prover !== null) await examine(wire, mine.prover, { self: mine.self, caller, hello, nonce }, signal);
}

/** What a hub makes of a greeting: whether it takes the caller in, and whether it can check the room's key. */
export type Reception = { readonly prover: Prover | null; readonly misfits: number } | { readonly refusal: Refusal };

/** A hub's side of `greet`. */
export async function meet(
  wire: Wire,
  self: PeerId,
  caller: PeerId,
  receive: (hello: Hello) => Reception,
  signal: AbortSignal,
): Promise<Hello> {
  const hello = await hear(wire, ["hello"], signal);
  const reception = receive(hello);
  if ("refusal" in reception) return refuse(wire, reception.refusal, signal);
  const { prover, misfits } = reception;
  const nonce = randomBytes(TOKEN_BYTES);
  await say(wire, { kind: "meet", asks: prover !== null, nonce, misfits }, signal);
  if (prover !== null) await examine(wire, prover, { self, caller, hello, nonce }, signal);
  return hello;
}

interface Examination {
  readonly self: PeerId;
  readonly caller: PeerId;
  readonly hello: Hello;
  readonly nonce: Uint8Array;
}

/** The caller must prove that it holds the room key; then so do we. */
async function examine(wire: Wire, prover: Prover, exam: Examination, signal: AbortSignal): Promise<void> {
  const { self, caller, hello, nonce } = exam;
  const { room, nonce: callerNonce } = hello;
  const occasion: Occasion = { caller, answerer: self, callerNonce, answererNonce: nonce, room };
  const { proof } = await hear(wire, ["proof"], signal);
  if (!(await prover.check("caller", occasion, proof))) return refuse(wire, "room-key", signal);
  await say(wire, { kind: "accept", proof: await prover.prove("answerer", occasion) }, signal);
}

/** Says why, waits until that is on its way, and turns the caller away. */
export async function refuse(wire: Wire, reason: Refusal, signal: AbortSignal): Promise<never> {
  await say(wire, { kind: "refuse", reason }, signal);
  await wire.stream.close({ signal });
  throw new RefusedError(reason, "us");
}

function misfits(hello: Hello, mine: Credentials): Refusal | null {
  if (!sameBytes(hello.room, mine.room)) return "another-room";
  if (hello.keyed !== (mine.prover !== null)) return "room-key";
  return sameBytes(hello.agreement, mine.agreement) ? null : "another-agreement";
}

const say = (wire: Wire, greeting: Greeting, signal: AbortSignal): Promise<void> =>
  wire.write([encodeGreeting(greeting)], signal);

async function hear<Kind extends Greeting["kind"]>(
  wire: Wire,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Extract<Greeting, { kind: Kind }>> {
  const greeting = decodeGreeting(await wire.read(signal));
  if (isOneOf(greeting, kinds)) return greeting;
  const opening = kinds.some((kind) => kind === "hello");
  if (greeting.kind === "refuse" && !opening) throw new RefusedError(greeting.reason, "them");
  throw new ProtocolViolation("mismatch", "greeting", greeting.kind, `be a ${kinds.join(" or ")}`);
}

function isOneOf<Kind extends Greeting["kind"]>(
  greeting: Greeting,
  kinds: readonly Kind[],
): greeting is Extract<Greeting, { kind: Kind }> {
  return kinds.some((kind) => kind === greeting.kind);
}
