import { type PeerId, ProtocolViolation } from "@coterie/core";
import { randomBytes } from "@libp2p/crypto";
import { type Refusal, RefusedError } from "./events.ts";
import { decodeGreeting, encodeGreeting, type Greeting, TOKEN_BYTES } from "./frames.ts";
import { type Occasion, type Prover, sameBytes } from "./proof.ts";
import type { Wire } from "./wire.ts";

/** What a peer brings to a greeting. */
export interface Credentials {
  readonly self: PeerId;
  readonly room: Uint8Array;
  readonly agreement: Uint8Array;
  /** Null in an open room. */
  readonly prover: Prover | null;
}

/**
 * The first words on a stream: do both belong to the same room, and, where it has a key, do both hold it? The caller
 * proves itself first, so that nobody gets a proof out of a peer just by calling it.
 */
export async function greet(wire: Wire, mine: Credentials, answerer: PeerId, signal: AbortSignal): Promise<void> {
  const { self, room, agreement, prover } = mine;
  const callerNonce = randomBytes(TOKEN_BYTES);
  await say(wire, { kind: "hello", keyed: prover !== null, room, agreement, nonce: callerNonce }, signal);
  const { nonce: answererNonce } = await hear(wire, "welcome", signal);
  if (prover === null) return;
  const occasion: Occasion = { caller: self, answerer, callerNonce, answererNonce, room };
  await say(wire, { kind: "proof", proof: await prover.prove("caller", occasion) }, signal);
  const { proof } = await hear(wire, "accept", signal);
  if (!(await prover.check("answerer", occasion, proof))) throw new RefusedError("room-key", "us");
}

/** The other side of `greet`. Whoever does not fit is told why before it is turned away. */
export async function welcome(wire: Wire, mine: Credentials, caller: PeerId, signal: AbortSignal): Promise<void> {
  const { self, room, prover } = mine;
  const hello = await hear(wire, "hello", signal);
  const misfit = misfits(hello, mine);
  if (misfit !== null) return refuse(wire, misfit, signal);
  const answererNonce = randomBytes(TOKEN_BYTES);
  await say(wire, { kind: "welcome", nonce: answererNonce }, signal);
  if (prover === null) return;
  const occasion: Occasion = { caller, answerer: self, callerNonce: hello.nonce, answererNonce, room };
  const { proof } = await hear(wire, "proof", signal);
  if (!(await prover.check("caller", occasion, proof))) return refuse(wire, "room-key", signal);
  await say(wire, { kind: "accept", proof: await prover.prove("answerer", occasion) }, signal);
}

/** Says why, waits until that is on its way, and turns the caller away. */
export async function refuse(wire: Wire, reason: Refusal, signal: AbortSignal): Promise<never> {
  await say(wire, { kind: "refuse", reason }, signal);
  await wire.stream.close({ signal });
  throw new RefusedError(reason, "us");
}

function misfits(hello: Extract<Greeting, { kind: "hello" }>, mine: Credentials): Refusal | null {
  if (!sameBytes(hello.room, mine.room)) return "another-room";
  if (hello.keyed !== (mine.prover !== null)) return "room-key";
  return sameBytes(hello.agreement, mine.agreement) ? null : "another-agreement";
}

const say = (wire: Wire, greeting: Greeting, signal: AbortSignal): Promise<void> =>
  wire.write([encodeGreeting(greeting)], signal);

async function hear<Kind extends Greeting["kind"]>(
  wire: Wire,
  kind: Kind,
  signal: AbortSignal,
): Promise<Extract<Greeting, { kind: Kind }>> {
  const greeting = decodeGreeting(await wire.read(signal));
  if (greeting.kind === "refuse" && kind !== "hello") throw new RefusedError(greeting.reason, "them");
  if (!isKind(greeting, kind)) throw new ProtocolViolation("mismatch", "greeting", greeting.kind, `be a ${kind}`);
  return greeting;
}

function isKind<Kind extends Greeting["kind"]>(
  greeting: Greeting,
  kind: Kind,
): greeting is Extract<Greeting, { kind: Kind }> {
  return greeting.kind === kind;
}
