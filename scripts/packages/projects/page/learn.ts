import { createPeer, indexed, oneHot, solo } from "@coterie/net/browser";

/** A peer alone in this tab or worker that learns that its reader likes arts, and keeps it in IndexedDB. */
export async function learn(place: string): Promise<{ item: string; own: number }> {
  const peer = await createPeer({
    room: "page",
    features: { topic: oneHot(["sport", "arts", "tech"]) },
    policy: solo(),
    store: indexed(place),
    tick: false,
  });
  const items = [{ topic: "sport" }, { topic: "arts" }, { topic: "tech" }] as const;
  for (let round = 0; round < 20; round++) {
    const choice = peer.choose(items);
    await choice.reward(choice.item.topic === "arts" ? 1 : 0);
    await peer.tick();
  }
  const told = { item: peer.choose(items).item.topic, own: peer.state().own };
  await peer.close();
  return told;
}
