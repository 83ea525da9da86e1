import { ConfigError, type Input, type Peer, type PeerId, Reader, step, Writer } from "@coterie/core";
import type { Exchange, ExchangeRecord } from "../exchange/exchange.ts";
import { LongEntry } from "../store/longEntry.ts";
import type { Entry } from "../store/store.ts";
import { heritageFrom, writeHeritage } from "./heritage.ts";
import type { Loss } from "./loss.ts";
import type { Places } from "./places.ts";
import type { Regained } from "./regain.ts";
import type { ReportQueue } from "./reportQueue.ts";

/**
 * A peer's life as entries of a log: every input that changes its state, and every step of an exchange. A restart takes
 * the last snapshot and lives through the entries after it again; the state machine does the same, bit for bit.
 */

/** `retold`: for a choice of before a loss (loss.ts). */
export function observed(arm: Float64Array, reward: number, retold = false): Entry {
  const out = new Writer(4 + 8 * arm.length + 8);
  out.u32(arm.length);
  out.f64s(arm);
  out.f64(reward);
  return { kind: retold ? RETOLD : "observe", body: out.bytes() };
}

const RETOLD = "observe-retold";

export const CLOSED: Entry = { kind: "close", body: new Uint8Array() };

/** The peer's taste has changed. */
export const CHANGED: Entry = { kind: "change", body: new Uint8Array() };

/** What was published up to this version may be lost here. */
export function renewed(version: number): Entry {
  const out = new Writer(8);
  out.f64(version);
  return { kind: "renew", body: out.bytes() };
}

/** Own observations were lost. */
export function lost(date: number): Entry {
  const out = new Writer(8);
  out.f64(date);
  return { kind: "lost", body: out.bytes() };
}

/** Some of them came back. */
export function regained({ heritage, left }: Regained): Entry {
  const out = new Writer();
  writeHeritage(out, heritage);
  out.u8(left === null ? 0 : 1);
  if (left !== null) writeHeritage(out, left);
  return { kind: "regain", body: out.bytes() };
}

/** So many are there. Who they are is not written down: that is found out again sooner than it is read. */
export function resized(peers: number): Entry {
  const out = new Writer(4);
  out.u32(peers);
  return { kind: "resize", body: out.bytes() };
}

/** Nothing is kept of a peer any more. */
export function forgotten(partner: PeerId): Entry {
  const out = new Writer(4 + 2 * partner.length);
  out.text(partner);
  return { kind: "forget", body: out.bytes() };
}

export function exchanged(record: ExchangeRecord): Entry {
  const message = messageOf(record);
  const partner = record.kind === "flight" || record.kind === "answered" ? record.partner : null;
  const names = 4 + 2 * record.id.length + (partner === null ? 0 : 4 + 2 * partner.length);
  const out = new Writer(names + (message === null ? 0 : 4));
  out.text(record.id);
  if (partner !== null) out.text(partner);
  if (message !== null) out.u32(message.length);
  const kind = `exchange-${record.kind}`;
  return message === null ? { kind, body: out.bytes() } : new LongEntry(kind, out.bytes(), message);
}

function messageOf(record: ExchangeRecord): Uint8Array | null {
  if (record.kind === "landed") return record.answer;
  if (record.kind === "caught") return record.proofs;
  return record.kind === "answered" ? record.proposal : null;
}

/** Where others answered, and where we listened. */
export function placed(places: Places): Entry {
  const out = new Writer();
  places.write(out);
  return { kind: PLACED, body: out.bytes() };
}

const PLACED = "places";

/** All that a restart must find again: the peer, its exchange where it has one, and what it has to tell others. */
export interface Life {
  readonly peer: Peer;
  readonly exchange: Exchange | null;
  readonly loss: Loss;
  readonly places: Places;
  readonly queue: ReportQueue;
}

/** Lives through one entry again. */
export function relive(entry: Entry, { peer, exchange, loss, places, queue }: Life): void {
  const from = new Reader(
    entry.body,
    (_, field, value, bound) => new ConfigError(`${entry.kind}: ${field}`, value, bound),
  );
  const input = readInput(entry.kind, from);
  if (input !== null) step(peer, input);
  else if (entry.kind === PLACED) places.read(from);
  else if (entry.kind === "lost") loss.begin(peer, from.f64("date"));
  else if (entry.kind === "regain") loss.take(peer, readRegained(from, peer.config.dimension));
  else if (!queue.relive(entry.kind, from)) exchange?.restore(readRecord(entry.kind, from));
  if (entry.kind === RETOLD && input?.kind === "observe") loss.retold(input.arm, input.reward);
  from.end(entry.kind);
}

function readInput(kind: string, from: Reader): Input | null {
  if (kind === "close" || kind === "change") return { kind };
  // Up to format 3 it was written down who came and went.
  if (kind === "join" || kind === "leave" || kind === "forget") return { kind, partner: from.text("partner") };
  if (kind === "resize") return { kind, peers: from.u32("peers") };
  if (kind === "renew") return { kind, version: from.f64("version") };
  if (kind !== "observe" && kind !== RETOLD) return null;
  const arm = new Float64Array(Math.min(from.u32("arm"), 4096));
  from.f64s("arm", arm);
  return { kind: "observe", arm, reward: from.f64("reward") };
}

function readRegained(from: Reader, dimension: number): Regained {
  const heritage = heritageFrom(from, dimension);
  return { heritage, left: from.u8("left") === 0 ? null : heritageFrom(from, dimension) };
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
    case "exchange-caught":
      return { kind: "caught", id, proofs: message() };
    case "exchange-withdrawn":
      return { kind: "withdrawn", id };
    default:
      throw new ConfigError("entry.kind", kind, "be a kind that this version writes");
  }
}
