/**
 * Choices that wait for their reward: `node --expose-gc bench/pending.mjs [PENDING] [IN ONE TURN]`. Makes them, first many in
 * one turn, rewards each, and says what became of the rewards, how long it took and how much memory a waiting choice takes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPeer, folderStore, oneHot, solo } from "@coterie/net";

const [pending = 200_000, together = 12_000] = process.argv.slice(2).map(Number);
const kinds = Array.from({ length: 19 }, (_, k) => `kind ${k}`);
const items = kinds.slice(0, 5).map((kind) => ({ kind }));

const folder = mkdtempSync(join(tmpdir(), "coterie-pending-"));
const peer = await createPeer({
  room: "bench",
  features: { kind: oneHot(kinds) },
  policy: solo(),
  store: folderStore(folder),
  tick: false,
  reward: { fallback: 0 },
  onEvent: (event) => console.log(event.kind, event.message ?? ""),
});
const turn = () => new Promise((resolve) => setImmediate(resolve));
const used = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const before = used();
const ids = new Array(pending);
let started = performance.now();
for (let k = 0; k < pending; k++) {
  ids[k] = peer.choose(items).id;
  if (k >= together && k % 1000 === 0) await turn();
}
await turn();
const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
console.log(`${peer.state().pending} pending after ${seconds()} s, ${together} of them in one turn`);
console.log(`peak resident ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
// Until this is on the disk, so is all before it: what is measured is what waits, not what is on its way.
await peer.reward(ids[0], 1);
const bytes = (used() - before) / pending;
console.log(`${bytes.toFixed(0)} bytes a pending choice of ${peer.features.dimension} coordinates, its id included`);

started = performance.now();
const answers = { learned: 1 };
for (let k = 1; k < pending; k += 1000) {
  for (const answer of await Promise.all(ids.slice(k, k + 1000).map((id) => peer.reward(id, 1)))) {
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
}
console.log("rewards:", JSON.stringify(answers), `after ${seconds()} s; own ${peer.state().own}`);
await peer.close();
rmSync(folder, { recursive: true, force: true });
