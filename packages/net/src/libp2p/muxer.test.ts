import type { Stream, StreamMuxerFactory } from "@libp2p/interface";
import { multiaddrConnectionPair } from "@libp2p/utils";
import { yamux } from "@libp2p/yamux";
import { expect, it } from "vitest";
import { quietYamux } from "./muxer.ts";
import { until } from "./testing/room.ts";

/** A stream from one end to the other, what arrives there, and how many frames the reader sends back. */
async function streamOver(make: () => StreamMuxerFactory) {
  const [outbound, inbound] = multiaddrConnectionPair();
  const [a, b] = [outbound, inbound].map((connection) => make().createStreamMuxer(connection));
  let [received, back] = [0, 0];
  outbound!.addEventListener("message", () => {
    back += 1;
  });
  b!.addEventListener("stream", ({ detail }) => {
    detail.addEventListener("message", ({ data }) => {
      received += data.byteLength;
    });
  });
  const stream: Stream = await a!.createStream();
  const send = async (bytes: number): Promise<void> => {
    const due = received + bytes;
    stream.send(new Uint8Array(bytes));
    await until(() => received === due, "all has arrived");
  };
  return { send, frames: () => back };
}

it("says what space is free only when there is some to speak of", async () => {
  const frames = async (make: () => StreamMuxerFactory): Promise<number> => {
    const over = await streamOver(make);
    for (let k = 0; k < 20; k++) await over.send(1000);
    return over.frames();
  };
  // That the stream is taken.
  expect(await frames(quietYamux())).toBe(1);
  // What is saved: libp2p's own answers each of them.
  expect(await frames(yamux())).toBeGreaterThanOrEqual(20);
});

it("messages pass that are longer than the window, one after the other", async () => {
  const over = await streamOver(quietYamux());
  for (let k = 0; k < 6; k++) await over.send(100_000);
  await over.send(1_000_000);
});
