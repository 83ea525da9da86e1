import { afterEach, describe, expect, it } from "vitest";
import { oneHot } from "../features/index.ts";
import { MemoryNetwork } from "../link/memory.ts";
import { memory } from "../link/memoryRoom.ts";
import { Profile, type Tab } from "../store/shared/testing/profile.ts";
import { createPeer } from "./createPeer.ts";
import type { EventOf, PeerEvent } from "./events.ts";
import type { PeerOptions } from "./options.ts";
import type { RoomPeer } from "./roomPeer.ts";

const KINDS = ["tea", "cup", "pot", "jam", "tray"] as const;
const FEATURES = { kind: oneHot(KINDS) };
const ITEMS = KINDS.map((kind) => ({ kind }));
const SECRET = "what all workers of the app share";
type Peer = RoomPeer<typeof FEATURES>;

const open: Peer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((peer) => peer.close()));
});

async function enter(tab: Tab, options: Partial<PeerOptions<typeof FEATURES>> = {}): Promise<Peer> {
  const reward = { secret: SECRET };
  const peer = await createPeer({ room: "r", features: FEATURES, store: tab.store(), tick: false, reward, ...options });
  open.push(peer);
  return peer;
}

/** The first tab of a profile, which owns the store, and two that follow it. */
async function tabs(
  profile: Profile,
  options: Partial<PeerOptions<typeof FEATURES>> = {},
): Promise<[Peer, Peer, Peer]> {
  const next = (): Promise<Peer> => enter(profile.tab(), options);
  return [await next(), await next(), await next()];
}

describe("in a tab that does not own the store", () => {
  it("a slate is made, shown, rewarded and cancelled, and all tabs know", async () => {
    const [owner, tab, other] = await tabs(new Profile(), { reward: {} });
    const slate = tab.slate(ITEMS, { k: 4 });
    expect(slate.items).toHaveLength(4);
    await slate.choices[0]!.saved();
    const unseen = (peer: Peer): (string | null)[] => peer.pending().map(({ unseen: of }) => of);
    expect(unseen(owner)).toEqual([slate.id, slate.id, slate.id, slate.id]);
    slate.shown(2);
    await expect.poll(() => unseen(owner).filter((of) => of === null).length).toBe(2);
    await expect.poll(() => unseen(other)).toEqual(unseen(owner));
    expect(await slate.choices[1]!.reward(1)).toBe("learned");
    expect(await slate.choices[2]!.reward(1)).toBe("learned");
    slate.cancel();
    await expect.poll(() => owner.state().pending).toBe(1);
    expect(await slate.choices[3]!.reward(1)).toBe("cancelled");
    // From another tab, by its id.
    const second = owner.slate(ITEMS, { k: 3 });
    await second.choices[0]!.saved();
    await expect.poll(() => tab.state().pending).toBe(4);
    tab.shown(second.id, 1);
    tab.cancel(second.id);
    await expect.poll(() => unseen(owner)).toEqual([null, null]);
    expect([owner, tab, other].map((peer) => peer.state().own)).toEqual([2, 2, 2]);
  });

  it("it looks into what the owner knows: scores, what waits, and weights", async () => {
    const [owner, tab] = await tabs(new Profile());
    for (let k = 0; k < 10; k++) {
      const choice = tab.choose(ITEMS);
      await choice.reward(choice.item.kind === "pot" ? 1 : 0);
    }
    expect(tab.weights()).toEqual(owner.weights());
    expect(tab.score(ITEMS).map(({ mean }) => mean)).toEqual(owner.score(ITEMS).map(({ mean }) => mean));
    const { id } = owner.choose(ITEMS);
    await expect.poll(() => tab.pending().map((choice) => choice.id)).toEqual([id]);
    expect(tab.pending()).toEqual(owner.pending());
  });

  it("tokens are good in every tab, and count once", async () => {
    const [owner, tab, other] = await tabs(new Profile());
    const choice = tab.choose(ITEMS);
    await choice.saved();
    await expect.poll(() => other.state().pending).toBe(1);
    const answers = await Promise.all([owner, tab, other, tab].map((peer) => peer.rewardToken(choice.token, 1)));
    expect(answers.sort()).toEqual(["duplicate", "duplicate", "duplicate", "learned"]);
    // Without a secret too: all tabs of a profile have one key.
    const alone = new Profile();
    const [first, second] = [await enter(alone.tab(), { reward: {} }), await enter(alone.tab(), { reward: {} })];
    const { token } = first.choose(ITEMS);
    await expect.poll(() => second.state().pending).toBe(1);
    expect(await second.rewardToken(token, 1)).toBe("learned");
    const made = second.choose(ITEMS);
    await made.saved();
    expect(await first.rewardToken(made.token, 1)).toBe("learned");
  });

  it("a token of another peer waits in the shared store; whichever tab owns it then tells that peer", async () => {
    const network = new MemoryNetwork();
    const reward = { secret: SECRET };
    const chooser = await createPeer({ room: "r", features: FEATURES, tick: false, reward, network: memory(network) });
    open.push(chooser);
    const { token } = chooser.choose(ITEMS);
    const profile = new Profile();
    const events: PeerEvent[] = [];
    const onEvent = (event: PeerEvent): void => void events.push(event);
    const cut: Partial<PeerOptions<typeof FEATURES>> = { onEvent };
    const doomed = profile.tab();
    await enter(doomed, cut);
    open.pop();
    const tab = await enter(profile.tab(), { onEvent, network: memory(network) });
    expect(await tab.rewardToken(token, 1)).toBe("queued");
    expect(tab.state()).toMatchObject({ follows: true, queued: 1 });
    doomed.die();
    await expect.poll(() => chooser.state().own).toBe(1);
    await expect.poll(() => tab.state().queued).toBe(0);
    const told = events.filter((event): event is EventOf<"reported"> => event.kind === "reported");
    expect(told.map(({ answer }) => answer)).toEqual(["learned"]);
    await expect(tab.rewardToken(`${token}A`, 1)).rejects.toMatchObject({ name: "TokenError" });
  });
});
