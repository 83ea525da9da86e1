import { initialPeer as createCorePeer, Random, solo, step } from "@coterie/core";
import { expect, it } from "vitest";
import { defineFeatures } from "../features/define.ts";
import { Menu } from "../features/menu.ts";
import { vector } from "../features/vector.ts";
import { createPeer } from "./createPeer.ts";
import { settled } from "./testing/clock.ts";

const D = 24;
const ITEMS = 20;
const CHOICES = 500;

/** The least time of several, in microseconds per choice: what the machine does when nobody else disturbs it. */
async function timed(choose: () => unknown): Promise<number> {
  let least = Infinity;
  for (let k = 0; k < 20; k++) {
    const start = performance.now();
    for (let n = 0; n < CHOICES; n++) choose();
    least = Math.min(least, ((performance.now() - start) * 1000) / CHOICES);
    // What follows a choice, its record for the disk, comes after it and not in its way.
    await settled();
  }
  return least;
}

/** Reported, not asserted: machines differ. The choices themselves are. */
it("choosing through the SDK gives the core's choices; its price", async () => {
  const schema = { embedding: vector(D) };
  const random = Random.seeded(1);
  const items = Array.from({ length: ITEMS }, () => ({
    embedding: Array.from({ length: D }, () => (random.uniform() - 0.5) / 3),
  }));
  const features = defineFeatures(schema);
  const core = createCorePeer({ id: "core", dimension: features.dimension, policy: solo(), peers: 1 });
  const arms = new Menu(features);
  await using peer = await createPeer({ room: "r", features: schema, policy: solo(), tick: false });
  for (let k = 0; k < 50; k++) {
    const { index } = peer.choose(items);
    expect(step(core, { kind: "choose", arms: arms.read(items).arms })).toEqual([{ kind: "chosen", arm: index }]);
    const reward = (index % 7) / 7;
    step(core, { kind: "reward", reward });
    await peer.observe(items, index, reward);
  }
  arms.read(items);
  const alone = await timed(() => step(core, { kind: "choose", arms }));
  const encoded = await timed(() => step(core, { kind: "choose", arms: arms.read(items).arms }));
  const whole = await timed(() => peer.choose(items));
  const ratio = (time: number): string => (time / alone).toFixed(2);
  console.log(
    `choose, d = ${features.dimension}, ${ITEMS} items: core ${alone.toFixed(1)} µs; ` +
      `with features ${ratio(encoded)} times that, through the SDK ${ratio(whole)} times`,
  );
  expect(peer.state().pending).toBeGreaterThan(0);
});
