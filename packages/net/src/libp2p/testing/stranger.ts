import type { Ed25519PrivateKey, Libp2p, Stream } from "@libp2p/interface";
import { multiaddr } from "@multiformats/multiaddr";
import type { Handshake } from "../frames.ts";
import { decodeGreeting, encodeGreeting } from "../frames.ts";
import { type Libp2pNetwork, PROTOCOL } from "../index.ts";
import { MESSAGE_BYTES } from "../limits.ts";
import { createNode } from "../node.ts";
import { checkOptions } from "../options.ts";
import { digest, roomDigest } from "../proof.ts";
import { Wire } from "../wire.ts";
import { ROOM } from "./room.ts";

/** Somebody who speaks the protocol by hand, and need not keep to it. */
export interface Stranger {
  readonly libp2p: Libp2p;
  readonly key: Ed25519PrivateKey;
  stream(to: Libp2pNetwork): Promise<Stream>;
  /** A stream past the greeting of an open room. */
  greeted(to: Libp2pNetwork): Promise<Wire>;
}

export async function stranger(): Promise<Stranger> {
  const { libp2p, key } = await createNode(checkOptions({ listen: [] }), "stranger");
  // Who is called in turn greets as members do, and never answers: who does not know the protocol is hung up on.
  await libp2p.handle(PROTOCOL, async (stream) => {
    const wire = new Wire(stream, MESSAGE_BYTES);
    await wire.read(AbortSignal.timeout(60_000)).catch(() => {});
    const welcome = encodeGreeting({ kind: "welcome", nonce: new Uint8Array(32) });
    await wire.write([welcome], AbortSignal.timeout(60_000)).catch(() => {});
  });
  const stream = async (to: Libp2pNetwork): Promise<Stream> => {
    const connection = await libp2p.dial(multiaddr(to.addresses()[0]!));
    return connection.newStream(PROTOCOL);
  };
  const greeted = async (to: Libp2pNetwork): Promise<Wire> => {
    const wire = new Wire(await stream(to), MESSAGE_BYTES);
    const answer = await say(wire, hello());
    if (answer.kind !== "welcome") throw new Error(`expected a welcome, not ${answer.kind}`);
    return wire;
  };
  return { libp2p, key, stream, greeted };
}

export function hello(change: Partial<Extract<Handshake, { kind: "hello" }>> = {}): Handshake {
  const room = roomDigest(ROOM.name);
  return { kind: "hello", keyed: false, room, agreement: digest(ROOM.agreement), nonce: new Uint8Array(32), ...change };
}

export async function say(wire: Wire, greeting: Handshake): Promise<Handshake> {
  await wire.write([encodeGreeting(greeting)], AbortSignal.timeout(5000));
  return decodeGreeting(await wire.read(AbortSignal.timeout(5000)));
}
