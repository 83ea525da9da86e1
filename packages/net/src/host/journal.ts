import { ConfigError, type Input, type Peer, type PeerId, Reader, step, Writer } from "@coterie/core";
import type { Exchange, ExchangeRecord } from "../exchange/exchange.ts";
import type { Entry } from "../store/store.ts";

/**
 * A peer's life as entries of a log: every input that changes its state, and every step of an exchange. A restart takes
 * the last snapshot and lives through the entries after it again; the state machine does the same, bit for bit.
 */

export function observed(arm: Float64Array, reward: number): Entry {
  const out = new Writer(4 + 8 * arm.length + 8);
  out.u32(arm.length);
  out.f64s(arm);
  out.f64(reward);
  return { kind: "observe", body: out.bytes() };
}

export const CLOSED: Entry = { kind: "close", body: new Uint8Array() };

/** The peer's taste has changed. */
export const CHANGED: Entry = { kind: "change", body: new Uint8Array() };

/** What was published up to this version may be lost here. */
export function renewed(version: number): Entry {
  const out = new Writer(8);
  out.f64(version);
  return { kind: "renew", body: out.bytes() };
}

/** Somebody joined, or left for good. */
export function moved(kind: "join" | "leave", partner: PeerId): Entry {
  const out = new Writer(4 + 2 * partner.length);
  out.text(partner);
  return { kind, body: out.bytes() };
}

export function exchanged(record: ExchangeRecord): Entry {
  const message = record.kind === "landed" ? record.answer : record.kind === "answered" ? record.proposal : null;
  const partner = record.kind === "flight" || record.kind === "answered" ? record.partner : null;
  const names = 4 + 2 * record.id.length + (partner === null ? 0 : 4 + 2 * partner.length);
  const out = new Writer(names + (message === null ? 0 : 4 + message.length));
  out.text(record.id);
  if (partner !== null) out.text(partner);
  if (message !== null) {
    out.u32(message.length);
    out.raw(message);
  }
  return { kind: `exchange-${record.kind}`, body: out.bytes() };
}

/** Lives through one entry again. */
export function relive(entry: Entry, peer: Peer, exchange: Exchange | null, members: Set<PeerId>): void {
  const from = new Reader(
    entry.body,
    (_, field, value, bound) => new ConfigError(`${entry.kind}: ${field}`, value, bound),
  );
  const input = readInput(entry.kind, from);
  if (input !== null) step(peer, input);
  else exchange?.restore(readRecord(entry.kind, from));
  if (input?.kind === "join") members.add(input.partner);
  if (input?.kind === "leave") members.delete(input.partner);
  from.end(entry.kind);
}

function readInput(kind: string, from: Reader): Input | null {
  if (kind === "close" || kind === "change") return { kind };
  if (kind === "join" || kind === "leave") return { kind, partner: from.text("partner") };
  if (kind === "renew") return { kind, version: from.f64("version") };
  if (kind !== "observe") return null;
  const arm = new Float64Array(Math.min(from.u32("arm"), 4096));
  from.f64s("arm", arm);
  return { kind, arm, reward: from.f64("reward") };
}

function readRecord(kind: string, from: Reader): ExchangeRecord {
  const id = from.text("id");
  const message = (): Uint8Array => from.raw("message", from.u32("message"));
  switch (kind) {
    case "exchange-flight":
      return { kind: "flight", id, partner: from.text("partner") };
    case "exchange-answered":
      return { kind: "answered", id, partner: from.text("partner"), proposal: message() };
    case "exchange-landed":
      return { kind: "landed", id, answer: message() };
    case "exchange-given-up":
      return { kind: "given-up", id };
    default:
      throw new ConfigError("entry.kind", kind, "be a kind that this version writes");
  }
}
