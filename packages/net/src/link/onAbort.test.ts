import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { onAbort } from "./onAbort.ts";
import { unlessAborted } from "./wait.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

it("however many wait for a signal, it has one listener; none when nobody does", async () => {
  const { signal } = new AbortController();
  let done = (): void => {};
  const work = new Promise<void>((resolve) => {
    done = resolve;
  });
  const all = Array.from({ length: 40 }, () => unlessAborted(work, signal));
  expect(listeners(signal)).toBe(1);
  const stop = onAbort(signal, () => {});
  done();
  await Promise.all(all);
  expect(listeners(signal)).toBe(1);
  stop();
  stop();
  expect(listeners(signal)).toBe(0);
});

it("all who wait are called, once; those who stopped are not", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const again = (): void => void called.push("twice");
  onAbort(controller.signal, again);
  onAbort(controller.signal, again);
  const stop = onAbort(controller.signal, () => called.push("stopped"));
  stop();
  // Whoever is called may let others go.
  let stopLast = (): void => {};
  onAbort(controller.signal, () => stopLast());
  stopLast = onAbort(controller.signal, () => called.push("last"));
  controller.abort();
  controller.abort();
  expect(called.filter((name) => name === "twice")).toHaveLength(2);
  expect(called).not.toContain("stopped");
  expect(listeners(controller.signal)).toBe(0);
});
