import { expect, it } from "vitest";
import { deadHub, partitionAndReturn, twoTabs } from "./testing/transcripts/rooms.ts";
import * as scenes from "./testing/transcripts/scenes.ts";

const TRANSCRIPTS = {
  "first-meeting": scenes.firstMeeting,
  "mutual-prune": scenes.mutualPrune,
  "liar-set-aside": scenes.liarSetAside,
  "crash-during-an-exchange": scenes.crashDuringExchange,
  newcomer: scenes.newcomer,
  "partition-and-return": partitionAndReturn,
  drift: scenes.drift,
  "two-tabs": twoTabs,
  "dead-hub": deadHub,
  "schema-deploy": scenes.schemaDeploy,
} as const;

/** `npm run transcripts` writes them anew. */
it.each(Object.entries(TRANSCRIPTS))("%s is as docs/transcripts has it", async (name, play) => {
  await expect(await play()).toMatchFileSnapshot(`../../../docs/transcripts/${name}.txt`);
});
