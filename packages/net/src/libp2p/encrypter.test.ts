import { generateKeyPair } from "@libp2p/crypto/keys";
import type { ComponentLogger, Logger, MultiaddrConnection } from "@libp2p/interface";
import { noise } from "@libp2p/noise";
import { peerIdFromPrivateKey } from "@libp2p/peer-id";
import { multiaddrConnectionPair } from "@libp2p/utils";
import { expect, it } from "vitest";
import { defineWithResolvers } from "./base.ts";
import { wholeNoise } from "./encrypter.ts";
import { until } from "./testing/room.ts";

defineWithResolvers();

const silence: Logger = Object.assign(() => {}, {
  enabled: false,
  error: () => {},
  trace: () => {},
  newScope: () => silence,
});
const logger: ComponentLogger = { forComponent: () => silence };
type Make = typeof noise;

async function encrypterOf(make: Make) {
  const privateKey = await generateKeyPair("Ed25519");
  const upgrader = { getStreamMuxers: () => new Map() };
  const components = { privateKey, peerId: peerIdFromPrivateKey(privateKey), logger, upgrader };
  return make()(components as unknown as Parameters<ReturnType<Make>>[0]);
}

/** In how many pieces a connection is handed a message of 1000 bytes. */
async function piecesOf(make: Make): Promise<number> {
  const [outbound, inbound] = multiaddrConnectionPair() as [MultiaddrConnection, MultiaddrConnection];
  const [a, b] = await Promise.all([encrypterOf(make), encrypterOf(make)]);
  const [{ connection: out }, { connection: into }] = await Promise.all([
    a.secureOutbound(outbound, { skipStreamMuxerNegotiation: true }),
    b.secureInbound(inbound, { skipStreamMuxerNegotiation: true }),
  ]);
  let [pieces, received] = [0, 0];
  inbound.addEventListener("message", ({ data }) => {
    pieces += data instanceof Uint8Array ? 1 : [...data].length;
  });
  into.addEventListener("message", ({ data }) => {
    received += data.byteLength;
  });
  out.send(new Uint8Array(1000));
  await until(() => received === 1000, "it has arrived");
  return pieces;
}

it("a connection gets each frame in one piece", async () => {
  expect(await piecesOf(wholeNoise)).toBe(1);
  // What is saved.
  expect(await piecesOf(noise)).toBe(2);
});

it("frames are taken however they are cut, and several at once", async () => {
  const [outbound, inbound] = multiaddrConnectionPair() as [MultiaddrConnection, MultiaddrConnection];
  const [a, b] = await Promise.all([encrypterOf(wholeNoise), encrypterOf(wholeNoise)]);
  const send = outbound.send.bind(outbound);
  let size = Number.POSITIVE_INFINITY;
  outbound.send = (data) => {
    const bytes = data.subarray();
    for (let at = 0; at < bytes.length; at += size) send(bytes.subarray(at, at + size));
    return true;
  };
  const [{ connection: out }, { connection: into }] = await Promise.all([
    a.secureOutbound(outbound, { skipStreamMuxerNegotiation: true }),
    b.secureInbound(inbound, { skipStreamMuxerNegotiation: true }),
  ]);
  let received = 0;
  into.addEventListener("message", ({ data }) => {
    received += data.byteLength;
  });
  for (const each of [1, 3, 500, 100_000]) {
    received = 0;
    size = each;
    for (const length of [1, 200, 3000]) out.send(new Uint8Array(length));
    await until(() => received === 3201, `pieces of ${each}`);
  }
});
