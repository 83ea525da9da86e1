import { getEventListeners } from "node:events";
import { ConfigError } from "@coterie/core";
import { multiaddr } from "@multiformats/multiaddr";
import { afterEach, describe, expect, it } from "vitest";
import { LinkError } from "../link/link.ts";
import { EXPIRE_MS } from "../membership/limits.ts";
import { type Libp2pNetwork, type Libp2pOptions, libp2p, type NetworkEvent, RefusedError } from "./index.ts";
import { join, knows, LOCAL, ROOM, until } from "./testing/room.ts";
import { stranger } from "./testing/stranger.ts";
import { Wire } from "./wire.ts";

const open: Libp2pNetwork[] = [];

async function member(options: Libp2pOptions = {}, room = ROOM): Promise<Libp2pNetwork> {
  const network = await join(options, room);
  open.push(network);
  return network;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((network) => network.close()));
});

const KEY = "correct horse battery staple";
const ping = Uint8Array.of(1, 2, 3);

describe("a room over TCP", () => {
  it("ten peers find each other from one address, and everyone can ask everyone", async () => {
    const first = await member();
    const bootstrap = first.addresses();
    const all = [first, ...(await Promise.all(Array.from({ length: 9 }, () => member({ bootstrap }))))];
    await until(() => all.every((network) => network.alive().length === 9), "all know all");
    for (const from of all) {
      for (const to of all) {
        if (from === to) continue;
        expect(await from.link.request(to.self, ping)).toEqual(Uint8Array.of(3, 2, 1));
      }
    }
    expect(all.every(({ violations }) => violations.size === 0)).toBe(true);
    expect(first.alive()).toEqual([...first.alive()].sort());
  });

  it("keeps to its number of connections and reaches everybody all the same", async () => {
    const first = await member({ connections: 3 });
    const bootstrap = first.addresses();
    const others = await Promise.all(Array.from({ length: 7 }, () => member({ bootstrap, connections: 3 })));
    await until(() => first.alive().length === 7, "all are known");
    for (let round = 0; round < 2; round++) {
      for (const to of others) expect(await first.link.request(to.self, ping)).toHaveLength(3);
    }
    await until(() => first.connections <= 6, "connections were closed");
  });

  it("answers nothing, and is nobody's partner, before it serves", async () => {
    const meetingPoint = await libp2p({ listen: LOCAL })(ROOM);
    open.push(meetingPoint);
    const bootstrap = meetingPoint.addresses();
    const [a, b] = [await member({ bootstrap }), await member({ bootstrap })];
    await until(() => knows(a, b.self) && knows(b, a.self), "they met");
    expect(knows(a, meetingPoint.self)).toBe(false);
    await expect(a.link.request(meetingPoint.self, ping)).rejects.toThrow(LinkError);
    meetingPoint.link.serve(async (_, message) => message);
    await until(() => knows(a, meetingPoint.self), "it serves");
  });

  it("passes large bodies whole, and tells of a peer that cannot answer", async () => {
    const a = await member();
    const b = await member({ bootstrap: a.addresses() });
    await until(() => knows(b, a.self), "they met");
    const large = Uint8Array.from({ length: 300_001 }, (_, k) => (k * 31) & 255);
    expect(await b.link.request(a.self, large)).toEqual(large.slice().reverse());
    a.link.serve(() => Promise.reject(new Error("disk")));
    await expect(b.link.request(a.self, ping)).rejects.toThrow(/could not answer/);
    expect(knows(b, a.self)).toBe(true);
    await expect(b.link.request("12D3KooWRndVhVZPCiQwHBBBdg769GyrPUW13zxwqQyf9r3ANaba", ping)).rejects.toThrow(
      /address/,
    );
    await expect(b.link.request(a.self, ping, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it("a signal is for joining alone: it holds no listener afterwards, and closes nothing", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const a = await member({}, { ...ROOM, signal } as typeof ROOM);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    controller.abort();
    const c = await member({ bootstrap: a.addresses() });
    await until(() => knows(a, c.self), "it goes on");
    await expect(member({}, { ...ROOM, signal } as typeof ROOM)).rejects.toThrow();
  });
});

describe("who is let in", () => {
  const refusals = (events: NetworkEvent[]): string[] =>
    events.flatMap((event) => (event.kind === "refused" ? [`${event.by}: ${event.reason}`] : []));

  async function meet(one: Libp2pOptions, two: Libp2pOptions, room = ROOM): Promise<[string[], string[], boolean]> {
    const events: [NetworkEvent[], NetworkEvent[]] = [[], []];
    const a = await member({ ...one, onEvent: (event) => events[0].push(event) });
    const b = await member({ ...two, bootstrap: a.addresses(), onEvent: (event) => events[1].push(event) }, room);
    await until(() => knows(b, a.self) || refusals(events[1]).length > 0, "it is decided");
    await until(() => knows(a, b.self) || refusals(events[0]).length > 0, "both know it");
    if (!knows(b, a.self)) await expect(b.link.request(a.self, ping)).rejects.toThrow(RefusedError);
    return [refusals(events[0]), refusals(events[1]), knows(a, b.self) && knows(b, a.self)];
  }

  it("another room is refused on both sides", async () => {
    expect(await meet({}, {}, { ...ROOM, name: "sports" })).toEqual([
      ["us: another-room"],
      ["them: another-room"],
      false,
    ]);
  });

  it("so is another feature schema, policy or version", async () => {
    const [us, them] = await meet({}, {}, { ...ROOM, agreement: "b" });
    expect([us, them]).toEqual([["us: another-agreement"], ["them: another-agreement"]]);
  });

  it("so is one that speaks the protocol of an earlier version, in the words of that version", async () => {
    const events: NetworkEvent[] = [];
    const a = await member({ onEvent: (event) => events.push(event) });
    const foe = await stranger();
    const connection = await foe.libp2p.dial(multiaddr(a.addresses()[0]!));
    const wire = new Wire(await connection.newStream("/coterie/exchange/1.0.0"), 256);
    const signal = AbortSignal.timeout(60_000);
    // HELLO of commit 45e3010: 1, keyed, room, agreement, nonce. REFUSE: 5, and 1 for another agreement, which it has a word for.
    await wire.write([Uint8Array.of(1, 0, ...new Uint8Array(96))], signal);
    expect([...(await wire.read(signal))]).toEqual([5, 1]);
    await until(() => refusals(events).length > 0, "it is told");
    expect(refusals(events)).toEqual(["us: another-version"]);
    await foe.libp2p.stop();
  });

  it("the right room key is accepted", async () => {
    expect(await meet({ roomKey: KEY }, { roomKey: KEY })).toEqual([[], [], true]);
  });

  it.each([
    ["a wrong one", { roomKey: KEY }, { roomKey: `${KEY}!` }],
    ["none where one is needed", { roomKey: KEY }, {}],
    ["one where none is", {}, { roomKey: KEY }],
  ])("%s is refused", async (_, one, two) => {
    expect(await meet(one, two)).toEqual([["us: room-key"], ["them: room-key"], false]);
  });

  it("an open room says so", async () => {
    const events: NetworkEvent[] = [];
    const onEvent = (event: NetworkEvent): void => void events.push(event);
    expect((await member({ onEvent })).open).toBe(true);
    expect(events).toMatchObject([{ kind: "open-room" }]);
    expect((await member({ onEvent, roomKey: KEY })).open).toBe(false);
    expect(events).toHaveLength(1);
  });
});

describe("coming and going", () => {
  it("a killed peer is no longer alive, and comes back with its name", async () => {
    const privateKey = new Uint8Array(32).fill(7);
    const [a, b] = [await member(), await member()];
    const bootstrap = [...a.addresses(), ...b.addresses()];
    const joined: string[] = [];
    a.onMembers((event) => joined.push(`${event.kind} ${event.peer}`));
    const mortal = await member({ bootstrap, privateKey });
    await until(() => [a, b].every((network) => knows(network, mortal.self)), "all met");
    await mortal.abandon();
    await expect(a.link.request(mortal.self, ping)).rejects.toThrow(LinkError);
    await until(() => [a, b].every((network) => !knows(network, mortal.self)), "it is missed");
    const again = await member({ bootstrap, privateKey });
    expect(again.self).toBe(mortal.self);
    await until(() => [a, b].every((network) => knows(network, again.self)), "it is back");
    expect(await a.link.request(again.self, ping)).toHaveLength(3);
    const moves = joined.filter((event) => event.endsWith(mortal.self)).map((event) => event.split(" ")[0]);
    expect(moves.slice(0, 3)).toEqual(["joined", "left", "joined"]);
  });

  it("one that says goodbye is not waited for; closing twice is closing once", async () => {
    const a = await member();
    const b = await member({ bootstrap: a.addresses() });
    await until(() => knows(a, b.self), "they met");
    await Promise.all([b.close(), b.close()]);
    // One that is only silent is in view for longer.
    await until(() => !knows(a, b.self), "it has said goodbye", 0.9 * EXPIRE_MS);
    await expect(b.link.request(a.self, ping)).rejects.toThrow(/closed/);
    expect(b.alive()).toEqual([]);
  });

  it("one that is out of sight answers nobody and asks nobody until it is shown again", async () => {
    const a = await member();
    const b = await member({ bootstrap: a.addresses() });
    await until(() => knows(a, b.self) && knows(b, a.self), "they met");
    b.hide();
    // As whoever did not hear the goodbye would ask.
    await expect(a.link.request(b.self, ping)).rejects.toThrow(LinkError);
    await expect(b.link.request(a.self, ping)).rejects.toThrow("the page is out of sight");
    await until(() => !knows(a, b.self), "it is gone");
    b.show();
    await until(() => knows(a, b.self) && knows(b, a.self), "it is back");
    expect(await a.link.request(b.self, ping)).toHaveLength(3);
  });

  it("finds its bootstrap peer even when that starts later", async () => {
    const privateKey = new Uint8Array(32).fill(9);
    const before = await member({ privateKey });
    const bootstrap = before.addresses();
    await before.abandon();
    const early = await member({ bootstrap });
    const late = await member({ privateKey, listen: [bootstrap[0]!.replace(/\/p2p\/.*/, "")] });
    await until(() => knows(early, late.self) && knows(late, early.self), "they met");
  });
});

describe("options", () => {
  it.each<[string, Libp2pOptions]>([
    ["bootstrap[0]", { bootstrap: ["nonsense"] }],
    ["listen[0]", { listen: ["127.0.0.1:80"] }],
    ["roomKey", { roomKey: "short" }],
    ["privateKey", { privateKey: new Uint8Array(5) }],
    ["connections", { connections: 0 }],
    ["messageBytes", { messageBytes: 1.5 }],
  ])("a wrong %s is named", (field, options) => {
    expect(() => libp2p(options)).toThrow(ConfigError);
    expect(() => libp2p(options)).toThrow(field);
  });
});
