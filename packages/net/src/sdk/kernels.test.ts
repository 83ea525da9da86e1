import { dccb, kindred, Random, solo } from "@coterie/core";
import { accelerate, accelerator } from "@coterie/core/internal";
import { afterEach, expect, it } from "vitest";
import { vectors } from "../features/vectors.ts";
import { createPeer } from "./createPeer.ts";
import { TestClock } from "./testing/clock.ts";

afterEach(() => void accelerate(null));

const open = (policy = dccb()) =>
  createPeer({ room: "r", features: vectors(8), policy, tick: false, clock: new TestClock(), seed: 3 });

/** They are loaded beside the peer. */
const loaded = () => expect.poll(() => accelerator()?.name).toBe("wasm-simd128");

it.each([kindred, solo, dccb])("a peer takes the kernels into use (%#)", async (policy) => {
  await using _peer = await open(policy());
  await loaded();
});

it("but not where there is too little to gain", async () => {
  await using _large = await open();
  await loaded();
  accelerate(null);
  await using _other = await createPeer({ room: "r", features: vectors(3), tick: false, clock: new TestClock() });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(accelerator()).toBeNull();
});

it("it chooses the same without them", async () => {
  await using fast = await open();
  await loaded();
  const kernels = accelerate(null);
  await using plain = await open();
  await loaded();
  const random = Random.seeded(4);
  const seen = new Set<number>();
  for (let k = 0; k < 100; k++) {
    const items = Array.from({ length: 12 }, () => Array.from(random.normals(new Float64Array(8)), (x) => x / 8));
    accelerate(kernels);
    const chosen = fast.choose(items);
    accelerate(null);
    const again = plain.choose(items);
    expect(again.index).toBe(chosen.index);
    seen.add(chosen.index);
    const reward = Math.min(1, Math.max(0, 0.5 + chosen.item[0]!));
    await Promise.all([chosen.reward(reward), again.reward(reward)]);
  }
  expect(seen.size).toBeGreaterThan(5);
});
