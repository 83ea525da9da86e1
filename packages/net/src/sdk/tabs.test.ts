import { afterEach, describe, expect, it } from "vitest";
import { oneHot } from "../features/index.ts";
import { MemoryNetwork } from "../link/memory.ts";
import { memory } from "../link/memoryRoom.ts";
import type { NetworkFactory } from "../link/network.ts";
import { memoryStore } from "../store/memory.ts";
import { Profile, type Tab } from "../store/shared/testing/profile.ts";
import { crash } from "../store/testing/faults.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerOptions } from "./options.ts";
import type { RoomPeer } from "./roomPeer.ts";

const TOPICS = ["sport", "arts", "tech"] as const;
const features = () => ({ topic: oneHot(TOPICS) });
const ITEMS = TOPICS.map((topic) => ({ topic }));
type Peer = RoomPeer<ReturnType<typeof features>>;

let open: Peer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((peer) => peer.close()));
});

async function enter(tab: Tab, options: Partial<PeerOptions<ReturnType<typeof features>>> = {}): Promise<Peer> {
  const peer = await createPeer({ room: "tabs", features: features(), store: tab.store(), tick: false, ...options });
  open.push(peer);
  return peer;
}

/** What a peer that has the disk for itself finds there. */
async function onDisk({ disk }: Profile): Promise<{ own: number; pending: number; self: string }> {
  crash(disk);
  const peer = await createPeer({ room: "tabs", features: features(), store: memoryStore(disk), tick: false });
  const { own, pending } = peer.state();
  const { self } = peer;
  await peer.close();
  return { own, pending, self };
}

const learn = (peer: Peer): Promise<string> => {
  const choice = peer.choose(ITEMS);
  return choice.reward(choice.item.topic === "arts" ? 1 : 0);
};

describe("tabs that share a store", () => {
  it("are one peer: a follower has the owner's name and knowledge, and what it learns is the owner's", async () => {
    const profile = new Profile();
    const first = await enter(profile.tab());
    for (let k = 0; k < 5; k++) await learn(first);
    const second = await enter(profile.tab());
    expect([first.state().follows, second.state().follows]).toEqual([false, true]);
    expect(second.host.origin).toBe(first.host.origin);
    expect(second.state().own).toBe(5);
    expect(await learn(second)).toBe("learned");
    await second.observe(ITEMS, 1, 1);
    expect([first.state().own, second.state().own]).toEqual([7, 7]);
    expect(second.state().estimate).toEqual(first.state().estimate);
    await second.tick();
    expect(first.state().round).toBe(second.state().round);
    expect(first.state().round).toBeGreaterThan(1);
  });

  it("a choice counts once, whichever tabs reward it", async () => {
    const profile = new Profile();
    const first = await enter(profile.tab());
    const [second, third] = [await enter(profile.tab()), await enter(profile.tab())];
    const { id } = second.choose(ITEMS);
    await expect.poll(() => third.state().pending).toBe(1);
    const answers = await Promise.all([first, second, third, second].map((peer) => peer.reward(id, 1)));
    expect(answers.filter((answer) => answer === "learned").length).toBe(1);
    expect(answers.filter((answer) => answer === "duplicate").length).toBe(3);
    expect(first.state()).toMatchObject({ own: 1, pending: 0 });
  });

  it.each(Array.from({ length: 12 }, (_, n) => 2 * n + 1))(
    "five tabs, the owner dies at its message %d: no reward is lost, and none counts twice",
    async (n) => {
      const profile = new Profile();
      const doomed = profile.tab();
      await enter(doomed);
      open = [];
      const peers: Peer[] = [];
      for (let k = 0; k < 4; k++) peers.push(await enter(profile.tab()));
      const before = peers[0]!.choose(ITEMS);
      await expect.poll(() => peers[1]!.state().pending).toBe(1);
      doomed.dieAt(n);
      const answers = await Promise.all([
        before.reward(1),
        ...peers.flatMap((peer) => [learn(peer), learn(peer)]),
        ...peers.map((peer) => peer.observe(ITEMS, 0, 1).then(() => "learned")),
      ]);
      expect(doomed.dead).toBe(true);
      expect(answers).toEqual(answers.map(() => "learned"));
      expect(peers.filter((peer) => !peer.state().follows).length).toBe(1);
      await expect.poll(() => peers.map((peer) => peer.state().own)).toEqual([13, 13, 13, 13]);
      await Promise.all(open.splice(0).map((peer) => peer.close()));
      expect(await onDisk(profile)).toMatchObject({ own: 13, pending: 0 });
    },
  );

  it("a tab that takes over has the name of the last owner, and meets the room in its place", async () => {
    const profile = new Profile();
    const hub = new MemoryNetwork();
    const joined: string[] = [];
    const network: NetworkFactory = (room) => {
      joined.push(room.identity!.id);
      return memory(hub)(room);
    };
    const doomed = profile.tab();
    await enter(doomed, { network });
    open = [];
    const heard: string[] = [];
    const second = await enter(profile.tab(), { network, onEvent: ({ kind }) => heard.push(kind) });
    expect(joined.length).toBe(1);
    doomed.die();
    await expect.poll(() => joined.length).toBe(2);
    expect(new Set(joined).size).toBe(1);
    expect(heard).toContain("owner");
    expect(second.state().follows).toBe(false);
  });

  it("closed and opened again at once, as React's doubled effects do, a tab has its peer", async () => {
    const profile = new Profile();
    const tab = [profile.tab(), profile.tab(), profile.tab()];
    const ended = new AbortController();
    const first = enter(tab[0]!, { signal: ended.signal }).catch((error: Error) => error.name);
    ended.abort();
    const second = enter(tab[1]!);
    expect(await first).toBe("AbortError");
    const closing = (await second).close();
    const third = await enter(tab[2]!);
    await closing;
    expect(await learn(third)).toBe("learned");
    expect(third.state().follows).toBe(false);
  });

  it("what one tab imports all tabs know; what one forgets is forgotten, and all of them close", async () => {
    const [profile, other] = [new Profile(), new Profile()];
    const elsewhere = await enter(other.tab());
    for (let k = 0; k < 9; k++) await learn(elsewhere);
    const tabs = [await enter(profile.tab()), await enter(profile.tab()), await enter(profile.tab())];
    await tabs[1]!.import(elsewhere.export());
    await expect.poll(() => tabs.map((peer) => peer.state().own)).toEqual([9, 9, 9]);
    await tabs[2]!.forget();
    for (const peer of tabs) await expect.poll(() => closed(peer)).toBe(true);
    expect(await onDisk(profile)).toMatchObject({ own: 0 });
  });

  it("a tab that runs another version of the page is told so, on either side", async () => {
    const [mine, theirs] = [new Profile(), new Profile()];
    await enter(mine.tab());
    const said: unknown[] = [];
    const visitor = mine.tab();
    mine.listen(visitor, (message) => said.push(message));
    mine.post(visitor, { version: 2, from: "later", kind: "hello" });
    await expect.poll(() => said).toContainEqual(expect.objectContaining({ kind: "other-version", to: "later" }));
    const owner = theirs.tab();
    theirs.stand(owner, () => {});
    theirs.listen(owner, ({ kind, from: to }) => {
      if (kind === "hello") theirs.post(owner, { version: 2, from: "later", to, kind: "other-version" });
    });
    await expect(enter(theirs.tab())).rejects.toMatchObject({ name: "StoreError", reason: "version" });
  });

  it("where the next owner cannot open the store, whoever waits is told why; and the one after it tries again", async () => {
    const profile = new Profile();
    const doomed = profile.tab();
    await enter(doomed);
    open = [];
    const failures: string[] = [];
    const onEvent = (event: { kind: string; error?: Error }): unknown =>
      event.kind === "failure" && failures.push(event.error!.message);
    const second = await enter(profile.tab(), { onEvent });
    doomed.dieAt(1);
    profile.disk.taken = true;
    const held = Object.getOwnPropertyDescriptor(profile.disk, "taken")!;
    Object.defineProperty(profile.disk, "taken", { get: () => true, set: () => {}, configurable: true });
    await expect(learn(second)).rejects.toThrow("is open elsewhere");
    expect(failures[0]).toContain("is open elsewhere");
    Object.defineProperty(profile.disk, "taken", { ...held, value: false });
    expect(await learn(second)).toBe("learned");
    expect(second.state()).toMatchObject({ own: 1, follows: false });
  });
});

function closed(peer: Peer): boolean {
  try {
    peer.choose(ITEMS);
    return false;
  } catch {
    return true;
  }
}
