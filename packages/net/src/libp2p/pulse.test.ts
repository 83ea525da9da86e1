import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LOOK_MS, PULSE_MS, SILENT_MS } from "./limits.ts";
import { keepPulse } from "./pulse.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection whose other side answers as told. */
function connected(ask: (signal: AbortSignal) => Promise<unknown>) {
  const ended: string[] = [];
  const events = new EventTarget();
  let asked = 0;
  const pulse = keepPulse(
    (signal) => {
      asked += 1;
      return ask(signal);
    },
    { abort: ({ message }) => ended.push(message), addEventListener: events.addEventListener.bind(events) },
    () => Date.now(),
  );
  return { pulse, ended, asked: () => asked, close: () => events.dispatchEvent(new Event("close")) };
}

const silent = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

it("nobody is asked who says something", async () => {
  const { pulse, asked } = connected(silent);
  for (let k = 0; k < 20; k++) {
    await vi.advanceTimersByTimeAsync(LOOK_MS);
    pulse.heard();
  }
  expect(asked()).toBe(0);
});

it("a silent one is asked, and its connection ends where it does not answer", async () => {
  const { ended, asked } = connected(silent);
  await vi.advanceTimersByTimeAsync(SILENT_MS + LOOK_MS);
  expect([asked(), ended.length]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(PULSE_MS);
  expect(ended).toHaveLength(1);
});

it("one that answers stays, and nobody is asked once it is closed", async () => {
  const { ended, asked, close } = connected(async () => {});
  await vi.advanceTimersByTimeAsync(10 * LOOK_MS);
  expect(ended).toEqual([]);
  const before = asked();
  expect(before).toBeGreaterThan(1);
  close();
  await vi.advanceTimersByTimeAsync(10 * LOOK_MS);
  expect(asked()).toBe(before);
});
