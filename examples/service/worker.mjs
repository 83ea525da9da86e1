// One worker: a peer in the room of all workers, which chooses a story for each reader of its region.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { createPeer, flag, libp2p, number, oneHot } from "@coterie/net";

const { bootstrap, region, requests } = workerData;
const taste = ["sport", "arts"][region % 2];
const topics = ["sport", "arts", "tech", "travel"];

const peer = await createPeer({
  room: "stories",
  features: { topic: oneHot(topics), words: number(0, 3000), fresh: flag() },
  network: libp2p({ bootstrap, listen: ["/ip4/127.0.0.1/tcp/0"] }),
  tick: { periodMs: 250 },
});

/** What an editor offers on one occasion: one story of each topic. */
const stories = () => topics.map((topic) => ({ topic, words: Math.random() * 3000, fresh: Math.random() < 0.5 }));
/** Readers do not always like what they mostly like. */
const likes = ({ topic, fresh }) => Math.random() < (topic === taste ? 0.75 : 0.1) + (fresh ? 0.1 : 0);

// Who has just come knows nobody yet; the first others are enough to begin with.
while (peer.state().alive.length === 0) await pause(100);
const liked = [];
for (let k = 0; k < requests; k++) {
  const choice = peer.choose(stories());
  liked.push(likes(choice.item));
  await choice.reward(liked.at(-1) ? 1 : 0);
  await pause(50);
}
// A last look round: what the others have learnt meanwhile.
await pause(2000);

const quarter = Math.ceil(requests / 4);
const share = (part) => Math.round((100 * part.filter(Boolean).length) / part.length);
const { own, lenders } = peer.state();
const [early, late] = [share(liked.slice(0, quarter)), share(liked.slice(-quarter))];
parentPort.postMessage({ region, taste, early, late, own, lenders: lenders.length });
// Others may still want to hear from this one.
await once(parentPort, "message");
await peer.close();
parentPort.close();

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
