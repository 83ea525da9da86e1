// The page of bench/tab.mjs: one peer, whose rounds are marked in the browser's trace.
import { createPeer, LinkError, vector } from "@coterie/net/browser";
import { worldOf } from "./world.mjs";

/** From here on the tab's tasks are of this kind: each begins with a task of its own. */
async function phase(kind, round, action) {
  await new Promise((resolve) => setTimeout(resolve));
  performance.mark(`phase ${kind} ${round}`);
  await action();
}

/** Peers in another process, asked over HTTP. */
const network =
  (names) =>
  async ({ identity }) => ({
    self: identity.id,
    link: {
      async request(to, message, { signal } = {}) {
        const response = await fetch(`/ask?from=${identity.id}&to=${to}`, { method: "POST", body: message, signal });
        if (!response.ok) throw new LinkError(await response.text());
        return new Uint8Array(await response.arrayBuffer());
      },
      serve: () => {},
      close: async () => {},
    },
    alive: () => names,
    onMembers: () => () => {},
    close: async () => {},
  });

/** Opens a peer and lives `rounds` rounds; what each took the tab is in the trace. */
globalThis.live = async ({ room, numbers, options, names, lenders, rounds, seed }) => {
  const world = worldOf(numbers);
  const features = { embedding: vector(numbers, options) };
  const alone = names.length === 0;
  let peer;
  let made;
  await phase("open", 0, async () => {
    peer = await createPeer({ room, features, tick: false, seed, ...(alone ? {} : { network: network(names) }) });
  });
  for (let round = 1; round <= rounds; round++) {
    const { items, pay } = world.turn(seed, round, 0);
    await phase("choose", round, () => {
      made = peer.choose(items);
    });
    await phase("reward", round, () => made.reward(pay(made.index)));
    const partner = alone ? null : lenders[round % lenders.length];
    await phase("tick", round, () => peer.tick({ partner }));
    await phase("state", round, () => peer.state());
    await phase("rest", round, () => {});
  }
  const { lenders: lent } = peer.state();
  const kept = { lenders: lent.length, dimension: peer.features.dimension };
  await peer.close();
  return kept;
};
