import { InvariantError } from "@coterie/core";
import type { MessageStream, StreamMuxer, StreamMuxerFactory } from "@libp2p/interface";
import { yamux } from "@libp2p/yamux";
import { gather } from "./gather.ts";
import { keepPulse } from "./pulse.ts";

/** What yamux says of a frame before its data. `length` of a window update: how much more the other side may send. */
interface FrameHeader {
  readonly type: number;
  readonly flag: number;
  readonly streamID: number;
  readonly length: number;
}

type SendFrame = (header: FrameHeader, data?: unknown) => boolean;
type NewStream = (...of: unknown[]) => { sendFrame: SendFrame };

/** What is needed of yamux beyond what libp2p asks of a muxer. */
interface Yamux extends StreamMuxer {
  _newStream: NewStream;
  sendFrame: SendFrame;
  send(data: Bytes): boolean;
  handleFrame(frame: unknown): void;
  ping(options: { signal: AbortSignal }): Promise<unknown>;
}

type Bytes = Parameters<MessageStream["send"]>[0];

const WINDOW_UPDATE = 1;
const GO_AWAY = 3;

/** A stream's first window is 256 kB. At a quarter of it nobody has to wait. */
const LEAST_UPDATE = 64 * 1024;

/**
 * Yamux with fewer frames and fewer writes. Our messages are short, and through a hub each write costs as much as a message. libp2p's own
 * - tells the other side of free space after every frame: here it is told when there is some to speak of;
 * - writes each frame by itself, also those that open, confirm and close a stream: here those of one moment leave together;
 * - opens a stream every so often to see whether the other side is there: here that is asked only where nothing came for long.
 */
export const quietYamux = (): (() => StreamMuxerFactory) => {
  const make = yamux({ enableKeepAlive: false });
  return () => {
    const factory: StreamMuxerFactory = make();
    const create = factory.createStreamMuxer.bind(factory);
    factory.createStreamMuxer = (connection) => hushed(create(connection), connection);
    return factory;
  };
};

function hushed(muxer: StreamMuxer, connection: MessageStream): StreamMuxer {
  if (!isYamux(muxer)) throw new InvariantError("yamux makes its streams and frames elsewhere");
  const make = muxer._newStream.bind(muxer);
  muxer._newStream = (...of) => {
    const stream = make(...of);
    stream.sendFrame = saving(stream.sendFrame);
    return stream;
  };
  const write = muxer.send.bind(muxer);
  const gathered = gather<Bytes>(write, (error) => muxer.abort(error));
  muxer.send = gathered.send;
  const frame = muxer.sendFrame.bind(muxer);
  muxer.sendFrame = (header, data) => {
    const more = frame(header, data);
    // The connection closes next.
    if (header.type === GO_AWAY) gathered.flush();
    return more;
  };
  const handle = muxer.handleFrame.bind(muxer);
  const pulse = keepPulse((signal) => muxer.ping({ signal }), connection);
  muxer.handleFrame = (frame) => {
    pulse.heard();
    handle(frame);
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

function isYamux(muxer: StreamMuxer): muxer is Yamux {
  return ["_newStream", "sendFrame", "send", "handleFrame", "ping"].every(
    (name) => typeof Reflect.get(muxer, name) === "function",
  );
}
