import { type PeerId, Random, solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { flag, number, oneHot } from "../features/index.ts";
import { type Libp2pNetwork, libp2p } from "../libp2p/index.ts";
import { LOCAL, until } from "../libp2p/testing/room.ts";
import type { Fate } from "../link/memory.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import type { StoreFactory } from "../store/store.ts";
import { writeToken } from "../token/token.ts";
import { createPeer } from "./createPeer.ts";
import type { EventOf, PeerEvent } from "./events.ts";
import type { PeerOptions } from "./options.ts";
import { articles, type Schema, TestRoom } from "./testing/room.ts";

const SECRET = "what all workers of the app share";
const MINUTE_MS = 60_000;
const REWARD = { secret: SECRET, timeoutMs: 30 * MINUTE_MS, deliveryMs: 10 * MINUTE_MS };
const ITEMS = articles(Random.seeded(1));

const roomOf = (fate?: () => Fate): TestRoom => new TestRoom(solo(), fate);
const open = (room: TestRoom, name: PeerId, options: Partial<PeerOptions<Schema>> = {}) =>
  room.open(name, { reward: REWARD, ...options });
const reported = (room: TestRoom, peer: PeerId): EventOf<"reported">[] =>
  room.events.flatMap(({ peer: who, event }) => (who === peer && event.kind === "reported" ? [event] : []));

describe("a token", () => {
  it("is rewarded at the worker that chose, once", async () => {
    const room = roomOf();
    const a = await open(room, "a");
    const { token, id } = a.choose(ITEMS);
    expect(await a.rewardToken(token, 1)).toBe("learned");
    expect(await a.rewardToken(token, 1)).toBe("duplicate");
    expect(await a.reward(id, 1)).toBe("duplicate");
    expect(a.state()).toMatchObject({ own: 1, queued: 0 });
    const watched = a.watch(ITEMS, 0);
    expect(await a.rewardToken(watched.token, 0.5)).toBe("learned");
    await room.close();
  });

  it("is rewarded at any worker, and the chooser learns: once, however often and wherever it is told", async () => {
    const room = roomOf();
    const [a, b, c] = [await open(room, "a"), await open(room, "b"), await open(room, "c")];
    const { token } = a.choose(ITEMS);
    expect(await b.rewardToken(token, 1)).toBe("queued");
    expect(await b.rewardToken(token, 1)).toBe("queued");
    expect(await c.rewardToken(token, 1)).toBe("queued");
    expect(b.state()).toMatchObject({ own: 0, queued: 1 });
    await room.clock.pass(1000);
    expect([a, b, c].map((peer) => peer.state().own)).toEqual([1, 0, 0]);
    expect([a, b, c].map((peer) => peer.state().queued)).toEqual([0, 0, 0]);
    const told = { what: "reward", chooser: "a", token, value: 1 };
    expect([...reported(room, "b"), ...reported(room, "c")].map(({ answer }) => answer).sort()).toEqual([
      "duplicate",
      "learned",
    ]);
    expect(reported(room, "b")[0]).toMatchObject(told);
    // After that it is queued anew, and the chooser says that it counted before.
    expect(await b.rewardToken(token, 1)).toBe("queued");
    await room.clock.pass(1000);
    expect(reported(room, "b").at(-1)).toMatchObject({ ...told, answer: "duplicate" });
    expect(a.state().own).toBe(1);
    await room.close();
  });

  it("of a slate says at any worker what was seen", async () => {
    const room = roomOf();
    const [a, b] = [await open(room, "a", { reward: { ...REWARD, fallback: 0 } }), await open(room, "b")];
    const slate = a.slate(ITEMS, { k: 4 });
    expect(await b.shownToken(slate.token, 2)).toBe("queued");
    expect(await b.rewardToken(slate.choices[1].token, 1)).toBe("queued");
    await room.clock.pass(1000);
    expect(reported(room, "b").map(({ what, answer }) => [what, answer])).toEqual([
      ["shown", "noted"],
      ["reward", "learned"],
    ]);
    expect(a.pending().map(({ unseen }) => unseen)).toEqual([slate.id, slate.id, null]);
    expect(await b.cancelToken(slate.token)).toBe("queued");
    await room.clock.pass(1000);
    // What another worker heard before that may still be on its way; what is said now comes too late.
    expect(await a.shownToken(slate.token, 4)).toBe("noted");
    expect(await a.rewardToken(slate.choices[3].token, 1)).toBe("cancelled");
    expect(a.pending().map(({ unseen }) => unseen)).toEqual([slate.id, slate.id, null]);
    await room.clock.pass(11 * MINUTE_MS);
    expect(a.pending().map(({ unseen }) => unseen)).toEqual([null]);
    // The one that was seen and not rewarded learns the fallback; the others nothing.
    await room.clock.pass(41 * MINUTE_MS);
    expect(a.state()).toMatchObject({ own: 2, pending: 0 });
    await room.close();
  });

  it("a slate's end that overtakes what other workers heard before it takes nothing away", async () => {
    let cut = true;
    const room = new TestRoom(solo(), (from) => (from === "b" && cut ? "lost" : "delivered"));
    const reward = { ...REWARD, fallback: 0 };
    const [a, b, c] = [await open(room, "a", { reward }), await open(room, "b"), await open(room, "c")];
    const slate = a.slate(ITEMS, { k: 4 });
    await slate.choices[0].saved();
    await b.shownToken(slate.token, 2);
    await b.rewardToken(slate.choices[1].token, 1);
    await room.clock.pass(1000);
    await c.cancelToken(slate.token);
    await room.clock.pass(1000);
    expect(reported(room, "c").map(({ answer }) => answer)).toEqual(["noted"]);
    // A restart of the chooser does not forget when the end was.
    await room.crash("a");
    const again = await open(room, "a", { reward });
    await room.clock.pass(1000);
    cut = false;
    await room.clock.pass(MINUTE_MS);
    expect(reported(room, "b").map(({ answer }) => answer)).toEqual(["noted", "learned"]);
    // Those that were seen teach, the others do not.
    await room.clock.pass(41 * MINUTE_MS);
    expect(again.state()).toMatchObject({ own: 2, pending: 0 });
    await room.close();
  });

  it("waits in the worker's store while the chooser is down, across a crash of both", async () => {
    const room = roomOf();
    const [a, b] = [await open(room, "a"), await open(room, "b")];
    const choice = a.choose(ITEMS);
    const { token } = choice;
    await choice.saved();
    await room.crash("a");
    expect(await b.rewardToken(token, 1)).toBe("queued");
    await room.crash("b");
    const again = await open(room, "b");
    expect(again.state().queued).toBe(1);
    await room.clock.pass(5 * MINUTE_MS);
    expect(again.state().queued).toBe(1);
    const back = await open(room, "a");
    await room.clock.pass(1000);
    expect(back.state().own).toBe(1);
    expect(again.state().queued).toBe(0);
    await room.close();
  });

  it("counts if it was taken in time and the chooser comes back within the time for delivery; not after", async () => {
    for (const [downMs, answer, own] of [
      [39 * MINUTE_MS, "learned", 1],
      [41 * MINUTE_MS, "expired", 0],
    ] as const) {
      const room = roomOf();
      const [a, b] = [await open(room, "a"), await open(room, "b")];
      const choice = a.choose(ITEMS);
      const { token } = choice;
      await choice.saved();
      await room.crash("a");
      // In the last of the thirty minutes in which it may be paid.
      await room.clock.pass(29.5 * MINUTE_MS);
      expect(await b.rewardToken(token, 1)).toBe("queued");
      await room.clock.pass(downMs - 29.5 * MINUTE_MS);
      const back = await open(room, "a");
      await room.clock.pass(MINUTE_MS / 2);
      expect(reported(room, "b").map((event) => event.answer)).toEqual([answer]);
      expect(back.state().own).toBe(own);
      expect(b.state().queued).toBe(0);
      await room.close();
    }
  });

  it("that comes too late is answered `expired` at once, wherever it comes", async () => {
    const room = roomOf();
    const [a, b] = [await open(room, "a", { reward: { ...REWARD, fallback: 0.5 } }), await open(room, "b")];
    const { token, id } = a.choose(ITEMS);
    await room.clock.pass(31 * MINUTE_MS);
    expect(await a.rewardToken(token, 1)).toBe("expired");
    expect(await b.rewardToken(token, 1)).toBe("expired");
    // The fallback is not learnt while another worker may have the true one.
    expect(a.state()).toMatchObject({ own: 0, pending: 1 });
    expect(await a.reward(id, 1)).toBe("expired");
    await room.clock.pass(10 * MINUTE_MS);
    expect(a.state()).toMatchObject({ own: 1, pending: 0 });
    await room.close();
  });

  it("that is altered, made up, or made with another secret is refused, and nothing is queued", async () => {
    const room = roomOf();
    const [a, b] = [await open(room, "a"), await open(room, "b")];
    const { token, id } = a.choose(ITEMS);
    const expires = room.clock.now() + MINUTE_MS;
    const forged = writeToken({ chooser: "a", id, expires }, new Uint8Array(32));
    for (const peer of [a, b]) {
      await expect(peer.rewardToken(forged, 1)).rejects.toMatchObject({ name: "TokenError", reason: "forged" });
      await expect(peer.rewardToken(token.slice(1), 1)).rejects.toMatchObject({ reason: "malformed" });
      await expect(peer.rewardToken(token, 2)).rejects.toMatchObject({ name: "ConfigError", field: "reward" });
    }
    expect(b.state().queued).toBe(0);
    // Workers that do not share the secret say so, on whichever side it is found.
    const stranger = await open(room, "c", { reward: { ...REWARD, secret: "what another app's workers share" } });
    await expect(stranger.rewardToken(token, 1)).rejects.toMatchObject({ reason: "forged" });
    const alone = await open(room, "d", { reward: {} });
    await expect(alone.rewardToken(token, 1)).rejects.toMatchObject({ reason: "no-secret" });
    expect(await alone.rewardToken(alone.choose(ITEMS).token, 1)).toBe("learned");
    // A worker hands on what it cannot check: the chooser has the last word.
    await b.host.report({ kind: "reward", token: forged, value: 1, taken: 0, chooser: "a", until: expires });
    await b.host.report({ kind: "reward", token, value: 7, taken: room.clock.now(), chooser: "a", until: expires });
    await room.clock.pass(1000);
    expect(reported(room, "b").map(({ answer }) => answer)).toEqual(["forged", "refused"]);
    expect(a.state().own).toBe(0);
    await room.close();
  });

  it("names no secret in what is refused", async () => {
    const features = { topic: oneHot(["a", "b"]), words: number(0, 1), fresh: flag() };
    const make = (secret: string) => createPeer({ room: "r", features, reward: { secret } });
    await expect(make("too short")).rejects.toThrow(
      'reward.secret must be a text of at least 16 letters, but is "one of 9"',
    );
  });

  it("is told in batches, in order", async () => {
    let requests = 0;
    const room = roomOf(() => {
      requests += 1;
      return "delivered";
    });
    const [a, b] = [await open(room, "a"), await open(room, "b")];
    const tokens = Array.from({ length: 1000 }, () => a.choose(ITEMS).token);
    await Promise.all(tokens.map((token) => b.rewardToken(token, 1)));
    expect(b.state().queued).toBe(1000);
    await room.clock.pass(1000);
    expect(a.state().own).toBe(1000);
    expect(requests).toBe(4);
    expect(reported(room, "b").map(({ token }) => token)).toEqual(tokens);
    await room.close();
  });

  it("whose chooser does not answer is told again, less and less often, until its time is up", async () => {
    let requests = 0;
    const room = roomOf(() => {
      requests += 1;
      return "lost";
    });
    const [a, b] = [await open(room, "a"), await open(room, "b")];
    const { token } = a.choose(ITEMS);
    await b.rewardToken(token, 1);
    await room.clock.pass(MINUTE_MS);
    // At 0, 1, 3, 7, 15, 31 s and so on; after an hour every minute.
    expect(requests).toBe(6);
    await room.clock.pass(39 * MINUTE_MS);
    expect(requests).toBeLessThan(6 + 40);
    expect(requests).toBeGreaterThan(6 + 36);
    expect(reported(room, "b").map(({ answer }) => answer)).toEqual(["expired"]);
    expect(b.state().queued).toBe(0);
    await room.clock.pass(MINUTE_MS);
    await room.close();
  });

  it("goes on waiting when the worker's state is moved, and when another one is imported", async () => {
    const room = roomOf();
    const [a, b] = [await open(room, "a"), await open(room, "b")];
    const [one, other] = [a.choose(ITEMS), a.choose(ITEMS)];
    const [first, second] = [one.token, other.token];
    await other.saved();
    await room.crash("a");
    await b.rewardToken(first, 1);
    const c = await open(room, "c");
    await c.rewardToken(second, 1);
    await c.import(b.export());
    expect(c.state().queued).toBe(2);
    await room.close();
  });
});

describe("crashes at any step, lost and repeated messages", () => {
  it("no reward is lost, and none counts twice", async () => {
    for (let seed = 1; seed <= 12; seed++) await storm(seed);
  });
});

/** Workers choose and reward each other's choices while they crash and messages are lost. */
async function storm(seed: number): Promise<void> {
  const random = Random.seeded(seed);
  let calm = false;
  const FATES: readonly Fate[] = ["delivered", "delivered", "lost", "answer-lost", "twice"];
  const room = roomOf(() => (calm ? "delivered" : FATES[random.below(FATES.length)]!));
  const names = ["a", "b", "c"];
  for (const name of names) await open(room, name);
  const made: { readonly token: string; readonly by: string; rewarded: boolean }[] = [];
  for (let step = 0; step < 120; step++) {
    const name = names[random.below(3)]!;
    const peer = room.peers.get(name) ?? (await open(room, name));
    const act = random.below(10);
    if (act < 4) {
      const choice = peer.choose(ITEMS);
      await choice.saved();
      made.push({ token: choice.token, by: name, rewarded: false });
    } else if (act < 8 && made.length > 0) {
      const one = made[random.below(made.length)]!;
      const told = peer.rewardToken(one.token, 1);
      if (random.below(3) === 0) {
        // Somewhere on the way to the disk; the client hears nothing and asks again later.
        for (let turns = random.below(12); turns > 0; turns--) await Promise.resolve();
        told.catch(() => {});
        await room.crash(name);
      } else {
        expect(["learned", "duplicate", "queued"]).toContain(await told);
        one.rewarded = true;
      }
    } else if (act === 8) await room.crash(name);
    else await room.clock.pass(random.below(3000));
  }
  calm = true;
  for (const name of names) if (!room.peers.has(name)) await open(room, name);
  // Whoever heard nothing asks again, anywhere.
  for (const one of made) if (!one.rewarded) await room.peers.get(names[random.below(3)]!)!.rewardToken(one.token, 1);
  await room.clock.pass(2 * MINUTE_MS);
  for (const name of names) {
    const { own, queued, pending } = room.peers.get(name)!.state();
    const mine = made.filter(({ by }) => by === name).length;
    expect({ own, queued, pending }, `seed ${seed}, ${name}`).toEqual({ own: mine, queued: 0, pending: 0 });
  }
  await room.close();
}

it("over libp2p, while the chooser restarts", { timeout: 300_000 }, async () => {
  const joined: Libp2pNetwork[] = [];
  const events: PeerEvent[] = [];
  const disk = memoryDisk();
  const work = (store: StoreFactory, bootstrap: readonly string[] = []) =>
    createPeer({
      room: "workers",
      features: { topic: oneHot(["sport", "arts"]) },
      store,
      reward: { secret: SECRET },
      network: async (room) => {
        const network = await libp2p({ listen: LOCAL, bootstrap })(room);
        joined.unshift(network);
        return network;
      },
      tick: false,
      onEvent: (event) => events.push(event),
    });
  const b = await work(memoryStore());
  const home = joined[0]!.addresses();
  const a = await work(memoryStore(disk), home);
  const choices = Array.from({ length: 20 }, () => a.choose([{ topic: "sport" }, { topic: "arts" }]));
  await until(() => b.state().alive.length === 1, "they know each other");
  expect(await b.rewardToken(choices[0]!.token, 1)).toBe("queued");
  await until(() => a.state().own === 1, "the chooser has learnt");
  await a.close();
  await until(() => b.state().alive.length === 0, "the chooser is gone");
  for (const { token } of choices) expect(await b.rewardToken(token, 1)).toBe("queued");
  const again = await work(memoryStore(disk), home);
  await until(() => again.state().own === 20 && b.state().queued === 0, "the chooser has learnt the rest");
  const answers = events.flatMap((event) => (event.kind === "reported" ? [event.answer] : []));
  expect(answers.filter((answer) => answer === "learned")).toHaveLength(20);
  expect(answers.filter((answer) => answer === "duplicate")).toHaveLength(1);
  await again.close();
  await b.close();
});
