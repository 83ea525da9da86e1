/**
 * A process that chooses and rewards for ever. It says `chosen ID` once a choice is on the disk, and `rewarded ID` once
 * its reward is. Arguments: the store's path.
 */
import { writeSync } from "node:fs";
import { Random, solo } from "@coterie/core";
import { folderStore } from "../../store/folder/folder.ts";
import { createPeer } from "../createPeer.ts";
import { articles, SCHEMA } from "./room.ts";

const say = (line: string): number => writeSync(1, `${line}\n`);
const peer = await createPeer({
  room: "front-page",
  features: SCHEMA,
  policy: solo(),
  store: folderStore(process.argv[2]!),
  tick: { periodMs: 20 },
});
const random = Random.seeded(1);
for (;;) {
  const [rewarded, another, waiting] = peer.chooseTop(articles(random), 3);
  await Promise.all([rewarded, another].map((choice) => choice.reward(1).then(() => say(`rewarded ${choice.id}`))));
  // The log has an order: what was written before an acknowledged reward is on the disk too.
  say(`chosen ${waiting.id}`);
}
