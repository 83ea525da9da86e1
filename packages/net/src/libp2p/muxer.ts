import { InvariantError } from "@coterie/core";
import type { StreamMuxer, StreamMuxerFactory } from "@libp2p/interface";
import { yamux } from "@libp2p/yamux";

/** What yamux says of a frame before its data. `length` of a window update: how much more the other side may send. */
interface FrameHeader {
  readonly type: number;
  readonly flag: number;
  readonly streamID: number;
  readonly length: number;
}

type SendFrame = (header: FrameHeader, data?: unknown) => boolean;
type NewStream = (...of: unknown[]) => { sendFrame: SendFrame };

const WINDOW_UPDATE = 1;

/** A stream's first window is 256 kB. At a quarter of it nobody has to wait. */
const LEAST_UPDATE = 64 * 1024;

/**
 * Yamux that tells the other side of free space when there is some to speak of. libp2p's own does so after every frame. Our messages are
 * short, and through a hub each such word is a frame of its own, for which the hub and the other side then say the same again: four
 * frames for one.
 */
export const quietYamux = (): (() => StreamMuxerFactory) => {
  // Its pings measure the way and decide nothing: libp2p itself ends a connection that is dead (`connectionMonitor`).
  const make = yamux({ enableKeepAlive: false });
  return () => {
    const factory: StreamMuxerFactory = make();
    const create = factory.createStreamMuxer.bind(factory);
    factory.createStreamMuxer = (connection) => hushed(create(connection));
    return factory;
  };
};

function hushed(muxer: StreamMuxer): StreamMuxer {
  if (!makesStreams(muxer)) throw new InvariantError("yamux makes its streams elsewhere");
  const make = muxer._newStream.bind(muxer);
  muxer._newStream = (...of) => {
    const stream = make(...of);
    stream.sendFrame = saving(stream.sendFrame);
    return stream;
  };
  return muxer;
}

/** Window updates are added up until they are worth a frame, or one is sent anyway because it carries a flag. */
export function saving(send: SendFrame): SendFrame {
  let free = 0;
  return (header, data) => {
    if (header.type !== WINDOW_UPDATE) return send(header, data);
    free += header.length;
    if (header.flag === 0 && free < LEAST_UPDATE) return true;
    const length = free;
    free = 0;
    return send({ ...header, length }, data);
  };
}

function makesStreams(muxer: StreamMuxer): muxer is StreamMuxer & { _newStream: NewStream } {
  return "_newStream" in muxer && typeof muxer._newStream === "function";
}
