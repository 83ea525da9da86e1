import { ProtocolViolation } from "../errors.ts";
import { type Complain, Reader, Writer } from "../numbers/bytes.ts";

/**
 * A frame: what one message of an exchange looks like on the wire.
 *
 *     "Co" | version u8 | kind u8 | bytes per number u8 | dimension u16 | length of the body u32 | body
 *
 * All little-endian. The length is checked before anything is read or made room for.
 */

const MAGIC = 0x6f43;
/** Of frames. Peers of different versions refuse each other. */
export const WIRE_VERSION = 3;
/** What a frame has before its body. */
export const HEADER_BYTES = 11;

/** The version that a kind of frame was last changed in: logs hold what was said in earlier ones. */
const CHANGED_IN: { readonly [kind in FrameKind]?: number } = { "record-greeting": 2 };

export const FRAME_KINDS = { refusal: 0, greeting: 1, slots: 2, parcel: 3, "record-greeting": 4, records: 5 } as const;
export type FrameKind = keyof typeof FRAME_KINDS;

/** Bytes per number in a body of this kind. */
const precisionOf = (kind: FrameKind): number => (kind === "record-greeting" || kind === "records" ? 4 : 8);

/** What a receiver is ready to read; everything beyond it is a violation. */
export interface WireLimits {
  readonly dimension: number;
  /** The most slots, or observations in a parcel, that a frame may carry. */
  readonly most: number;
  /** Bounds |reward|; Infinity where the application does not say (then `MOST_REWARD` does). */
  readonly reward: number;
}

/** `bytes`: how long the whole frame will be, where that is known. */
export function writeFrame(
  kind: FrameKind,
  dimension: number,
  body: (out: Writer) => void,
  bytes?: number,
): Uint8Array {
  const out = new Writer(bytes);
  out.u16(MAGIC);
  out.u8(WIRE_VERSION);
  out.u8(FRAME_KINDS[kind]);
  out.u8(precisionOf(kind));
  out.u16(dimension);
  out.u32(0);
  body(out);
  const frame = out.bytes();
  const length = frame.length - HEADER_BYTES;
  for (let k = 0; k < 4; k++) frame[HEADER_BYTES - 4 + k] = length >>> (8 * k);
  return frame;
}

const complain: Complain = (reason, field, value, bound) => new ProtocolViolation(reason, field, value, bound);

/** Checks the header and hands the body to `read`, which must use up all of it. */
export function readFrame<T>(bytes: Uint8Array, kind: FrameKind, limits: WireLimits, read: (from: Reader) => T): T {
  const from = new Reader(bytes, complain);
  expect("version", "frame.magic", from.u16("frame.magic"), MAGIC);
  const version = from.u8("frame.version");
  if (version < (CHANGED_IN[kind] ?? 1) || version > WIRE_VERSION) {
    expect("version", "frame.version", version, WIRE_VERSION);
  }
  expect("mismatch", "frame.kind", from.u8("frame.kind"), FRAME_KINDS[kind]);
  expect("mismatch", "frame.precision", from.u8("frame.precision"), precisionOf(kind));
  expect("mismatch", "frame.dimension", from.u16("frame.dimension"), limits.dimension);
  const length = from.u32("frame.length");
  if (length > from.left) throw complain("truncated", "frame.body", `${from.left} bytes`, `have ${length} bytes`);
  if (length < from.left) throw complain("too-long", "frame.body", `${from.left} bytes`, `have ${length} bytes`);
  const value = read(from);
  from.end("frame.body");
  return value;
}

function expect(reason: "version" | "mismatch", field: string, found: number, wanted: number): void {
  if (found !== wanted) throw new ProtocolViolation(reason, field, found, `be ${wanted}`);
}

/** A refusal says only that there will be no exchange. */
export const refusal = (dimension: number): Uint8Array => writeFrame("refusal", dimension, () => {});
