import { ConfigError } from "@coterie/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Hub,
  type HubOptions,
  type Libp2pNetwork,
  type Libp2pOptions,
  type NetworkEvent,
  startHub,
} from "./index.ts";
import { join, knows, LOCAL, ROOM, until } from "./testing/room.ts";

const open: { close(): Promise<void> }[] = [];
const KEY = "correct horse battery staple";
const ping = Uint8Array.of(1, 2, 3);

async function hubHere(options: HubOptions = {}): Promise<Hub> {
  const hub = await startHub({ listen: [...LOCAL, `${LOCAL[0]}/ws`], ...options });
  open.push(hub);
  return hub;
}

async function member(options: Libp2pOptions, room = ROOM): Promise<Libp2pNetwork> {
  const network = await join(options, room);
  open.push(network);
  return network;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

describe("a hub", () => {
  it("lets peers of each room find each other and takes no part", async () => {
    const hub = await hubHere();
    const bootstrap = hub.addresses.filter((address) => !address.includes("/ws"));
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => member({ bootstrap })));
    const other = await Promise.all([1, 2].map(() => member({ bootstrap }, { ...ROOM, name: "sports" })));
    await until(() => [a!, b!, c!].every((one) => one.alive().length === 2), "the three met");
    await until(() => other.every((one) => one.alive().length === 1), "the two met");
    expect(a!.alive()).toEqual([b!.self, c!.self].sort());
    expect(await a!.link.request(b!.self, ping)).toEqual(Uint8Array.of(3, 2, 1));
    await expect(a!.link.request(hub.self, ping)).rejects.toThrow(/no exchanges/);
    expect(hub.counts()).toMatchObject({ rooms: 2, members: 5, reservations: 5, violations: new Map() });
    await a!.close();
    await until(() => hub.counts().members === 4, "a goodbye is heard");
  });

  it("keeps its name with its key, and goes when it is closed, but the room goes on", async () => {
    const privateKey = new Uint8Array(32).fill(3);
    const hub = await hubHere({ privateKey });
    const bootstrap = [...hub.addresses];
    const [a, b] = await Promise.all([1, 2].map(() => member({ bootstrap })));
    await until(() => knows(a!, b!.self) && knows(b!, a!.self), "they met");
    await Promise.all([hub.close(), hub.close()]);
    expect(await a!.link.request(b!.self, ping)).toHaveLength(3);
    const listen = bootstrap.map((address) => address.replace(/\/p2p\/.*/, ""));
    const again = await hubHere({ privateKey, listen });
    expect(again.self).toBe(hub.self);
    const late = await member({ bootstrap });
    await until(() => again.counts().members > 0, "a peer has come to the hub");
    await until(() => knows(late, a!.self) && knows(b!, late.self), "the newcomer met the others");
  });

  it("says so where peers give a room the same name and agree on something else", async () => {
    const hub = await hubHere();
    const bootstrap = [...hub.addresses];
    const events: NetworkEvent[] = [];
    await member({ bootstrap });
    await until(() => hub.counts().members === 1, "it is there");
    const other = { ...ROOM, agreement: "b" };
    const odd = await member({ bootstrap, onEvent: (event) => events.push(event) }, other);
    await until(() => events.some(({ kind }) => kind === "misfits"), "it is told");
    expect(odd.alive()).toEqual([]);
  });

  it("has limits, tells who comes beyond them, and counts it; whoever was refused comes in when there is space", async () => {
    const told: NetworkEvent[] = [];
    const limits = { rooms: 1, membersPerRoom: 1 };
    const hub = await hubHere({ limits, onEvent: (event) => told.push(event) });
    const bootstrap = [...hub.addresses];
    const first = await member({ bootstrap });
    await until(() => hub.counts().members === 1, "one is there");
    const refused: string[] = [];
    const onEvent = (event: NetworkEvent): unknown => event.kind === "refused" && refused.push(event.reason);
    const second = await member({ bootstrap, onEvent });
    const elsewhere = await member({ bootstrap, onEvent }, { ...ROOM, name: "sports" });
    await until(() => hub.counts().overloads.size === 2, "both are turned away");
    await until(() => refused.length >= 2, "and know it");
    expect(new Set(refused)).toEqual(new Set(["overloaded"]));
    expect(new Set(hub.counts().overloads.keys())).toEqual(new Set(["rooms", "membersPerRoom"]));
    expect(hub.counts()).toMatchObject({ rooms: 1, members: 1, violations: new Map() });
    expect(told).toContainEqual({
      ...{ kind: "refused", by: "us", reason: "overloaded" },
      ...{ peer: second.self, limit: "membersPerRoom" },
    });
    await Promise.all([first.close(), elsewhere.close()]);
    await until(() => hub.members(2).some(({ peer }) => peer === second.self), "the second is in");
  });

  it("says that it is full to a connection beyond its limit, and not by a bare end of the stream", async () => {
    const hub = await hubHere({ limits: { connections: 1 } });
    const bootstrap = hub.addresses.filter((address) => address.includes("/ws"));
    const first = await member({ bootstrap, listen: [] });
    await until(() => hub.counts().members === 1, "one is there");
    const events: NetworkEvent[] = [];
    const second = await member({ bootstrap, listen: [], onEvent: (event) => events.push(event) });
    await until(() => events.some(({ kind }) => kind === "refused"), "the second is refused");
    const refusal = { kind: "refused", peer: hub.self, by: "them", reason: "overloaded" };
    expect(events.filter(({ kind }) => kind !== "open-room")[0]).toEqual(refusal);
    expect(hub.counts()).toMatchObject({ connections: 1, members: 1, reservations: 1 });
    expect(hub.counts().overloads.get("connections")).toBeGreaterThan(0);
    await first.close();
    await until(() => hub.members(2).some(({ peer }) => peer === second.self), "it comes in later");
  });

  it("has no more reservations than agreed, and says so", async () => {
    const hub = await hubHere({ limits: { reservations: 1 } });
    const bootstrap = [...hub.addresses];
    const first = await member({ bootstrap, listen: [] });
    await until(() => hub.counts().reservations === 1, "one is reached through it");
    const refused: NetworkEvent[] = [];
    const onEvent = (event: NetworkEvent): unknown => event.kind === "refused" && refused.push(event);
    const second = await member({ bootstrap, listen: [], onEvent });
    await until(() => refused.length > 0, "the second is not");
    expect(refused[0]).toEqual({ kind: "refused", peer: hub.self, by: "them", reason: "overloaded" });
    expect(hub.counts().overloads.get("reservations")).toBeGreaterThan(0);
    // It has no address, but reaches the one that has.
    await until(() => knows(second, first.self), "it finds the first");
    expect(second.addresses()).toEqual([]);
  });

  it.each<[string, HubOptions]>([
    ["listen[0]", { listen: ["nonsense"] }],
    ["announce[0]", { announce: ["nonsense"] }],
    ["privateKey", { privateKey: new Uint8Array(1) }],
    ["rooms[0].roomKey", { rooms: [{ name: "a", roomKey: "short" }] }],
    ["limits.rooms", { limits: { rooms: 0 } }],
  ])("names a wrong %s", async (field, options) => {
    await expect(startHub(options)).rejects.toThrow(ConfigError);
    await expect(startHub(options)).rejects.toThrow(field);
  });
});

describe("a room key and a hub", () => {
  it("that does not have it: members meet, and a stranger is introduced to none of them", async () => {
    const hub = await hubHere();
    const bootstrap = [...hub.addresses];
    const [a, b] = await Promise.all([1, 2].map(() => member({ bootstrap, roomKey: KEY })));
    await until(() => knows(a!, b!.self) && knows(b!, a!.self), "they met");
    const told: NetworkEvent[] = [];
    const stranger = await member({ bootstrap, roomKey: `${KEY}!`, onEvent: (event) => told.push(event) });
    await until(() => hub.counts().members === 3, "the hub has it");
    const late = await member({ bootstrap, roomKey: KEY });
    await until(() => late.alive().length === 2, "a newcomer finds the two");
    // It was never told of the third, so it had nothing to see through.
    expect(late.violations).toEqual(new Map());
    expect(knows(late, stranger.self)).toBe(false);
    expect(stranger.alive()).toEqual([]);
    expect(told).toContainEqual({ kind: "misfits", hub: hub.self, count: 2 });
  });

  it("that has it: strangers and other rooms are refused at the door", async () => {
    const hub = await hubHere({ rooms: [{ name: ROOM.name, roomKey: KEY }] });
    const bootstrap = [...hub.addresses];
    const [a, b] = await Promise.all([1, 2].map(() => member({ bootstrap, roomKey: KEY })));
    await until(() => knows(a!, b!.self) && knows(b!, a!.self), "they met");
    const refused = async (options: Libp2pOptions, room = ROOM): Promise<string> => {
      const reasons: string[] = [];
      await member({ ...options, bootstrap, onEvent: (e) => e.kind === "refused" && reasons.push(e.reason) }, room);
      await until(() => reasons.length > 0, "it is refused");
      return reasons[0]!;
    };
    expect(await refused({ roomKey: `${KEY}!` })).toBe("room-key");
    expect(await refused({})).toBe("room-key");
    expect(await refused({ roomKey: KEY }, { ...ROOM, name: "sports" })).toBe("another-room");
    expect(hub.counts()).toMatchObject({ rooms: 1, members: 2 });
  });
});
