// One peer by itself: it chooses, is paid, learns, and remembers after a restart. Run it twice.
//   node examples/alone.mjs [directory of the store]
import { createPeer, flag, folderStore, number, oneHot } from "@coterie/net";

const articles = [
  { title: "Cup final goes to penalties", topic: "sport", words: 700, fresh: true },
  { title: "The painter of small rooms", topic: "arts", words: 2400, fresh: false },
  { title: "A faster way to sort", topic: "tech", words: 1500, fresh: true },
];
/** This reader likes technology, and nothing long. */
const enjoyed = ({ topic, words }) => (topic === "tech" ? 1 : words < 1000 ? 0.4 : 0);

const peer = await createPeer({
  room: "front-page",
  features: { topic: oneHot(["sport", "arts", "tech"]), words: number(0, 3000), fresh: flag() },
  store: folderStore(process.argv[2] ?? "./front-page"),
});
console.log(`remembers ${peer.state().own} rewards`);
const picks = new Map();
for (let k = 0; k < 40; k++) {
  const choice = peer.choose(articles);
  picks.set(choice.item.title, (picks.get(choice.item.title) ?? 0) + 1);
  await choice.reward(enjoyed(choice.item));
  await peer.tick();
}
for (const [title, times] of picks) console.log(`${times} times: ${title}`);
console.log(peer.choose(articles).explain());
await peer.close();
