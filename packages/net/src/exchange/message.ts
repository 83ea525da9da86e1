import { type Outcome, ProtocolViolation, Reader, Writer } from "@coterie/core";
import { digitsOf, wordOf } from "../hex.ts";

/**
 * The two messages of an exchange. The proposal carries everything its sender has to give, so that the other side can
 * apply it and answer in one step; the answer says what came of it and carries what the proposer needs to do the same.
 *
 *     "Cx" | version u8 | type u8 | id 16 bytes | round u32 | …
 */
const MAGIC = 0x7843;
export const EXCHANGE_VERSION = 1;
/** Up to and with the round. */
const HEAD_BYTES = 24;
const PROPOSAL = 1;
const ANSWER = 2;
/** Whether somebody answers at all, asked before anything is promised: a head and nothing else, there and back. */
const PROBE = 3;
const READY = 4;

/** 16 bytes that name one exchange, drawn by its proposer; as 32 hexadecimal digits. */
export type ExchangeId = string;

export interface Proposal {
  readonly id: ExchangeId;
  /** The round the proposer is in. */
  readonly round: number;
  /** What both must agree on before anything is shared: a digest of room, features, policy and version. */
  readonly agreement: string;
  /** The proposer's offer as frames. */
  readonly frames: readonly Uint8Array[];
}

/**
 * What came of a proposal. Beyond the outcomes of a meeting: `busy`, the other side waits for an answer of its own;
 * `behind`, the proposer has to catch up to `round` first; `refused`, the two do not fit together.
 */
export type Verdict = Outcome | "busy" | "behind" | "refused";

/** A verdict's place in this list is its number on the wire, and in a demo's recordings: add at the end. */
export const VERDICTS = ["mix", "prune", "keep", "stranger", "busy", "behind", "refused"] as const satisfies Verdict[];

/** Why a proposal is refused that speaks of something else. */
export const DISAGREED = "another room, feature schema, policy or version";

export interface Answer {
  readonly id: ExchangeId;
  readonly round: number;
  readonly verdict: Verdict;
  /** Why it was refused, for people; empty otherwise. */
  readonly reason: string;
  /** With `mix`: the answering side's offer as it was before. */
  readonly frames: readonly Uint8Array[];
}

/** A limit on everything that is read from a stranger. */
export const MESSAGE_LIMITS = { bytes: 64 * 1024 * 1024, frames: 4, reasonLength: 200 } as const;

export function encodeProposal({ id, round, agreement, frames }: Proposal): Uint8Array {
  const out = begin(PROPOSAL, id, round, textBytes(agreement) + framesBytes(frames));
  out.text(agreement);
  writeFrames(out, frames);
  return out.bytes();
}

export function encodeAnswer({ id, round, verdict, reason, frames }: Answer): Uint8Array {
  const said = reason.slice(0, MESSAGE_LIMITS.reasonLength);
  const out = begin(ANSWER, id, round, 1 + textBytes(said) + framesBytes(frames));
  out.u8(VERDICTS.indexOf(verdict));
  out.text(said);
  writeFrames(out, frames);
  return out.bytes();
}

export function decodeProposal(bytes: Uint8Array): Proposal {
  const { from, id, round } = open(bytes, PROPOSAL);
  const agreement = text(from, "proposal.agreement", 64);
  const frames = readFrames(from);
  from.end("proposal");
  return { id, round, agreement, frames };
}

export function decodeAnswer(bytes: Uint8Array): Answer {
  const { from, id, round } = open(bytes, ANSWER);
  const code = from.u8("answer.verdict");
  const verdict = VERDICTS[code];
  if (verdict === undefined) throw new ProtocolViolation("out-of-range", "answer.verdict", code, "be a known verdict");
  const reason = text(from, "answer.reason", MESSAGE_LIMITS.reasonLength);
  const frames = readFrames(from);
  from.end("answer");
  return { id, round, verdict, reason, frames };
}

export const encodeProbe = (id: ExchangeId, round: number): Uint8Array => begin(PROBE, id, round, 0).bytes();

/** Where the fourth byte says so. */
export const isProbe = (bytes: Uint8Array): boolean => bytes[3] === PROBE;
/** The same, or the answer to one. */
export const isProbing = (bytes: Uint8Array): boolean => isProbe(bytes) || bytes[3] === READY;

/** The answer to a probe, which promises nothing. */
export function readyFor(probe: Uint8Array, round: number): Uint8Array {
  const { from, id } = open(probe, PROBE);
  from.end("probe");
  return begin(READY, id, round, 0).bytes();
}

/** Throws unless it is the answer to that probe. */
export function checkReady(bytes: Uint8Array, expected: ExchangeId): void {
  const { from, id } = open(bytes, READY);
  from.end("ready");
  if (id !== expected) throw new ProtocolViolation("mismatch", "ready.id", id, `be ${expected}`);
}

/** Turns a proposal away without a look at what it brings. */
export function refusal(proposal: Uint8Array, round: number, reason: string): Uint8Array {
  return encodeAnswer({ id: decodeProposal(proposal).id, round, verdict: "refused", reason, frames: [] });
}

/** `rest`: how many bytes follow. */
function begin(type: number, id: ExchangeId, round: number, rest: number): Writer {
  const out = new Writer(HEAD_BYTES + rest);
  out.u16(MAGIC);
  out.u8(EXCHANGE_VERSION);
  out.u8(type);
  for (let k = 0; k < 32; k += 2) out.u8(wordOf(id, k, 2));
  out.u32(round);
  return out;
}

function open(bytes: Uint8Array, type: number): { from: Reader; id: ExchangeId; round: number } {
  if (bytes.length > MESSAGE_LIMITS.bytes) {
    throw new ProtocolViolation("too-long", "message", bytes.length, `be at most ${MESSAGE_LIMITS.bytes} bytes`);
  }
  const from = new Reader(bytes, (reason, field, value, bound) => new ProtocolViolation(reason, field, value, bound));
  expect("version", "message.magic", from.u16("message.magic"), MAGIC);
  expect("version", "message.version", from.u8("message.version"), EXCHANGE_VERSION);
  expect("mismatch", "message.type", from.u8("message.type"), type);
  let id = "";
  for (let k = 0; k < 4; k++) id += digitsOf(swapped(from.u32("message.id")));
  const round = from.u32("message.round");
  if (round < 1) throw new ProtocolViolation("out-of-range", "message.round", round, "be at least 1");
  return { from, id, round };
}

/** The id's bytes lie in the order of its digits, those of other words the other way round. */
const swapped = (word: number): number =>
  ((word << 24) | ((word << 8) & 0xff0000) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;

function expect(reason: "version" | "mismatch", field: string, found: number, wanted: number): void {
  if (found !== wanted) throw new ProtocolViolation(reason, field, found, `be ${wanted}`);
}

function text(from: Reader, field: string, longest: number): string {
  const value = from.text(field);
  if (value.length > longest)
    throw new ProtocolViolation("too-long", field, value.length, `have at most ${longest} letters`);
  return value;
}

const textBytes = (text: string): number => 4 + 2 * text.length;
const framesBytes = (frames: readonly Uint8Array[]): number => frames.reduce((sum, { length }) => sum + 4 + length, 1);

function writeFrames(out: Writer, frames: readonly Uint8Array[]): void {
  out.u8(frames.length);
  for (const frame of frames) {
    out.u32(frame.length);
    out.raw(frame);
  }
}

function readFrames(from: Reader): Uint8Array[] {
  const count = from.u8("frames");
  if (count > MESSAGE_LIMITS.frames) {
    throw new ProtocolViolation("out-of-range", "frames", count, `be at most ${MESSAGE_LIMITS.frames}`);
  }
  // Where they lie: whoever decodes a message reads its frames at once, and the message is its own.
  const frames: Uint8Array[] = [];
  const field = (): string => `frames[${frames.length}]`;
  while (frames.length < count) frames.push(from.view(field, from.u32(field)));
  return frames;
}
