import type { Stream, StreamMuxerFactory } from "@libp2p/interface";
import { multiaddrConnectionPair } from "@libp2p/utils";
import { yamux } from "@libp2p/yamux";
import { expect, it } from "vitest";
import { quietYamux } from "./muxer.ts";
import { until } from "./testing/room.ts";

/** A stream from one end to the other, what arrives there, and how many writes each end makes. */
async function streamOver(make: () => StreamMuxerFactory) {
  const [outbound, inbound] = multiaddrConnectionPair();
  const [a, b] = [outbound, inbound].map((connection) => make().createStreamMuxer(connection));
  let [received, back, there, ended] = [0, 0, 0, false];
  inbound!.addEventListener("message", () => {
    there += 1;
  });
  outbound!.addEventListener("message", () => {
    back += 1;
  });
  b!.addEventListener("stream", ({ detail }) => {
    detail.addEventListener("remoteCloseWrite", () => {
      ended = true;
    });
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
  return { stream, send, frames: () => back, writes: () => there, ended: () => ended };
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

it("a stream is opened, used and closed in one write", async () => {
  const writes = async (make: () => StreamMuxerFactory): Promise<number> => {
    const over = await streamOver(make);
    over.stream.send(new Uint8Array(100));
    await over.stream.close();
    await until(over.ended, "the end has arrived");
    return over.writes();
  };
  expect(await writes(quietYamux())).toBe(1);
  expect(await writes(yamux())).toBeGreaterThan(1);
});
