import { createPeer, flag, libp2p, number, oneHot } from "@coterie/net";
import { DECK_ARMS, DECK_REWARD, DECK_ROOM, deckFeatures, makeDeck } from "@coterie/studio";

const FEATURES = deckFeatures({ oneHot, number, flag });
const LISTEN = ["/ip4/127.0.0.1/tcp/0"];

/** A peer of this process in the room of the posters, with whom it exchanged how often. */
export async function posterPeer(bootstrap: readonly string[]) {
  const met = new Map<string, number>();
  const peer = await createPeer({
    room: DECK_ROOM,
    features: FEATURES,
    reward: DECK_REWARD,
    network: libp2p({ bootstrap, listen: LISTEN }),
    tick: { periodMs: 300 },
    onEvent: (event) => {
      if (event.kind === "exchange" && ["mix", "keep"].includes(event.verdict))
        met.set(event.partner, (met.get(event.partner) ?? 0) + 1);
    },
  });
  const deck = makeDeck();
  return {
    met,
    alive: () => peer.state().alive,
    own: () => peer.state().own,
    /** Somebody rates the card that it picks. */
    use: async (rating: number) => peer.choose(deck.slice(0, DECK_ARMS)).reward(rating),
    close: () => peer.close(),
  };
}
