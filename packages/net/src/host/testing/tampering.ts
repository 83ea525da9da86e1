import type { PeerRecord } from "@coterie/core/internal";
import { decodeAnswer, encodeAnswer } from "../../exchange/message.ts";
import type { Link } from "../../link/link.ts";
import { limits, policy } from "./records.ts";

/** A link whose owner changes the records of its answers. */
export function tampering(link: Link, change: (records: readonly PeerRecord[]) => readonly PeerRecord[]): Link {
  const spoil = (bytes: Uint8Array): Uint8Array => {
    const answer = decodeAnswer(bytes);
    if (answer.verdict !== "mix") return bytes;
    const { decode, encode, records } = policy.codec!;
    const offer = decode(answer.frames, limits);
    const spoilt = records!.only(offer, change(records!.lackedBy(offer, offer)));
    return encodeAnswer({ ...answer, frames: encode(spoilt, spoilt) });
  };
  return { ...link, serve: (handler) => link.serve(async (from, message) => spoil(await handler(from, message))) };
}
