import { expect, it } from "vitest";
import { Budget, type Holder } from "./budget.ts";

/** A caller, and whether it was thrown out. */
function caller(budget: Budget) {
  const it = { held: 0, out: false };
  const holder: Holder = {
    get held() {
      return it.held;
    },
    flood: () => {
      it.out = true;
    },
  };
  const send = (bytes: number): void => {
    it.held += bytes;
    budget.take(holder, bytes);
  };
  const done = (): void => {
    budget.giveBack(holder, it.held);
    it.held = 0;
  };
  return { it, send, done, leave: () => budget.leave(holder) };
}

it("where callers hold too much, whoever holds most goes, and not whoever came last", () => {
  const budget = new Budget(100);
  const [stalled, other, honest] = [caller(budget), caller(budget), caller(budget)];
  stalled.send(60);
  other.send(30);
  honest.send(20);
  expect([stalled, other, honest].map(({ it }) => it.out)).toEqual([true, false, false]);
  // What it held is free at once, and not once more when its stream ends.
  stalled.leave();
  honest.send(50);
  expect(honest.it.out).toBe(false);
  honest.send(1);
  expect([other, honest].map(({ it }) => it.out)).toEqual([false, true]);
});

it("what was read is given back", () => {
  const budget = new Budget(100);
  const one = caller(budget);
  for (let k = 0; k < 10; k++) {
    one.send(90);
    one.done();
  }
  expect(one.it.out).toBe(false);
});
