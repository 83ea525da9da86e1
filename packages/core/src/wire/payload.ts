import { MOST_REWARD } from "../bandit/reward.ts";
import { ProtocolViolation, within } from "../errors.ts";
import { Parcel } from "../gossip/parcel.ts";
import { Slots } from "../gossip/slots.ts";
import type { Writer } from "../numbers/bytes.ts";
import { slotSize } from "../numbers/packed.ts";
import { HEADER_BYTES, readFrame, type WireLimits, writeFrame } from "./frame.ts";
import { slotValidator } from "./validity.ts";

/** The bodies of the frames: slots, greeting, parcel. Each encoder has its size beside it, so that a simulation can count bytes without making them. */

/** round u32 | slots u32 | per slot: 0, or 1 | count f64 | gram and moment. A zero slot costs a byte. */
export function encodeSlots(slots: Slots): Uint8Array {
  const body = (out: Writer): void => {
    out.u32(slots.newestRound);
    out.u32(slots.length);
    for (let position = 0; position < slots.length; position++) {
      const count = slots.count(position);
      out.u8(count === 0 ? 0 : 1);
      if (count === 0) continue;
      out.f64(count);
      out.f64s(slots.values, slots.offset(position), slots.size);
    }
  };
  return writeFrame("slots", slots.dimension, body, slotsBytes(slots));
}

export function slotsBytes(slots: Slots): number {
  let filled = 0;
  for (let position = 0; position < slots.length; position++) if (slots.count(position) > 0) filled += 1;
  return bytesOfSlots(slots.dimension, slots.length, filled);
}

/** The same for `held` slots of which `filled` are not zero. */
export const bytesOfSlots = (dimension: number, held: number, filled: number): number =>
  HEADER_BYTES + 8 + held + filled * (8 + 8 * slotSize(dimension));

export function decodeSlots(bytes: Uint8Array, limits: WireLimits): Slots {
  return readFrame(bytes, "slots", limits, (from) => {
    const round = from.u32("slots.round");
    const length = within("slots.length", from.u32("slots.length"), 0, limits.most);
    if (length > from.left)
      throw new ProtocolViolation("truncated", "slots", `${from.left} bytes`, `hold ${length} slots`);
    const slots = new Slots(limits.dimension, Math.max(length, 1));
    slots.newestRound = round; // an empty buffer has a round too
    let position = 0;
    const field = (): string => `slots[${position}]`;
    const counted = (): string => `${field()} count`;
    try {
      for (; position < length; position++) {
        const tag = from.u8(field);
        if (tag > 1) throw new ProtocolViolation("out-of-range", `${field()} tag`, tag, "be 0 or 1");
        slots.push(round);
        if (tag === 0) continue;
        const count = from.f64(counted);
        if (!(count > 0 && count <= Number.MAX_SAFE_INTEGER)) {
          throw new ProtocolViolation("out-of-range", counted(), count, "be a finite number above 0");
        }
        from.f64s(field, slots.values, slots.offset(position), slots.size);
        slots.setCount(position, count);
      }
    } finally {
      // Of those before one that cannot be read, too: the first fault is the one that counts.
      slotValidator(limits).check(slots, position);
    }
    return slots;
  });
}

/** What two peers compare before they share: the local estimate, its count and the digest of those pruned. */
export interface DccbGreeting {
  readonly estimate: Float64Array;
  readonly count: number;
  readonly digest: Uint32Array;
  /** The peer parted from somebody in this round and has nothing to share until it is over. */
  readonly resetting: boolean;
}

/** resetting u8 | count f64 | digest 4 u32 | estimate. */
export function encodeGreeting(greeting: DccbGreeting): Uint8Array {
  const { length } = greeting.estimate;
  const body = (out: Writer): void => {
    out.u8(greeting.resetting ? 1 : 0);
    out.f64(greeting.count);
    for (let lane = 0; lane < 4; lane++) out.u32(greeting.digest[lane]!);
    out.f64s(greeting.estimate, 0, length);
  };
  return writeFrame("greeting", length, body, greetingBytes(length));
}

/** How long the frame of a dccb greeting is. */
export const greetingBytes = (dimension: number): number => HEADER_BYTES + 25 + 8 * dimension;

export function decodeGreeting(bytes: Uint8Array, limits: WireLimits): DccbGreeting {
  return readFrame(bytes, "greeting", limits, (from) => {
    const resetting = within("greeting.resetting", from.u8("greeting.resetting"), 0, 1);
    const count = from.f64("greeting.count");
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new ProtocolViolation("out-of-range", "greeting.count", count, "be a whole number of at least 0");
    }
    const digest = new Uint32Array(4);
    for (let lane = 0; lane < 4; lane++) digest[lane] = from.u32("greeting.digest");
    const estimate = new Float64Array(limits.dimension);
    from.f64s("greeting.estimate", estimate, 0, limits.dimension);
    for (const value of estimate) {
      if (!Number.isFinite(value)) throw new ProtocolViolation("not-finite", "greeting.estimate", value, "be finite");
    }
    return { estimate, count, digest, resetting: resetting === 1 };
  });
}

/** observations u32 | per observation: hops u32 | reward | vector. */
export function encodeParcel(parcel: Parcel): Uint8Array {
  return writeFrame("parcel", parcel.dimension, (out) => {
    out.u32(parcel.length);
    for (let k = 0; k < parcel.length; k++) {
      out.u32(parcel.hops(k));
      out.f64s(parcel.vectors, parcel.offset(k), parcel.dimension + 1);
    }
  });
}

export const parcelBytes = (parcel: Parcel): number =>
  HEADER_BYTES + 4 + parcel.length * (4 + 8 * (parcel.dimension + 1));

export function decodeParcel(bytes: Uint8Array, limits: WireLimits): Parcel {
  return readFrame(bytes, "parcel", limits, (from) => {
    const length = within("parcel.length", from.u32("parcel.length"), 0, limits.most);
    const parcel = new Parcel(limits.dimension);
    const observation = new Float64Array(slotSize(limits.dimension));
    for (let k = 0; k < length; k++) {
      const field = `parcel[${k}]`;
      const hops = from.u32(`${field} hops`);
      from.f64s(field, observation, 0, limits.dimension + 1);
      checkObservation(field, observation, limits);
      parcel.add(observation, 0, observation[limits.dimension]!, hops);
    }
    return parcel;
  });
}

function checkObservation(field: string, observation: Float64Array, limits: WireLimits): void {
  const { dimension, reward } = limits;
  let square = 0;
  for (let i = 0; i < dimension; i++) square += observation[i]! * observation[i]!;
  const paid = observation[dimension]!;
  if (!Number.isFinite(square + paid)) throw new ProtocolViolation("not-finite", field, square + paid, "be finite");
  if (square > 1 + 1e-8) {
    throw new ProtocolViolation("out-of-range", field, `length ${Math.sqrt(square)}`, "lie within the unit ball");
  }
  if (Math.abs(paid) > Math.min(reward, MOST_REWARD))
    throw new ProtocolViolation("out-of-range", `${field} reward`, paid, `be within ${reward}`);
}
