import fc from "fast-check";
import { describe, it } from "vitest";
import type { ViolationReason } from "../errors.ts";
import { triangleSize } from "../numbers/packed.ts";
import { DIMENSION, HONEST, honest, limits, patched, refused, replaced } from "../testing/frames.ts";
import { LARGEST_REWARD } from "../testing/small-world.ts";
import { thousands } from "../testing/thousands.ts";
import { HEADER_BYTES } from "./frame.ts";

type Put = (k: number, value: number) => void;

/** Where the first slot of a frame begins that is not zero; -1 where all are. */
function firstSlot(frame: Uint8Array): number {
  const slots = new DataView(frame.buffer).getUint16(HEADER_BYTES + 4, true);
  const tags = frame.subarray(HEADER_BYTES + 8, HEADER_BYTES + 8 + slots);
  return tags.indexOf(1) < 0 ? -1 : HEADER_BYTES + 8 + tags.indexOf(1);
}

/** Frames with a slot to damage. */
const slotted = honest.filter(
  ({ offer, frames }) => ["dcb", "dccb"].includes(offer.policy) && firstSlot(frames.at(-1)!) >= 0,
);

/** Every honest frame with this change to one slot is refused, with this reason, at this place. */
function refuse(
  change: (view: DataView, slot: number, put: Put) => void,
  reason: ViolationReason,
  field: RegExp,
): void {
  const property = fc.property(slotted, ({ codec, frames }) => {
    const last = frames.length - 1;
    const slot = firstSlot(frames[last]!);
    const bad = patched(frames[last]!, (view) => {
      const put: Put = (k, value) => view.setFloat64(slot + 9 + 8 * k, value, true);
      change(view, slot, put);
    });
    refused(() => codec.decode(replaced(frames, last, bad), limits), reason, field);
  });
  fc.assert(property, { ...thousands, numRuns: 300 });
}

const MOMENT = triangleSize(DIMENSION);

describe("slots that no honest peer could hold", () => {
  it.each([2, 3, 128, 255])("a tag of %i", (tag) =>
    refuse((view, slot) => view.setUint8(slot, tag), "out-of-range", /^slots\[\d+\] tag$/),
  );

  it.each([0, -0, -1, -1e-300, Number.NaN, Infinity, -Infinity, 2 ** 54])("a count of %d", (count) =>
    refuse((view, slot) => view.setFloat64(slot + 1, count, true), "out-of-range", /^slots\[\d+\] count$/),
  );

  it.each([0, 1, 4, MOMENT, MOMENT + DIMENSION - 1])("a number that is none at %i", (k) => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      refuse((_view, _slot, put) => put(k, value), "not-finite", /^slots\[\d+\]$/);
    }
  });

  it("a negative trace, or one above what the count allows", () => {
    for (const value of [-100, 1e4, 1e30]) {
      refuse((_view, _slot, put) => put(0, value), "not-covariance", /^slots\[\d+\] trace$/);
    }
  });

  it.each([
    [[0.1, 0.2, 0.1, 0, 0, 0.1]],
    [[0.1, 0, 0.1, -0.2, 0, 0.1]],
    [[0.1, 0, -0.01, 0, 0, 0.1]],
    [[0.1, 0, 0.1, 0, 1e30, 0.1]],
    [[0, 0.1, 0.1, 0, 0, 0.1]],
  ])("a gram of %j, which is not positive semidefinite", (gram) => {
    const indefinite = (_view: DataView, _slot: number, put: Put) => {
      for (let k = 0; k < MOMENT; k++) put(k, gram[k]!);
    };
    refuse(indefinite, "not-covariance", /^slots\[\d+\]$/);
  });

  it("a moment larger than any rewards could make it, however large", () => {
    for (const value of [100, -1e6, 1e20, 1e200]) {
      refuse((_view, _slot, put) => put(MOMENT, value), "not-covariance", /^slots\[\d+\] moment$/);
      // With a gram of zeros the numbers on the way overflow; the answer is no all the same.
      const bare = (_view: DataView, _slot: number, put: Put) => {
        for (let k = 0; k < MOMENT; k++) put(k, 0);
        put(MOMENT, value);
      };
      refuse(bare, "not-covariance", /^slots\[\d+\] moment$/);
    }
  });
});

describe("greetings and parcels that no honest peer could send", () => {
  const greeting = (change: (view: DataView) => void) => {
    const { codec, offers } = HONEST.find(({ name }) => name === "dccb")!;
    const frames = codec.encode(offers[0]!);
    return () => codec.decode([patched(frames[0]!, change), frames[1]!], limits);
  };
  const parcel = (change: (view: DataView) => void) => {
    const { codec, offers } = HONEST.find(({ name }) => name === "round-robin")!;
    return () => codec.decode([patched(codec.encode(offers[0]!)[0]!, change)], limits);
  };
  const AT = { resetting: 11, count: 12, estimate: 36, vector: 19, reward: 19 + 8 * DIMENSION };

  it("a count that counts nothing, a flag that is none, an estimate that is no number", () => {
    const count = fc.oneof(
      fc.double({ max: -1e-300, noNaN: true }),
      fc.double({ noInteger: true }),
      fc.constant(2 ** 60),
    );
    fc.assert(
      fc.property(count, fc.integer({ min: 2, max: 255 }), (n, flag) => {
        refused(
          greeting((view) => view.setFloat64(AT.count, n, true)),
          "out-of-range",
          /^greeting\.count$/,
          n,
        );
        refused(
          greeting((view) => view.setUint8(AT.resetting, flag)),
          "out-of-range",
          /^greeting\.resetting$/,
          flag,
        );
      }),
      thousands,
    );
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      for (let i = 0; i < DIMENSION; i++) {
        const bad = greeting((view) => view.setFloat64(AT.estimate + 8 * i, value, true));
        refused(bad, "not-finite", /^greeting\.estimate$/, value);
      }
    }
  });

  it("an arm outside the unit ball, a reward outside its bound, either no number", () => {
    const beyond = (least: number) =>
      fc
        .tuple(fc.double({ min: least, max: 1e150, minExcluded: true, noNaN: true }), fc.boolean())
        .map(([x, sign]) => (sign ? x : -x));
    fc.assert(
      fc.property(fc.nat(DIMENSION - 1), beyond(1.0001), beyond(LARGEST_REWARD), (i, x, paid) => {
        refused(
          parcel((view) => view.setFloat64(AT.vector + 8 * i, x, true)),
          "out-of-range",
          /^parcel\[0\]$/,
        );
        const reward = parcel((view) => view.setFloat64(AT.reward, paid, true));
        refused(reward, "out-of-range", /^parcel\[0\] reward$/, paid);
      }),
      thousands,
    );
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      refused(
        parcel((view) => view.setFloat64(AT.vector, value, true)),
        "not-finite",
        /^parcel\[0\]$/,
      );
      refused(
        parcel((view) => view.setFloat64(AT.reward, value, true)),
        "not-finite",
        /^parcel\[0\]$/,
      );
    }
  });
});
