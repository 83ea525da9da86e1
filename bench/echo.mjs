// Two plain libp2p nodes on loopback and an echo of so many bytes: what any protocol over libp2p pays at least.
import { noise } from "@libp2p/noise";
import { tcp } from "@libp2p/tcp";
import { lpStream } from "@libp2p/utils";
import { yamux } from "@libp2p/yamux";
import { createLibp2p } from "libp2p";

const PROTOCOL = "/echo/1.0.0";

const node = () =>
  createLibp2p({
    addresses: { listen: ["/ip4/127.0.0.1/tcp/0"] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionManager: { inboundConnectionThreshold: 100 },
  });

/** `kept` echoes over one long-lived stream, `fresh` over a stream of its own each time. */
export async function echoPair(bytes) {
  const [caller, answerer] = await Promise.all([node(), node()]);
  const limits = { maxDataLength: 64 * 1024 * 1024, maxBufferSize: 64 * 1024 * 1024 };
  await answerer.handle(
    PROTOCOL,
    async (stream) => {
      const framed = lpStream(stream, limits);
      try {
        for (;;) await framed.write(await framed.read());
      } catch {
        await stream.close().catch(() => {});
      }
    },
    { maxInboundStreams: 10_000 },
  );
  const connection = await caller.dial(answerer.getMultiaddrs());
  const body = new Uint8Array(bytes).map((_, k) => k * 31);
  const open = () => connection.newStream(PROTOCOL, { maxOutboundStreams: 10_000 });
  const ask = async (framed) => {
    await framed.write(body);
    const back = await framed.read();
    if (back.byteLength !== bytes) throw new Error(`the echo has ${back.byteLength} bytes`);
  };
  const kept = lpStream(await open(), limits);
  return {
    kept: () => ask(kept),
    fresh: async () => {
      const stream = await open();
      await ask(lpStream(stream, limits));
      await stream.close();
    },
    close: () => Promise.all([caller.stop(), answerer.stop()]),
  };
}
