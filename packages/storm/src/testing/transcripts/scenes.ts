import { dcb, dccb, oneHot } from "@coterie/net";
import { Cast, DRINKS, likes } from "./cast.ts";
import { Transcript } from "./transcript.ts";

/** Small numbers, so that something happens within a few rounds. */
const DCCB = dccb({ delay: { rounds: 1 }, threshold: { kind: "practical", factor: 1 } });

export async function firstMeeting(): Promise<string> {
  const transcript = new Transcript(
    "A first meeting",
    "Two peers that share a taste, with dccb. Each has three rewards of its own; then they average.",
    "What stands after [disk] is on the disk before the next message leaves.",
  );
  const cast = new Cast(transcript);
  transcript.part("each learns alone");
  const ann = await cast.enter("ann", { policy: DCCB });
  const ben = await cast.enter("ben", { policy: DCCB });
  await cast.teach(ann, likes("tea"), 3);
  await cast.teach(ben, likes("tea"), 3);
  transcript.part("a round ends, and Ann calls Ben");
  cast.disks = true;
  await cast.meet(ann, ben);
  cast.disks = false;
  transcript.part("two rounds later what was mixed is promoted");
  for (let round = 0; round < 2; round++) {
    await ben.peer.tick({ partner: null });
    await cast.meet(ann, ben);
  }
  for (const one of [ann, ben]) cast.tell(one);
  return transcript.text;
}

export async function mutualPrune(): Promise<string> {
  const transcript = new Transcript(
    "Two peers prune each other",
    "Ann likes tea, Cat likes cola; both run dccb. Their local estimates come to lie further apart than the threshold.",
  );
  const cast = new Cast(transcript);
  const ann = await cast.enter("ann", { policy: DCCB });
  const cat = await cast.enter("cat", { policy: DCCB });
  for (const [title, more] of [
    ["after six rewards each nobody can tell them apart", 6],
    ["after sixty more each it is clear", 60],
  ] as const) {
    transcript.part(title);
    await cast.teach(ann, likes("tea"), more);
    await cast.teach(cat, likes("cola"), more);
    await cat.peer.tick({ partner: null });
    await cast.meet(ann, cat);
  }
  transcript.part("from then on they leave each other alone");
  await cat.peer.tick();
  for (const one of [ann, cat]) {
    transcript.say(one.name, `near: ${one.peer.state().near.length}; pruned: ${one.peer.state().pruned.join(", ")}`);
    cast.tell(one);
  }
  return transcript.text;
}

export async function liarSetAside(): Promise<string> {
  const transcript = new Transcript(
    "A liar is set aside",
    "Ann, Ben and Leo run kindred. Leo turns every reward round before it learns it, so its record says the opposite.",
  );
  const cast = new Cast(transcript);
  const [ann, ben, leo] = [await cast.enter("ann"), await cast.enter("ben"), await cast.enter("leo")];
  const lie = (drink: (typeof DRINKS)[number]): number => 1 - likes("tea")(drink);
  transcript.part("each learns by itself");
  await cast.teach(ann, likes("tea"), 6);
  await cast.teach(ben, likes("tea"), 90);
  await cast.teach(leo, lie, 90);
  transcript.part("records go round");
  for (const other of [leo, ben]) {
    await cast.meet(ann, other);
    cast.tell(ann);
  }
  transcript.part("Ann's own rewards contradict Leo and bear Ben out");
  await cast.teach(ann, likes("tea"), 12);
  await cast.meet(ann, leo);
  cast.tell(ann);
  transcript.note("Leo's record is still held. It stands in another group, and says nothing about Ann.");
  return transcript.text;
}

export async function crashDuringExchange(): Promise<string> {
  const transcript = new Transcript(
    "A crash during an exchange",
    "dcb: averages must be mixed exactly once. Ann proposes, Ben answers, and the answer is lost. Then Ann's process dies.",
  );
  const cast = new Cast(transcript);
  transcript.part("both have learnt something");
  const policy = dcb({ delay: { rounds: 2 } });
  const ann = await cast.enter("ann", { policy });
  const ben = await cast.enter("ben", { policy });
  await cast.teach(ann, likes("tea"), 4);
  await cast.teach(ben, likes("tea"), 2);
  cast.disks = true;
  transcript.part("the answer is lost: Ben has mixed, and Ann does not know it");
  cast.fates.push("answer-lost");
  await cast.meet(ann, ben);
  transcript.say("ann", `is in doubt about its exchange with ${ann.peer.state().inDoubt}`);
  transcript.part("Ann's process dies and starts again from the disk");
  cast.crash(ann);
  const again = await cast.enter("ann", { policy });
  transcript.say(
    "ann",
    `is still in doubt about its exchange with ${again.peer.state().inDoubt}; its buffer stands still`,
  );
  transcript.part("at the next tick it asks again, under the same number");
  await again.peer.tick();
  transcript.note("Ben knows that number: it gives the answer it gave before, and mixes nothing a second time.");
  const doubt = again.peer.state().inDoubt;
  transcript.say("ann", `in doubt: ${doubt ?? "no"}; mass at risk: ${again.peer.state().massAtRisk}`);
  return transcript.text;
}

export async function newcomer(): Promise<string> {
  const transcript = new Transcript(
    "A newcomer",
    "Ann likes tea and Cat likes cola; both have learnt that. Neo likes cola, and comes with nothing. All run kindred.",
  );
  const cast = new Cast(transcript);
  transcript.part("Ann and Cat learn, and meet");
  const [ann, cat] = [await cast.enter("ann"), await cast.enter("cat")];
  await cast.teach(ann, likes("tea"), 60);
  await cast.teach(cat, likes("cola"), 60);
  await cast.meet(ann, cat);
  transcript.part("Neo comes, and calls somebody before its first choice");
  const neo = await cast.enter("neo");
  await cast.meet(neo, ann);
  cast.tell(neo);
  transcript.part("three rewards later it knows whose kind it is");
  await cast.teach(neo, likes("cola"), 3);
  await cast.meet(neo, cat);
  cast.tell(neo);
  return transcript.text;
}

export async function drift(): Promise<string> {
  const transcript = new Transcript(
    "A taste that changes",
    "Ann and Ben like tea, Cat likes cola. Ann changes its mind. Its learner detects the change point, starts a new era and finds new kin.",
  );
  const cast = new Cast(transcript);
  const [ann, ben, cat] = [await cast.enter("ann"), await cast.enter("ben"), await cast.enter("cat")];
  const era = (): string => `own observations that count: ${ann.peer.state().own}`;
  transcript.part("everybody learns; records go round");
  await cast.teach(ann, likes("tea"), 60);
  await cast.teach(ben, likes("tea"), 60);
  await cast.teach(cat, likes("cola"), 60);
  await cast.meet(ann, ben);
  await cast.meet(ann, cat);
  cast.tell(ann);
  transcript.part("from here on Ann likes cola");
  for (let k = 0; k < 4; k++) {
    await cast.teach(ann, likes("cola"), 6);
    transcript.say("ann", era());
  }
  await cast.meet(ann, cat);
  cast.tell(ann);
  return transcript.text;
}

export async function schemaDeploy(): Promise<string> {
  const transcript = new Transcript(
    "A deploy that changes the features",
    "Ann and Ben run kindred. A new version of the app adds a drink. Ann gets it first, Ben a little later; nobody begins anew.",
  );
  const cast = new Cast(transcript);
  transcript.part("before the deploy");
  const [ann, ben] = [await cast.enter("ann"), await cast.enter("ben")];
  await cast.teach(ann, likes("tea"), 12);
  await cast.teach(ben, likes("tea"), 12);
  await cast.meet(ann, ben);
  const features = { drink: oneHot([...DRINKS, "soda"]) } as never;
  transcript.part("Ann's app is closed, and opened again with the new features");
  await ann.peer.close();
  const later = await cast.enter("ann", { features });
  transcript.say("ann", `own observations: ${later.peer.state().own}`);
  transcript.part("old and new do not mix: each says so");
  await cast.meet(later, ben);
  transcript.part("Ben gets the new version too");
  await ben.peer.close();
  const last = await cast.enter("ben", { features });
  await cast.meet(later, last);
  transcript.say("ann", `borrows from: ${(later.peer.state().lenders ?? []).join(", ") || "nobody"}`);
  return transcript.text;
}
