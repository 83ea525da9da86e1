import { Random } from "@coterie/core";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { Slots } from "../../core/src/gossip/slots.ts";
import { accelerate } from "../../core/src/numbers/accelerator.ts";
import { addObservation } from "../../core/src/numbers/packed.ts";
import { HEADER_BYTES } from "../../core/src/wire/frame.ts";
import { decodeSlots, encodeSlots } from "../../core/src/wire/payload.ts";
import { wasmAccelerator } from "./accelerator.ts";

afterEach(() => void accelerate(null));

function frameOf(random: Random, dimension: number, length: number): Uint8Array {
  const slots = new Slots(dimension, length);
  for (let k = 0; k < length; k++) {
    const position = slots.push(length);
    const count = random.below(4);
    for (let n = 0; n < count; n++) {
      const x = random.normals(new Float64Array(dimension));
      const norm = Math.hypot(...x);
      const arm = x.map((value) => value / norm);
      addObservation(slots.values, slots.offset(position), dimension, arm, 0, random.uniform());
    }
    slots.setCount(position, count);
  }
  return encodeSlots(slots);
}

/** What a reader makes of a frame: the numbers, or what it complains of. */
function read(frame: Uint8Array, dimension: number): unknown {
  try {
    return [...decodeSlots(frame, { dimension, most: 100, reward: 1 }).values];
  } catch (error) {
    return String(error);
  }
}

it("slots that are checked two at a time pass, or are refused for the same fault, as one by one", () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
  const shape = fc.record({
    seed: fc.nat(),
    dimension: fc.integer({ min: 6, max: 13 }),
    length: fc.integer({ min: 1, max: 6 }),
    damage,
    cut: fc.option(fc.nat(), { freq: 4 }),
  });
  const seen = { taken: 0, refused: 0 };
  const property = fc.property(shape, ({ seed, dimension, length, damage, cut }) => {
    const whole = frameOf(Random.seeded(seed), dimension, length);
    const frame = cut === null ? whole : whole.slice(0, HEADER_BYTES + (cut % (whole.length - HEADER_BYTES + 1)));
    // In the body, and as long as its header says.
    for (const [at, value] of damage) frame[HEADER_BYTES + (at % (frame.length - HEADER_BYTES + 1))] = value;
    new DataView(frame.buffer).setUint32(HEADER_BYTES - 4, frame.length - HEADER_BYTES, true);
    accelerate(null);
    const plain = read(frame, dimension);
    accelerate(wasmAccelerator());
    expect(read(frame, dimension)).toEqual(plain);
    seen[typeof plain === "string" ? "refused" : "taken"] += 1;
  });
  fc.assert(property, { numRuns: 2000 });
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100);
});
