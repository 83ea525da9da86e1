import { type PeerId, ProtocolViolation } from "@coterie/core";
import type { Connection, Stream } from "@libp2p/interface";
import { LinkError } from "../link/link.ts";
import type { Bulletin } from "../membership/entry.ts";
import { Budget } from "./budget.ts";
import type { CallContext, Talk } from "./context.ts";
import { withDeadline } from "./deadline.ts";
import { RefusedError } from "./events.ts";
import { type ResponseKind, requests, responses } from "./frames.ts";
import {
  BODIES_AT_ONCE,
  FRAME_MS,
  GREETING_BYTES,
  GREETING_MS,
  HEADER_BYTES,
  IDLE_MS,
  REQUEST_BURST,
  REQUESTS_PER_SECOND,
  STREAMS_PER_PEER,
} from "./limits.ts";
import { FloodError, TruncatedError, Wire } from "./wire.ts";

export type Handler = (from: PeerId, message: Uint8Array) => Promise<Uint8Array>;

/** Greets a caller and says what may come and go on its stream, or turns it away with an error. */
export type Door = (wire: Wire, caller: PeerId, signal: AbortSignal, connection: Connection) => Promise<Talk>;

const NOTHING = new Uint8Array();

/** What a caller may do: streams it has open, and requests it has left for now. */
interface Caller {
  streams: number;
  allowance: number;
  at: number;
}

/** Requests of others. Whatever arrives here, the worst that comes of it is a closed stream and a count. */
export class Answers {
  handler: Handler | null = null;
  readonly #callers = new Map<PeerId, Caller>();
  readonly #budget: Budget;
  #streams = 0;

  constructor(
    readonly context: Pick<CallContext, "watch" | "messageBytes" | "clock" | "traffic">,
    readonly mostStreams: number,
    readonly door: Door,
  ) {
    this.#budget = new Budget(BODIES_AT_ONCE * context.messageBytes);
  }

  readonly handle = async (stream: Stream, connection: Connection): Promise<void> => {
    const peer = connection.remotePeer.toString();
    const caller = this.#caller(peer);
    if (caller.streams >= STREAMS_PER_PEER || this.#streams >= this.mostStreams) {
      this.context.watch.violation(peer, "flood");
      stream.abort(new RefusedError("overloaded", "us"));
      return;
    }
    caller.streams += 1;
    this.#streams += 1;
    try {
      await this.#converse(peer, caller, new Wire(stream, GREETING_BYTES, this.#budget), connection);
    } finally {
      caller.streams -= 1;
      this.#streams -= 1;
    }
  };

  async #converse(peer: PeerId, caller: Caller, wire: Wire, connection: Connection): Promise<void> {
    let counted = 0;
    // As it comes, not when the stream ends: that may be days later.
    const countReceived = (): void => {
      this.context.traffic.receivedBytes += wire.receivedBytes - counted;
      counted = wire.receivedBytes;
    };
    try {
      const talk = await withDeadline(GREETING_MS, (signal) => this.door(wire, peer, signal, connection));
      wire.widen(this.context.messageBytes);
      while (wire.stream.status === "open") {
        const header = requests.decode(await wire.read(IDLE_MS, HEADER_BYTES));
        const body = await wire.read(FRAME_MS);
        countReceived();
        this.#charge(caller);
        requireSight(talk);
        talk.serving?.("asked");
        try {
          const taken = talk.take(header, header.kind);
          if (talk.admits !== undefined) {
            await taken;
            if (!talk.admits()) throw new RefusedError("ticket", "us");
          }
          const answer = header.kind === "gossip" ? this.#reply(talk, body) : this.#answer(peer, body);
          const [answered] = await Promise.all([answer, taken]);
          requireSight(talk);
          await this.#respond(wire, answered, talk.pack(header.kind));
        } finally {
          talk.serving?.("served");
        }
      }
    } catch (error) {
      this.#count(peer, wire, error);
      wire.abort(error);
    } finally {
      countReceived();
    }
  }

  async #reply(talk: Talk, body: Uint8Array): Promise<Answer> {
    return talk.reply === undefined ? ANSWERED : { kind: "answer", body: await talk.reply(body) };
  }

  async #answer(peer: PeerId, body: Uint8Array): Promise<Answer> {
    if (this.handler === null) return { kind: "idle", body: NOTHING };
    try {
      const answer = await this.handler(peer, body);
      this.context.traffic.served += 1;
      this.context.traffic.exchangeReceivedBytes += body.length;
      this.context.traffic.exchangeSentBytes += answer.length;
      return { kind: "answer", body: answer };
    } catch {
      // Whoever serves counts its own troubles; the caller learns that there is no answer.
      return { kind: "failed", body: NOTHING };
    }
  }

  async #respond(wire: Wire, { kind, body }: Answer, bulletin: Bulletin): Promise<void> {
    const header = responses.encode({ ...bulletin, kind });
    await wire.write([header, body], FRAME_MS);
    this.context.traffic.sentBytes += header.length + body.length;
  }

  #count(peer: PeerId, wire: Wire, error: unknown): void {
    const { watch } = this.context;
    if (error instanceof RefusedError) {
      // Told by whoever found that there is no space.
      if (error.reason === "overloaded") return;
      watch.violation(peer, error.reason);
      watch.tell({ kind: "refused", peer, by: error.by, reason: error.reason });
    } else if (error instanceof ProtocolViolation) watch.violation(peer, error.reason);
    else if (error instanceof FloodError) watch.violation(peer, "flood");
    else if (!wire.midway || !(error instanceof Error)) return;
    else if (error.name === "TimeoutError" || error.name === "AbortError") watch.violation(peer, "slow");
    else if (error instanceof TruncatedError) watch.violation(peer, "truncated");
  }

  #caller(peer: PeerId): Caller {
    const found = this.#callers.get(peer);
    if (found !== undefined) return found;
    const caller = { streams: 0, allowance: REQUEST_BURST, at: this.context.clock() };
    this.#callers.set(peer, caller);
    if (this.#callers.size > MOST_CALLERS) this.#forgetIdle();
    return caller;
  }

  #charge(caller: Caller): void {
    const now = this.context.clock();
    const earned = ((now - caller.at) / 1000) * REQUESTS_PER_SECOND;
    caller.allowance = Math.min(REQUEST_BURST, caller.allowance + earned);
    caller.at = now;
    if (caller.allowance < 1) throw new FloodError("too many requests");
    caller.allowance -= 1;
  }

  #forgetIdle(): void {
    for (const [peer, { streams }] of this.#callers) {
      if (this.#callers.size <= MOST_CALLERS / 2) return;
      if (streams === 0) this.#callers.delete(peer);
    }
  }
}

function requireSight(talk: Talk): void {
  if (talk.isHidden?.() === true) throw new LinkError("the page is out of sight");
}

interface Answer {
  readonly kind: ResponseKind;
  readonly body: Uint8Array;
}

const ANSWERED: Answer = { kind: "answer", body: NOTHING };
const MOST_CALLERS = 512;
