import { type PeerId, ProtocolViolation } from "@coterie/core";
import { randomBytes } from "@libp2p/crypto";
import { checkBadge } from "./badge.ts";
import { type Refusal, RefusedError } from "./events.ts";
import { decodeGreeting, encodeGreeting, type Handshake, TOKEN_BYTES } from "./frames.ts";
import { equalInConstantTime, type GreetingParties, type Prover } from "./proof.ts";

export type Hello = Extract<Handshake, { kind: "hello" }>;

/** What a peer brings to a greeting. */
export interface Credentials {
  readonly self: PeerId;
  readonly room: Uint8Array;
  readonly agreement: Uint8Array;
  /** Null in an open room. */
  readonly prover: Prover | null;
  /** Draws what nobody can have seen before. */
  readonly nonce: () => Uint8Array;
}

/** What a greeting is spoken over: a stream, as far as it takes one. */
export interface Voice {
  read(signal: AbortSignal): Promise<Uint8Array>;
  write(frames: readonly Uint8Array[], signal: AbortSignal): Promise<void>;
  readonly stream: { close(options: { signal: AbortSignal }): Promise<void> };
}

/** Who answered a greeting: another member, or a hub and how many it knows that do not fit us. */
export type Answerer = { readonly kind: "member" } | { readonly kind: "hub"; readonly misfits: number };

/**
 * The first words on a stream: do both belong to the same room, and, where it has a key, do both hold it? The caller
 * proves itself first, so that nobody gets a proof out of a peer just by calling it. A hub needs no key, because it is
 * told nothing but what the caller says about itself; one that has the key may ask for a proof, and then gives one too. One that
 * has not asks for the room's badge, and so tells members from strangers.
 */
export async function greet(wire: Voice, mine: Credentials, answerer: PeerId, signal: AbortSignal): Promise<Answerer> {
  const { self, room, agreement, prover } = mine;
  const callerNonce = mine.nonce();
  await say(wire, { kind: "hello", keyed: prover !== null, room, agreement, nonce: callerNonce }, signal);
  const welcome = await hear(wire, ["welcome", "meet"], signal);
  const who: Answerer = welcome.kind === "meet" ? { kind: "hub", misfits: welcome.misfits } : { kind: "member" };
  if (prover === null || (welcome.kind === "meet" && welcome.asks === "nothing")) return who;
  const answererNonce = welcome.nonce;
  const occasion: GreetingParties = { caller: self, answerer, callerNonce, answererNonce, room };
  if (welcome.kind === "meet" && welcome.asks === "badge") {
    const { key, sign } = await prover.badge(room);
    await say(wire, { kind: "badge", key, signature: await sign(occasion) }, signal);
    const { misfits } = await hear(wire, ["admit"], signal);
    return { kind: "hub", misfits };
  }
  await say(wire, { kind: "proof", proof: await prover.prove("caller", occasion) }, signal);
  const { proof } = await hear(wire, ["accept"], signal);
  if (!(await prover.check("answerer", occasion, proof))) throw new RefusedError("room-key", "us");
  return who;
}

/** The other side of `greet`. Whoever does not fit is told why before it is turned away. */
export async function welcome(wire: Voice, mine: Credentials, caller: PeerId, signal: AbortSignal): Promise<void> {
  const hello = await hear(wire, ["hello"], signal);
  const misfit = misfits(hello, mine);
  if (misfit !== null) return refuse(wire, misfit, signal);
  const nonce = mine.nonce();
  await say(wire, { kind: "welcome", nonce }, signal);
  if (mine.prover !== null) await examine(wire, mine.prover, { self: mine.self, caller, hello, nonce }, signal);
}

/** What a hub makes of a greeting: whether it takes the caller in, and whether it can check the room's key. */
export type Reception =
  | {
      readonly prover: Prover | null;
      /** How many it knows who do not fit a caller with this badge. */
      readonly misfits: (badge: Uint8Array | null) => number;
    }
  | { readonly refusal: Refusal };

/** A caller that a hub took in. `badge`: the public key that those who hold the room's key have in common; null in an open room. */
export interface Met {
  readonly hello: Hello;
  readonly badge: Uint8Array | null;
}

/** A hub's side of `greet`. */
export async function meet(
  wire: Voice,
  self: PeerId,
  caller: PeerId,
  receive: (hello: Hello) => Reception,
  signal: AbortSignal,
): Promise<Met> {
  const hello = await hear(wire, ["hello"], signal);
  const reception = receive(hello);
  if ("refusal" in reception) return refuse(wire, reception.refusal, signal);
  const { prover, misfits } = reception;
  const nonce = randomBytes(TOKEN_BYTES);
  const exam = { self, caller, hello, nonce };
  if (!hello.keyed) {
    await say(wire, { kind: "meet", asks: "nothing", nonce, misfits: misfits(null) }, signal);
    return { hello, badge: null };
  }
  if (prover === null) {
    await say(wire, { kind: "meet", asks: "badge", nonce, misfits: 0 }, signal);
    const badge = await examineBadge(wire, exam, signal);
    await say(wire, { kind: "admit", misfits: misfits(badge) }, signal);
    return { hello, badge };
  }
  const { key: badge } = await prover.badge(hello.room);
  await say(wire, { kind: "meet", asks: "proof", nonce, misfits: misfits(badge) }, signal);
  await examine(wire, prover, exam, signal);
  return { hello, badge };
}

interface Examination {
  readonly self: PeerId;
  readonly caller: PeerId;
  readonly hello: Hello;
  readonly nonce: Uint8Array;
}

/** The caller must show that it holds the key that goes with its badge. Whose badge that is only members know. */
async function examineBadge(wire: Voice, exam: Examination, signal: AbortSignal): Promise<Uint8Array> {
  const { key, signature } = await hear(wire, ["badge"], signal);
  if (!(await checkBadge(key, occasionOf(exam), signature))) return refuse(wire, "room-key", signal);
  return key;
}

/** The caller must prove that it holds the room key; then so do we. */
async function examine(wire: Voice, prover: Prover, exam: Examination, signal: AbortSignal): Promise<void> {
  const occasion = occasionOf(exam);
  const { proof } = await hear(wire, ["proof"], signal);
  if (!(await prover.check("caller", occasion, proof))) return refuse(wire, "room-key", signal);
  await say(wire, { kind: "accept", proof: await prover.prove("answerer", occasion) }, signal);
}

function occasionOf({ self, caller, hello, nonce }: Examination): GreetingParties {
  const { room, nonce: callerNonce } = hello;
  return { caller, answerer: self, callerNonce, answererNonce: nonce, room };
}

/** Says why, waits until that is on its way, and turns the caller away. */
export async function refuse(wire: Voice, reason: Refusal, signal: AbortSignal): Promise<never> {
  await say(wire, { kind: "refuse", reason }, signal);
  await wire.stream.close({ signal });
  throw new RefusedError(reason, "us");
}

function misfits(hello: Hello, mine: Credentials): Refusal | null {
  if (!equalInConstantTime(hello.room, mine.room)) return "another-room";
  if (hello.keyed !== (mine.prover !== null)) return "room-key";
  return equalInConstantTime(hello.agreement, mine.agreement) ? null : "another-agreement";
}

const say = (wire: Voice, greeting: Handshake, signal: AbortSignal): Promise<void> =>
  wire.write([encodeGreeting(greeting)], signal);

async function hear<Kind extends Handshake["kind"]>(
  wire: Voice,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Extract<Handshake, { kind: Kind }>> {
  const greeting = decodeGreeting(await wire.read(signal));
  if (isOneOf(greeting, kinds)) return greeting;
  const opening = kinds.some((kind) => kind === "hello");
  if (greeting.kind === "refuse" && !opening) throw new RefusedError(greeting.reason, "them");
  throw new ProtocolViolation("mismatch", "greeting", greeting.kind, `be a ${kinds.join(" or ")}`);
}

function isOneOf<Kind extends Handshake["kind"]>(
  greeting: Handshake,
  kinds: readonly Kind[],
): greeting is Extract<Handshake, { kind: Kind }> {
  return kinds.some((kind) => kind === greeting.kind);
}
