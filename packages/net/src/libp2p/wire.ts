import { ProtocolViolation } from "@coterie/core";
import type { Stream } from "@libp2p/interface";
import { Uint8ArrayList } from "uint8arraylist";
import { onAbort } from "../link/onAbort.ts";
import type { Budget, Holder } from "./budget.ts";
import { timedOut } from "./deadline.ts";
import { HEADER_BYTES } from "./limits.ts";
import { framed, Pieces } from "./pieces.ts";

/** The other side sends more than there is room for, or asks more often than it may. */
export class FloodError extends Error {
  override readonly name = "FloodError";
}

/** The stream ended before the message did. */
export class TruncatedError extends Error {
  override readonly name = "TruncatedError";
}

/** How long to wait: until a signal, or so many ms. */
type Until = AbortSignal | number;

/** Who waits for something of the stream. `next` gives it, or null while it is not there yet. */
interface Waiting<T> {
  next(): T | null;
  done(value: T): void;
  fail(error: unknown): void;
}

/** Whole messages on a stream, each behind its length, none longer than agreed and none without a deadline. */
export class Wire implements Holder {
  readonly #pieces = new Pieces();
  #most: number;
  #received = 0;
  /** What was given back to the budget. */
  #returned = 0;
  #flooded = false;
  /** More came than anybody sends ahead. */
  #overflow: ProtocolViolation | null = null;
  #reader: Waiting<Uint8Array> | null = null;
  #writer: Waiting<true> | null = null;

  constructor(
    readonly stream: Stream,
    most: number,
    readonly budget: Budget | null = null,
  ) {
    this.#most = most;
    stream.addEventListener("message", ({ data }) => this.#take(data));
    stream.addEventListener("drain", () => wake(this.#writer));
    stream.addEventListener("remoteCloseWrite", () => wake(this.#reader));
    stream.addEventListener("close", ({ error }) => {
      this.budget?.leave(this);
      if (error === undefined) wake(this.#reader);
      else this.#reader?.fail(this.#flooded ? flooded() : error);
      this.#writer?.fail(error ?? new TruncatedError("closed before all was sent"));
    });
  }

  /** Whether a message has begun to arrive and has not ended. */
  get midway(): boolean {
    return this.#pieces.held > 0;
  }

  /** All bytes that came in. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Longer messages from now on: the other side has shown who it is. */
  widen(most: number): void {
    this.#most = most;
  }

  /** The next message. `most` may be less than what the stream takes. */
  async read(until: Until, most = this.#most): Promise<Uint8Array> {
    // Whoever got the message before this one is done with it.
    const read = this.#received - this.#pieces.held;
    this.budget?.giveBack(this, read - this.#returned);
    this.#returned = read;
    const next = (): Uint8Array | null => this.#next(most);
    const tell = (reader: Waiting<Uint8Array> | null): void => {
      this.#reader = reader;
    };
    return next() ?? waitFor(until, next, tell);
  }

  #next(most: number): Uint8Array | null {
    if (this.#flooded) throw flooded();
    if (this.#overflow !== null) throw this.#overflow;
    const message = this.#pieces.next(most, (length) => tooLong(length, most));
    const { remoteWriteStatus, readBufferLength } = this.stream;
    if (message === null && remoteWriteStatus !== "writable" && readBufferLength === 0)
      throw new TruncatedError("the stream ended before its message");
    return message;
  }

  /** Sends messages as one write, and waits while the other side does not take them. */
  async write(messages: readonly Uint8Array[], until: Until): Promise<void> {
    if (typeof until !== "number") until.throwIfAborted();
    if (this.stream.send(new Uint8ArrayList(...framed(messages)))) return;
    await waitFor(until, DRAINED, (writer) => {
      this.#writer = writer;
    });
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
    queueMicrotask(() => this.abort(flooded()));
  }

  #take(data: Uint8Array | Uint8ArrayList): void {
    this.#received += data.byteLength;
    if (this.#overflow !== null) return;
    if (data instanceof Uint8Array) this.#pieces.add(data);
    else for (const piece of data) this.#pieces.add(piece);
    if (!this.#flooded && this.stream.status === "open") this.budget?.take(this, data.byteLength);
    // Nobody sends more than a header and a body ahead; what exceeds that is not kept but ends the stream.
    if (this.#pieces.held > this.#most + HEADER_BYTES) this.#overrun();
    wake(this.#reader);
  }

  #overrun(): void {
    const error = tooLong(this.#pieces.held, this.#most);
    this.#overflow = error;
    this.#pieces.clear();
    queueMicrotask(() => this.abort(error));
  }
}

const DRAINED = (): true => true;

/** Something has come that may be what is waited for. */
function wake<T>(waiting: Waiting<T> | null): void {
  if (waiting === null) return;
  try {
    const value = waiting.next();
    if (value !== null) waiting.done(value);
  } catch (error) {
    waiting.fail(error);
  }
}

/** What `next` gives when whoever is told wakes it, within the time there is. Nobody is told of it any more before that goes on. */
function waitFor<T>(until: Until, next: () => T | null, tell: (waiting: Waiting<T> | null) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      end();
      reject(error);
    };
    const done = (value: T): void => {
      end();
      resolve(value);
    };
    const forget = atEnd(until, fail);
    const end = (): void => {
      forget();
      tell(null);
    };
    tell({ next, done, fail });
  });
}

/** Calls back when the waiting is to end; returns a way to stop that. */
function atEnd(until: Until, call: (reason: unknown) => void): () => void {
  if (typeof until !== "number") {
    until.throwIfAborted();
    return onAbort(until, () => call(until.reason));
  }
  const timer = setTimeout(() => call(timedOut(until)), until);
  return () => clearTimeout(timer);
}

const flooded = (): FloodError => new FloodError("no more room");

function tooLong(found: number, most: number): ProtocolViolation {
  return new ProtocolViolation("too-long", "frame", found, `be at most ${most} bytes`);
}
