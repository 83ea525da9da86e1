import type { PeerId } from "@coterie/core";

/**
 * How messages reach another peer: a request and its response. libp2p is one, a test's memory another. Nobody changes the bytes of a message
 * that was handed over.
 */
export interface Link {
  /** Rejects when there is no response: the other side may or may not have got the request. */
  request(
    to: PeerId,
    message: Uint8Array,
    /** `withinMs`: a link that keeps time gives up after it. Who brings a signal and no such time keeps the time itself. */
    options?: { readonly signal?: AbortSignal | undefined; readonly withinMs?: number | undefined },
  ): Promise<Uint8Array>;
  /** Answers requests from now on. The sender's name is vouched for by the link. */
  serve(handler: (from: PeerId, message: Uint8Array) => Promise<Uint8Array>): void;
  close(): Promise<void>;
}

/** No response. */
export class LinkError extends Error {
  override readonly name = "LinkError";

  constructor(
    message: string,
    /** The other side cannot have got the request: it never left. */
    readonly unsent = false,
  ) {
    super(message);
  }
}
