import type { Ball } from "../bandit/ball.ts";
import type { Local } from "../bandit/local.ts";
import type { Statistics } from "../bandit/statistics.ts";
import { type Buffer, EpochBuffer, RoundBuffer } from "../gossip/buffer.ts";
import type { Diffusion } from "../gossip/diffusion.ts";
import type { Neighbourhood } from "../gossip/neighbourhood.ts";
import type { Slots } from "../gossip/slots.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";

/**
 * The parts of a learner to bytes and back, exactly. Caches go along: a factor that was updated in place differs in its
 * last bits from one made anew, and a restored peer must go on with the very same bits.
 */

export function writeStatistics(out: Writer, statistics: Statistics): void {
  out.f64s(statistics.slot);
  out.f64(statistics.count);
}

export function readStatistics(from: Reader, field: string, into: Statistics): void {
  from.f64s(field, into.slot);
  into.count = from.f64(field);
}

export function writeBall(out: Writer, ball: Ball): void {
  out.f64s(ball.factor.lower);
  out.f64s(ball.factor.reciprocal);
  out.f64s(ball.estimate);
  out.u32(ball.updates);
}

export function readBall(from: Reader, field: string, into: Ball): void {
  from.f64s(field, into.factor.lower);
  from.f64s(field, into.factor.reciprocal);
  from.f64s(field, into.estimate);
  into.restore(from.u32(field));
}

/** A peer's own statistics, for a snapshot. */
export function writeLocal(out: Writer, local: Local): void {
  writeStatistics(out, local.statistics);
  writeBall(out, local.ball);
  out.f64s(local.shown);
  out.f64(local.shownCount);
}

export function readLocal(from: Reader, into: Local): void {
  readStatistics(from, "local", into.statistics);
  readBall(from, "local", into.ball);
  from.f64s("local", into.shown);
  into.shownCount = from.f64("local");
}

function writeSlots(out: Writer, slots: Slots): void {
  out.f64(slots.newestRound);
  out.u32(slots.length);
  for (let position = 0; position < slots.length; position++) {
    out.f64(slots.count(position));
    out.f64s(slots.values, slots.offset(position), slots.size);
  }
}

function readSlots(from: Reader, field: string, into: Slots): void {
  const newestRound = from.f64(field);
  const length = from.u32(field);
  while (into.length > 0) into.dropOldest();
  for (let position = 0; position < length; position++) {
    const count = from.f64(field);
    into.push(newestRound);
    from.f64s(field, into.values, into.offset(position), into.size);
    into.setCount(position, count);
  }
  into.newestRound = newestRound;
}

function writeBuffer(out: Writer, buffer: Buffer): void {
  writeSlots(out, buffer.shared);
  if (buffer instanceof RoundBuffer && buffer.own !== null) {
    writeSlots(out, buffer.own.slots);
    writeStatistics(out, buffer.own.total);
    out.u32(buffer.own.dropped);
  }
  if (buffer instanceof EpochBuffer) {
    writeStatistics(out, buffer.open);
    out.u32(buffer.age);
    if (buffer.ownClosed !== null) writeStatistics(out, buffer.ownClosed);
  }
}

function readBuffer(from: Reader, into: Buffer): void {
  readSlots(from, "buffer", into.shared);
  if (into instanceof RoundBuffer && into.own !== null) {
    readSlots(from, "own", into.own.slots);
    readStatistics(from, "own", into.own.total);
    into.own.dropped = from.u32("own");
  }
  if (into instanceof EpochBuffer) {
    readStatistics(from, "open", into.open);
    into.age = from.u32("age");
    if (into.ownClosed !== null) readStatistics(from, "own", into.ownClosed);
  }
}

export function writeDiffusion(out: Writer, diffusion: Diffusion): void {
  writeStatistics(out, diffusion.open);
  writeStatistics(out, diffusion.active);
  writeBuffer(out, diffusion.buffer);
}

export function readDiffusion(from: Reader, into: Diffusion): void {
  readStatistics(from, "open", into.open);
  readStatistics(from, "active", into.active);
  readBuffer(from, into.buffer);
  into.refresh(); // made from the sums alone, so the same bits
}

/** Sorted: who was pruned first within a round depends on who was stepped first, and must not show. */
export function writeNeighbourhood(out: Writer, neighbourhood: Neighbourhood): void {
  out.texts([...neighbourhood.pruned].sort());
}

export function readNeighbourhood(from: Reader, into: Neighbourhood): void {
  for (const peer of from.texts("neighbourhood")) into.prune(peer);
}
