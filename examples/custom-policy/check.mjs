// Puts the policy through the compliance suite, then lets a peer run it for a reader whose taste changes.
import { policyCompliance } from "@coterie/compliance";
import { createPeer, oneHot } from "@coterie/net";
import forgetful from "./policy.mjs";

const checks = policyCompliance(forgetful());
for (const { name, run } of checks) {
  await run();
  console.log(`ok  ${name}`);
}
console.log(`${checks.length} of ${checks.length} checks hold`);

const features = { topic: oneHot(["sport", "arts", "tech"]) };
const peer = await createPeer({ room: "forgetful", features, policy: forgetful(), tick: false, seed: 1 });
const articles = [{ topic: "sport" }, { topic: "arts" }, { topic: "tech" }];
for (const liked of ["tech", "sport"]) {
  let hits = 0;
  for (let round = 0; round < 100; round++) {
    const choice = peer.choose(articles);
    const reward = choice.item.topic === liked ? 1 : 0;
    hits += reward;
    await choice.reward(reward);
    await peer.tick();
  }
  console.log(`a reader of ${liked} liked ${hits} of 100 choices`);
}
await peer.close();
