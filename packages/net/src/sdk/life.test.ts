import { ConfigError, dcb, dccb, kindred, Random, roundRobin, solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { number } from "../features/number.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import { agreementOf, termsOf } from "./agreement.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerOptions } from "./options.ts";
import { TestClock } from "./testing/clock.ts";
import { articles, read, SCHEMA, type Schema, TestRoom } from "./testing/room.ts";

const open = (options: Partial<PeerOptions<Schema>> = {}) =>
  createPeer({ room: "r", features: SCHEMA, policy: solo(), tick: false, clock: new TestClock(), seed: 3, ...options });
const offered = articles(Random.seeded(1));
const OTHER_VERSION = "written by another version of this app";

describe("a state", () => {
  it("moves to another place with everything in it", async () => {
    const room = new TestRoom();
    for (const name of ["a1", "a2"]) await room.open(name);
    await read(room, 20, () => "sport");
    const old = room.peers.get("a1")!;
    const waiting = old.choose(offered);
    const bytes = old.export();
    const before = old.state();
    await old.close();
    const disk = memoryDisk();
    const moved = await room.open("a3", { store: memoryStore(disk) });
    await moved.import(bytes);
    const { round, own, evidence, estimate, pending } = before;
    expect(moved.state()).toMatchObject({ round, own, evidence, estimate, pending });
    expect(await moved.reward(waiting.id, 1)).toBe("learned");
    const now = moved.state();
    await moved.close();
    const again = await room.open("a3", { store: memoryStore(disk) });
    expect(again.state()).toMatchObject({ own: own + 1, evidence: now.evidence, estimate: now.estimate });
    expect(await again.reward(waiting.id, 1)).toBe("duplicate");
    await room.clock.pass(10_000);
    expect(again.state().exchanges.mix).toBeGreaterThan(0);
    room.peers.delete("a1");
    await room.close();
  });

  it("of another app, another version or no state at all is refused, and nothing changes", async () => {
    const peer = await open();
    await peer.choose(offered).reward(1);
    const before = peer.state();
    const other = await open({ room: "another" });
    const good = peer.export();
    const cut = good.slice(0, good.length - 3);
    const newer = good.slice();
    newer[4] += 1;
    await expect(peer.import(other.export())).rejects.toThrow(
      'import must be of room r, with the same features, policy and range of rewards, but is "of room another"',
    );
    await expect(peer.import(cut)).rejects.toThrow(ConfigError);
    await expect(peer.import(newer)).rejects.toThrow("import: version");
    await expect(peer.import(Uint8Array.of(1, 2, 3))).rejects.toThrow(ConfigError);
    await expect(peer.import("state" as unknown as Uint8Array)).rejects.toThrow("import must be the bytes");
    for (let at = 150; at < good.length; at += 61) {
      const spoilt = good.slice();
      spoilt[at] ^= 0xff;
      // Numbers may have become other numbers; what is no state at all is refused, never half taken.
      await peer.import(spoilt).catch((error) => expect(error).toBeInstanceOf(ConfigError));
    }
    await peer.import(good);
    expect(peer.state()).toEqual(before);
    await peer.close();
    await other.close();
  });

  it.each([solo(), kindred()])("is not taken up by another app, however much was written: $kind", async (policy) => {
    // A schema of another length: the state would not even have the right size.
    const features = { heading: number(0, 1) } as unknown as Schema;
    for (const choices of [0, 1, 300]) {
      const disk = memoryDisk();
      const peer = await open({ store: memoryStore(disk), policy });
      for (let k = 0; k < choices; k++) await peer.choose(offered).reward(1);
      await peer.close();
      const others = [
        [{ room: "another" }, "of room r", /^be of room another, with the same features, policy and range of rewards$/],
        [{ policy: dccb() }, OTHER_VERSION, /^be of policy dccb, or be empty \(what differs: policy\.kind: /],
        [
          { features },
          OTHER_VERSION,
          /^have a feature in common .*, or be empty \(what differs: features\.fresh: gone; /,
        ],
      ] as const;
      for (const [other, value, bound] of others) {
        await expect(open({ store: memoryStore(disk), policy, ...other })).rejects.toMatchObject({
          field: "store",
          value,
          bound: expect.stringMatching(bound),
        });
      }
      const same = await open({ store: memoryStore(disk), policy, seed: 4, reward: { timeoutMs: 5 } });
      expect(same.state().own).toBe(choices);
      await same.close();
    }
  });

  it.each([true, false])("goes on where the room got a key, or lost it: wary %s", async (wary) => {
    const disk = memoryDisk();
    const options = { store: memoryStore(disk), policy: kindred() };
    const peer = await open({ ...options, wary });
    for (let k = 0; k < 300; k++) await peer.choose(offered).reward(k % 2);
    const { estimate } = peer.state();
    await peer.close();
    const other = await open({ ...options, wary: !wary });
    expect(other.state()).toMatchObject({ own: 300, estimate });
    await other.close();
  });

  it("is forgotten for good", async () => {
    const disk = memoryDisk();
    const peer = await open({ store: memoryStore(disk) });
    const choice = peer.choose(offered);
    await choice.reward(1);
    await peer.forget();
    expect(disk.pairs.size).toBe(0);
    expect(() => peer.choose(offered)).toThrow("peer must be open");
    const anew = await open({ store: memoryStore(disk), seed: 4 });
    expect(anew.state()).toMatchObject({ own: 0, round: 1 });
    expect(await anew.reward(choice.id, 1)).toBe("unknown");
    await anew.close();
  });

  it("outlasts a change of network and name", async () => {
    const disk = memoryDisk();
    const alone = await open({ store: memoryStore(disk) });
    await alone.choose(offered).reward(1);
    await alone.close();
    const room = new TestRoom(solo());
    const peer = await room.open("a1", { room: "r", store: memoryStore(disk) });
    expect(peer.state()).toMatchObject({ self: "a1", own: 1 });
    await room.close();
  });
});

describe("closing", () => {
  it("twice is fine, and leaves the place to the next", async () => {
    const disk = memoryDisk();
    const peer = await open({ store: memoryStore(disk) });
    peer.choose(offered);
    await Promise.all([peer.close(), peer.close()]);
    await peer.close();
    const next = await open({ store: memoryStore(disk), seed: 4 });
    expect(next.state().pending).toBe(1);
    await next.close();
    await expect(peer.tick()).rejects.toThrow("peer must be open");
    await expect(peer.forget()).rejects.toThrow("peer must be open");
  });

  it("happens at the end of a scope", async () => {
    const disk = memoryDisk();
    {
      await using peer = await open({ store: memoryStore(disk) });
      await peer.choose(offered).reward(1);
      expect(disk.taken).toBe(true);
    }
    expect(disk.taken).toBe(false);
    {
      using peer = await open({ store: memoryStore(disk), seed: 4 });
      expect(peer.state().own).toBe(1);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(disk.taken).toBe(false);
  });

  it("a failed opening lets go of everything", async () => {
    const disk = memoryDisk();
    const room = new TestRoom();
    const first = await room.open("a1", { store: memoryStore(disk) });
    await expect(room.open("a2", { store: memoryStore(disk) })).rejects.toThrow("is open elsewhere");
    expect(first.state().alive).toEqual([]);
    await room.open("a2");
    expect(first.state().alive).toEqual(["a2"]);
    await room.close();
  });
});

describe("a signal", () => {
  const reason = new Error("enough");

  it("ends the opening, and nothing stays open", async () => {
    const disk = memoryDisk();
    await expect(open({ store: memoryStore(disk), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const opening = open({ store: memoryStore(disk), signal: controller.signal });
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(disk.taken).toBe(false);
  });

  it("ends the waiting for a reward's write, not the write", async () => {
    const peer = await open();
    const choice = peer.choose(offered);
    await expect(choice.reward(1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(peer.state().own).toBe(0);
    const controller = new AbortController();
    const waiting = choice.reward(1, { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await choice.reward(1)).toBe("duplicate");
    await expect(peer.tick({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await peer.close();
  });

  it("cuts a tick short that waits for a partner", async () => {
    const room = new TestRoom();
    const peer = await room.open("a1", { tick: false });
    await room.open("a2", { tick: false });
    room.network.link("a2").serve(() => new Promise(() => {}));
    const controller = new AbortController();
    const ticking = peer.tick({ partner: "a2", signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    expect(await ticking).toBe("in-doubt");
    await room.close();
  });
});

describe("options", () => {
  it.each<[object, string]>([
    [{ room: "" }, "room"],
    [{ features: {} }, "features"],
    [{ policy: { kind: "dccb" } }, "policy"],
    [{ policy: roundRobin() }, "policy"],
    [{ network: {} }, "network"],
    [{ peers: { allow: "a" } }, "peers.allow"],
    [{ peers: { deny: ["a", 3] } }, "peers.deny[1]"],
    [{ peers: { block: [] } }, "peers.block"],
    [{ store: "./front-page" }, "store"],
    [{ explore: { floor: 1.5 } }, "explore.floor"],
    [{ explore: {} }, "explore.floor"],
    [{ shadow: 1 }, "shadow"],
    [{ tick: { periodMs: 0 } }, "tick.periodMs"],
    [{ tick: { jitter: 0.6 } }, "tick.jitter"],
    [{ seed: -1 }, "seed"],
    [{ bootstrap: [] }, "options.bootstrap"],
  ])("%o names %s", async (wrong, field) => {
    await expect(open(wrong)).rejects.toMatchObject({ name: "ConfigError", field });
  });

  it("that matter to others are agreed on, in whatever order they are given", () => {
    const terms = { room: "r", fingerprint: "f", policy: dcb(), range: [0, 1] } as const;
    const agreed = termsOf(terms);
    expect(agreed).toMatch(/^[0-9a-f]{64} r$/);
    const turned = { ...dcb(), options: Object.fromEntries(Object.entries(dcb().options).reverse()) };
    expect(termsOf({ ...terms, policy: turned })).toBe(agreed);
    const others = [
      { ...terms, room: "s" },
      { ...terms, room: "ŕ" },
      { ...terms, fingerprint: "g" },
      { ...terms, policy: dcb({ delay: { rounds: 3 } }) },
      { ...terms, policy: solo() },
      { ...terms, range: [0, 2] as const },
    ];
    const all = [agreed, ...others.map(termsOf)];
    expect(new Set([...all, ...all.map(agreementOf)]).size).toBe(14);
  });

  it("need not be many", async () => {
    await using peer = await createPeer({ room: "r", features: { price: number(0, 10) } });
    const choice = peer.choose([{ price: 3 }, { price: 4 }]);
    expect(await choice.reward(1)).toBe("learned");
    expect(peer.state()).toMatchObject({ policy: "kindred", self: peer.host.identity!.id, pending: 0 });
  });
});

describe("events", () => {
  it("stop when they are no longer wanted", async () => {
    const room = new TestRoom();
    const peer = await room.open("a1");
    let heard = 0;
    const stop = peer.on("neighbourhood", ({ members }) => {
      heard += members;
    });
    await room.open("a2");
    expect(heard).toBe(1);
    stop();
    await room.open("a3");
    expect(heard).toBe(1);
    await room.close();
  });
});
