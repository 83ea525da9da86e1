// Puts the policy through the compliance suite, then lets a peer run it.
import { policyCompliance } from "@coterie/compliance";
import { createPeer, oneHot } from "@coterie/net";
import { greedy } from "./policy.mjs";

const checks = policyCompliance(greedy());
for (const { name, run } of checks) {
  await run();
  console.log(`ok  ${name}`);
}
console.log(`${checks.length} of ${checks.length} checks hold`);

const features = { topic: oneHot(["sport", "arts", "tech"]) };
const peer = await createPeer({ room: "greedy", features, policy: greedy(), tick: false, seed: 1 });
const articles = [{ topic: "sport" }, { topic: "arts" }, { topic: "tech" }];
let liked = 0;
for (let round = 0; round < 100; round++) {
  const choice = peer.choose(articles);
  const reward = choice.item.topic === "tech" ? 1 : 0;
  liked += reward;
  await choice.reward(reward);
  await peer.tick();
}
console.log(`a reader of tech liked ${liked} of 100 choices`);
await peer.close();
