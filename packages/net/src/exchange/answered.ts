import type { PeerId, Reader, Writer } from "@coterie/core";
import { digitsOf, wordOf } from "../hex.ts";
import type { ExchangeId } from "./message.ts";

/** Names kept of exchanges that are over. A duplicate comes seconds late, not thousands of exchanges. */
const MOST_NAMES = 1024;
/** Bytes of answers kept for proposers that may ask again; beyond it the oldest can no longer be told. */
const MOST_BYTES = 8 * 1024 * 1024;

/** An answer without frames has fewer bytes than this, and is worth no forgetting. */
const SMALL_BYTES = 1024;

interface Answered {
  readonly partner: PeerId;
  /** Null once its proposer cannot be waiting for it any more. */
  answer: Uint8Array | null;
}

/**
 * What was answered. A proposer has one exchange in flight, so whoever proposes again, or answers as one that waits for
 * nobody, has heard the end of the last in which something was mixed: of that only the name is kept, so that a duplicate
 * is known for one. (Its answer may be an old one that was asked for again, given before a proposal of its own that we
 * put off meanwhile; so answers that only put off are kept.)
 */
export class AnsweredExchanges {
  readonly #all = new Map<ExchangeId, Answered>();
  readonly #last = new Map<PeerId, ExchangeId>();
  #bytes = 0;

  /** The answer that was given; null where its proposer has moved on; undefined for a new exchange. */
  find(id: ExchangeId): Uint8Array | null | undefined {
    const known = this.#all.get(id);
    return known === undefined ? undefined : known.answer;
  }

  remember(id: ExchangeId, partner: PeerId, answer: Uint8Array): void {
    this.heard(partner);
    this.#all.set(id, { partner, answer });
    this.#last.set(partner, id);
    this.#bytes += answer.length;
    for (const [oldest, of] of this.#last) {
      if (this.#bytes <= MOST_BYTES || oldest === partner) break;
      this.#let(oldest, of);
    }
    if (this.#all.size <= MOST_NAMES) return;
    for (const [oldest, known] of this.#all) {
      this.#let(known.partner, oldest);
      this.#bytes -= known.answer?.length ?? 0;
      if (this.#last.get(known.partner) === oldest) this.#last.delete(known.partner);
      this.#all.delete(oldest);
      break;
    }
  }

  /** `partner` knows the end of its last exchange with us. */
  heard(partner: PeerId): void {
    const last = this.#last.get(partner);
    if (last !== undefined) this.#let(partner, last);
  }

  #let(partner: PeerId, id: ExchangeId): void {
    const known = this.#all.get(id);
    if (known === undefined || known.answer === null || known.answer.length < SMALL_BYTES) return;
    this.#last.delete(partner);
    this.#bytes -= known.answer.length;
    known.answer = null;
  }

  write(out: Writer): void {
    out.u32(this.#all.size);
    for (const [id, { partner, answer }] of this.#all) {
      for (let k = 0; k < 32; k += 8) out.u32(wordOf(id, k));
      out.u8(answer === null ? 0 : 1);
      if (answer === null) continue;
      out.text(partner);
      out.u32(answer.length);
      out.raw(answer);
    }
  }

  read(from: Reader): void {
    for (let left = from.u32("answers"); left > 0; left--) {
      let id = "";
      for (let k = 0; k < 4; k++) id += digitsOf(from.u32("answers"));
      if (from.u8("answers") === 0) this.#all.set(id, { partner: "", answer: null });
      else this.remember(id, from.text("answers"), from.raw("answers", from.u32("answers")));
    }
  }
}
