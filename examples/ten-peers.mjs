// Ten peers of two tastes in one process: they gossip, and each ends up borrowing from its own kind.
import { createPeer, kindred, MemoryNetwork, memory, vectors } from "@coterie/net";

const tastes = [
  [0.9, 0.1, -0.3],
  [-0.6, 0.7, 0.3],
];
const network = new MemoryNetwork();
const peers = [];
for (let i = 0; i < 10; i++) {
  const options = { room: "ten", features: vectors(3), policy: kindred(), network: memory(network, `peer ${i}`) };
  peers.push(await createPeer({ ...options, tick: false, reward: { range: [-2, 2] } }));
}
const arm = () => {
  const x = [Math.random() - 0.5, Math.random() - 0.5, Math.random() - 0.5];
  const norm = Math.hypot(...x);
  return x.map((value) => value / norm);
};
const worth = (x, i) => x.reduce((sum, value, k) => sum + value * tastes[i % 2][k], 0);

let [early, late] = [0, 0];
for (let round = 0; round < 60; round++) {
  for (const [i, peer] of peers.entries()) {
    const arms = Array.from({ length: 6 }, arm);
    const choice = peer.choose(arms);
    const regret = Math.max(...arms.map((x) => worth(x, i))) - worth(choice.item, i);
    if (round < 15) early += regret;
    if (round >= 45) late += regret;
    await choice.reward(worth(choice.item, i) + 0.2 * (Math.random() - 0.5));
  }
  for (const peer of peers) await peer.tick();
}
console.log(`regret in the first 15 rounds ${early.toFixed(2)}, in the last 15 ${late.toFixed(2)}`);
console.log(peers[0].choose([[1, 0, 0]]).explain());
for (const peer of peers) await peer.close();
