// A slate from a large menu through the SDK beside a single choice from it: the least of many windows.
//   node bench/slate.mjs [--dimension 100] [--items 1000] [--count 10] [--windows 20]
import { parseArgs } from "node:util";
import { kindred, Random } from "@coterie/core";
import { createPeer, vectors } from "@coterie/net";

const { values: options } = parseArgs({
  options: {
    dimension: { type: "string", default: "100" },
    items: { type: "string", default: "1000" },
    count: { type: "string", default: "10" },
    windows: { type: "string", default: "20" },
  },
});
const [dimension, items, count, windows] = [options.dimension, options.items, options.count, options.windows].map(
  Number,
);
const random = Random.seeded(1);
const offered = Array.from({ length: items }, () =>
  Array.from({ length: dimension }, () => (random.uniform() - 0.5) / Math.sqrt(dimension)),
);
const peer = await createPeer({ room: "r", features: vectors(dimension), policy: kindred(), tick: false });
for (let k = 0; k < 20; k++) {
  await peer.observe(offered, k, (k % 7) / 7);
  await peer.tick();
}
const calls = { "one item": () => peer.choose(offered), [`top ${count}`]: () => peer.chooseTop(offered, count) };
const least = Object.fromEntries(Object.keys(calls).map((name) => [name, Infinity]));
for (let window = 0; window < windows; window++) {
  for (const [name, call] of Object.entries(calls)) {
    const from = performance.now();
    call();
    least[name] = Math.min(least[name], performance.now() - from);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
for (const [name, ms] of Object.entries(least)) {
  console.log(`${name} of ${items} with ${dimension} features: ${ms.toFixed(2)} ms`);
}
await peer.close();
