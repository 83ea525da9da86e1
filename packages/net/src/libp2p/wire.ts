import { ProtocolViolation } from "@coterie/core";
import type { Stream } from "@libp2p/interface";
import { type LengthPrefixedStream, lpStream } from "@libp2p/utils";
import type { Budget, Holder } from "./budget.ts";
import { HEADER_BYTES } from "./limits.ts";

/** Those of the library's errors that mean "the other side announced or sent too much". */
const TOO_LONG = new Set(["InvalidDataLengthError", "InvalidDataLengthLengthError", "StreamBufferError"]);

/** The other side sends more than there is room for, or asks more often than it may. */
export class FloodError extends Error {
  override readonly name = "FloodError";
}

/** Whole messages on a stream, each behind its length, none longer than agreed and none without a deadline. */
export class Wire implements Holder {
  #framed: LengthPrefixedStream<Stream>;
  #most: number;
  #received = 0;
  #read = 0;
  /** What was given back to the budget. */
  #returned = 0;
  #flooded = false;

  constructor(
    readonly stream: Stream,
    most: number,
    readonly budget: Budget | null = null,
  ) {
    this.#most = most;
    stream.addEventListener("message", ({ data }) => this.#count(data.byteLength));
    stream.addEventListener("close", () => this.budget?.leave(this));
    this.#framed = frame(stream, most);
  }

  /** Whether a message has begun to arrive and has not ended. */
  get midway(): boolean {
    return this.#received > this.#read;
  }

  /** All bytes that came in. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Longer messages from now on: the other side has shown who it is. */
  widen(most: number): void {
    this.#most = most;
    this.#framed.unwrap();
    this.#framed = frame(this.stream, most);
  }

  /** The next message, in memory of its own. `most` may be less than what the stream takes. */
  async read(signal: AbortSignal, most = this.#most): Promise<Uint8Array> {
    // Whoever got the message before this one is done with it.
    this.budget?.giveBack(this, this.#read - this.#returned);
    this.#returned = this.#read;
    try {
      const chunks = await this.#framed.read({ signal });
      if (chunks.byteLength > most) throw tooLong(chunks.byteLength, most);
      this.#read += chunks.byteLength + prefixBytes(chunks.byteLength);
      const bytes = new Uint8Array(chunks.byteLength);
      let at = 0;
      for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.byteLength;
      }
      return bytes;
    } catch (error) {
      if (this.#flooded) throw new FloodError("no more room");
      throw error instanceof Error && TOO_LONG.has(error.name) ? tooLong(error.message, most) : error;
    }
  }

  /** Sends messages as one write, and waits while the other side does not take them. */
  async write(messages: Uint8Array[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#framed.writeV(messages, { signal });
  }

  abort(error: unknown): void {
    this.stream.abort(error instanceof Error ? error : new Error(String(error)));
  }

  /** Bytes that came in and are not done with. */
  get held(): number {
    return this.#received - this.#returned;
  }

  flood(): void {
    this.#flooded = true;
    // Not within the event that brought them.
    queueMicrotask(() => this.abort(new FloodError("no more room")));
  }

  #count(bytes: number): void {
    this.#received += bytes;
    if (!this.#flooded && this.stream.status === "open") this.budget?.take(this, bytes);
  }
}

/** Of a length as a varint. */
function prefixBytes(length: number): number {
  let bytes = 1;
  for (let rest = length; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

function frame(stream: Stream, most: number): LengthPrefixedStream<Stream> {
  // Nobody sends more than a header and a body ahead; what exceeds that is not kept but ends the stream.
  return lpStream(stream, { maxDataLength: most, maxBufferSize: most + HEADER_BYTES });
}

function tooLong(found: unknown, most: number): ProtocolViolation {
  return new ProtocolViolation("too-long", "frame", found, `be at most ${most} bytes`);
}
