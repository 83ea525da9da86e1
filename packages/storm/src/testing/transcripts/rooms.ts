import { Profile } from "../../../../net/src/store/shared/testing/profile.ts";
import { Cast, likes } from "./cast.ts";
import { SimulatedCast } from "./simulatedCast.ts";
import { Transcript } from "./transcript.ts";

export async function partitionAndReturn(): Promise<string> {
  const transcript = new Transcript(
    "A partition, and the return",
    "Four peers under the shipped node, in virtual time. For forty seconds no message passes between Ann and Ben on one side and",
    "Cat and Dan on the other. Each side goes on with those it still sees; afterwards they find each other again.",
  );
  const cast = new SimulatedCast(transcript, ["ann", "cat"]);
  transcript.part("they find each other");
  for (const name of ["ann", "ben", "cat", "dan"]) await cast.enter(name);
  await cast.pass(10);
  transcript.part("the network is cut in two");
  const heal = cast.cut(["ann", "ben"]);
  await cast.pass(40);
  transcript.part("the cut is healed");
  heal();
  await cast.pass(30);
  await cast.close();
  return transcript.text;
}

export async function deadHub(): Promise<string> {
  const transcript = new Transcript(
    "The meeting point dies",
    "Everybody was given one address, at which Hub answers: here a member, as a hub is for those who reach it. It is needed to",
    "find the others at first, and for nothing else.",
  );
  const cast = new SimulatedCast(transcript, ["hub"]);
  transcript.part("they find each other through the hub");
  for (const name of ["hub", "ann", "ben"]) await cast.enter(name);
  await cast.pass(10);
  transcript.part("the hub is gone: those who know each other go on");
  cast.kill("hub");
  await cast.pass(30);
  transcript.part("a newcomer that knows only the hub's address finds nobody");
  await cast.enter("cat");
  await cast.pass(20);
  transcript.part("the hub is started again, and the room is whole");
  await cast.enter("hub");
  await cast.pass(40);
  await cast.close();
  return transcript.text;
}

export async function twoTabs(): Promise<string> {
  const transcript = new Transcript(
    "Two tabs of one browser",
    "They share a store, and are one peer together: the first tab owns the store and is on the network, the second follows.",
  );
  const cast = new Cast(transcript);
  const profile = new Profile();
  transcript.part("Ben is in the room already");
  const ben = await cast.enter("ben");
  await cast.teach(ben, likes("tea"), 30);
  transcript.part("the first tab opens: it owns the store");
  const [tab, next] = [profile.tab(), profile.tab()];
  const first = await cast.enter("ann", { store: tab.store() });
  await cast.teach(first, likes("tea"), 3);
  transcript.part("the second tab opens: it follows, under the same name, with the same knowledge");
  const second = await cast.enter("ann", { store: next.store() });
  const tell = (what: string, { peer }: typeof first): void =>
    transcript.say(
      "ann",
      `${what}: ${peer.state().follows ? "follows" : "owns"}; own observations: ${peer.state().own}`,
    );
  tell("first tab", first);
  tell("second tab", second);
  transcript.part("what the second learns goes to the first, which writes it down");
  await cast.teach(second, likes("tea"), 2);
  tell("first tab", first);
  tell("second tab", second);
  transcript.part("the first tab is killed: the second takes the store over, and goes on as Ann");
  cast.left("ann");
  tab.die();
  while (second.peer.state().follows) await new Promise(setImmediate);
  tell("second tab", second);
  await cast.meet(second, ben);
  cast.tell(second);
  await second.peer.close();
  return transcript.text;
}
