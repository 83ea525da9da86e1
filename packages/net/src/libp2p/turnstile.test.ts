import { describe, expect, it } from "vitest";
import { Turnstile } from "./turnstile.ts";

describe("a turnstile", () => {
  it("lets in so many at a time and everybody in the end, in order, whether work fails or not", async () => {
    const turnstile = new Turnstile(2);
    const order: number[] = [];
    let inside = 0;
    const work = async (k: number): Promise<void> => {
      inside += 1;
      expect(inside).toBeLessThanOrEqual(2);
      order.push(k);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      if (k % 3 === 0) throw new Error("failed");
    };
    const all = await Promise.allSettled(Array.from({ length: 10 }, (_, k) => turnstile.pass(() => work(k))));
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(all.map(({ status }) => status === "rejected")).toEqual(order.map((k) => k % 3 === 0));
  });

  it("forgets who gives up waiting", async () => {
    const turnstile = new Turnstile(1);
    let finish = (): void => {};
    const first = turnstile.pass(() => new Promise<void>((resolve) => (finish = resolve)));
    const abort = new AbortController();
    const second = turnstile.pass(async () => "second", abort.signal);
    const third = turnstile.pass(async () => "third");
    abort.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    finish();
    await first;
    expect(await third).toBe("third");
    await expect(turnstile.pass(async () => 1, AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
    expect(await turnstile.pass(async () => "free")).toBe("free");
  });
});
