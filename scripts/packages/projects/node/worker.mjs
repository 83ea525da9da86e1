// A peer in a thread of its own: answers each offer with what it chose, and learns that the first was liked.
import { parentPort, workerData } from "node:worker_threads";
import { createPeer, vectors } from "@coterie/net";

const peer = await createPeer({ room: "worker", features: vectors(2), tick: false });
for (let round = 0; round < workerData.rounds; round++) {
  const choice = peer.choose([
    [1, 0],
    [0, 1],
  ]);
  await choice.reward(choice.index === 0 ? 1 : 0);
  await peer.tick();
}
parentPort.postMessage({
  own: peer.state().own,
  index: peer.choose([
    [1, 0],
    [0, 1],
  ]).index,
});
await peer.close();
