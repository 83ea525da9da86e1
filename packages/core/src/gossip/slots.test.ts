import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import { slotSize } from "../numbers/packed.ts";
import { Slots } from "./slots.ts";

const D = 2;
const SIZE = slotSize(D);

/** The model: a plain array of slots, oldest first. */
interface Slot {
  values: number[];
  count: number;
}

type Queue = { real: Slots; model: Slot[] };

function statistics(values: readonly number[], count: number): Statistics {
  const sums = new Statistics(D);
  sums.slot.set(values);
  sums.count = count;
  return sums;
}

const read = (slots: Slots): Slot[] =>
  Array.from({ length: slots.length }, (_, k) => ({
    values: Array.from(slots.values.subarray(slots.offset(k), slots.offset(k) + slots.size)),
    count: slots.count(k),
  }));

const mean = (mine: Slot, theirs: Slot): Slot => ({
  values: mine.values.map((value, k) => 0.5 * (value + theirs.values[k])),
  count: 0.5 * (mine.count + theirs.count),
});

const empty = (): Slot => ({ values: Array(SIZE).fill(0), count: 0 });

/** Two queues go through the same life in step, as two peers' buffers do; `numbers` fills what is appended. */
const COMMANDS = {
  append: ([a, b]: Queue[], round: number, numbers: number[]) => {
    [a, b].forEach(({ real, model }, which) => {
      const values = numbers.slice(which, which + SIZE);
      real.append(round, statistics(values, 1 + which));
      model.push({ values, count: 1 + which });
    });
  },
  push: (queues: Queue[], round: number) => {
    for (const { real, model } of queues) {
      expect(real.push(round)).toBe(model.length);
      model.push(empty());
    }
  },
  drop: (queues: Queue[]) => {
    if (queues[0].model.length === 0) return;
    for (const { real, model } of queues) {
      real.dropOldest();
      model.shift();
    }
  },
  mixFrom: ([a, b]: Queue[]) => {
    a.real.mixFrom(b.real);
    a.model.forEach((slot, k) => {
      a.model[k] = mean(slot, b.model[k]);
    });
  },
  mixBoth: ([a, b]: Queue[]) => {
    b.real.mixBoth(a.real);
    a.model.forEach((slot, k) => {
      const mixed = mean(slot, b.model[k]);
      a.model[k] = mixed;
      b.model[k] = mixed;
    });
  },
  clearAll: ([a]: Queue[]) => {
    a.real.clearAll();
    a.model = a.model.map(empty);
  },
  copy: ([a, b]: Queue[]) => {
    // Into a queue that has a past, longer or shorter.
    a.real.copyFrom(b.real);
    a.model = [...b.model];
  },
} as const satisfies Record<string, (queues: Queue[], round: number, numbers: number[]) => void>;

describe("slots", () => {
  it("behave as a plain list of slots", () => {
    const command = fc.oneof(
      { weight: 4, arbitrary: fc.constant("append" as const) },
      { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])) },
      { weight: 2, arbitrary: fc.constant("drop" as const) },
    );
    const numbers = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), {
      minLength: SIZE + 1,
      maxLength: SIZE + 1,
    });
    const life = fc.array(fc.tuple(command, numbers), { maxLength: 60, size: "max" });
    let longest = 0;
    const holds = fc.property(life, fc.integer({ min: 1, max: 4 }), (commands, capacity) => {
      const queues: Queue[] = [
        { real: new Slots(D, capacity), model: [] },
        { real: new Slots(D, capacity + 2), model: [] },
      ];
      commands.forEach(([name, filling], k) => {
        COMMANDS[name](queues, k + 1, filling);
        for (const { real, model } of queues) expect(read(real)).toEqual(model.map((slot) => ({ ...slot })));
        longest = Math.max(longest, queues[0].model.length);
      });
    });
    fc.assert(holds, { seed: 9, numRuns: 400 });
    // It has grown more than once.
    expect(longest).toBeGreaterThan(12);
  });

  it("remember the round of the newest slot", () => {
    const slots = new Slots(D, 1);
    expect(slots.newestRound).toBe(0);
    slots.push(4);
    slots.append(5, statistics(Array(SIZE).fill(1), 1));
    slots.dropOldest();
    expect(slots.newestRound).toBe(5);
    const copy = new Slots(D, 3);
    copy.copyFrom(slots);
    expect(copy.newestRound).toBe(5);
  });

  it("are added to sums, scaled, with their count", () => {
    const slots = new Slots(D);
    slots.append(1, statistics([1, 2, 3, 4, 5], 2));
    slots.append(2, statistics([10, 20, 30, 40, 50], 3));
    const sums = statistics([1, 1, 1, 1, 1], 7);
    slots.addTo(sums, 1, 0.5);
    expect([Array.from(sums.slot), sums.count]).toEqual([[6, 11, 16, 21, 26], 8.5]);
  });

  it("are copies: a later change of what was appended does not show", () => {
    const slots = new Slots(D);
    const sums = statistics([1, 2, 3, 4, 5], 1);
    slots.append(1, sums);
    sums.clear();
    const copy = new Slots(D);
    copy.copyFrom(slots);
    slots.clearAll();
    expect(read(copy)).toEqual([{ values: [1, 2, 3, 4, 5], count: 1 }]);
  });
});

describe("slots of peers that are not in step", () => {
  const filled = (rounds: readonly number[]): Slots => {
    const slots = new Slots(D);
    for (const round of rounds) slots.append(round, statistics(Array(SIZE).fill(round), 1));
    return slots;
  };

  it("mix only the rounds that both hold, and lose nothing", () => {
    const long = filled([1, 2, 3, 4]);
    const short = filled([3, 4]);
    short.clear(0);
    const total = (of: Slots): number => read(of).reduce((sum, slot) => sum + slot.values[0], 0);
    const before = total(long) + total(short);
    const copy = filled([1, 2, 3, 4]);
    copy.mixFrom(short);
    long.mixBoth(short);
    expect(read(long)).toEqual(read(copy));
    expect(read(long).map(({ values }) => values[0])).toEqual([1, 2, 1.5, 4]);
    expect(read(short).map(({ values, count }) => [values[0], count])).toEqual([
      [1.5, 0.5],
      [4, 1],
    ]);
    expect(total(long) + total(short)).toBe(before);
  });

  it("dated anew are one slot with the sum of all", () => {
    const slots = filled([5, 6, 7]);
    slots.redate(40);
    expect([slots.length, slots.newestRound]).toEqual([1, 40]);
    expect(read(slots)).toEqual([{ values: Array(SIZE).fill(18), count: 3 }]);
    const none = new Slots(D);
    none.redate(3);
    expect([none.length, none.newestRound]).toEqual([0, 3]);
  });
});
