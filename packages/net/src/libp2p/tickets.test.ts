import { ConfigError } from "@coterie/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createNotary } from "../identity/notary.ts";
import { signedBy } from "../membership/codec.ts";
import { hubTag, TICKET_S, ticketSeal, ticketText } from "../membership/ticket.ts";
import { Tickets } from "../node/tickets.ts";
import { requests } from "./frames.ts";
import { type Hub, type HubOptions, type Libp2pNetwork, type Libp2pOptions, libp2p, startHub } from "./index.ts";
import { digest, entrySeal, roomDigest } from "./proof.ts";
import { join, knows, LOCAL, ROOM, until } from "./testing/room.ts";
import { hello, say, stranger } from "./testing/stranger.ts";
import { TicketDesk } from "./ticketDesk.ts";
import { Wire } from "./wire.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function hubHere(options: HubOptions = {}): Promise<Hub> {
  const hub = await startHub({ listen: LOCAL, ...options });
  open.push(hub);
  return hub;
}

async function member(hubs: readonly Hub[], options: Libp2pOptions = {}): Promise<Libp2pNetwork> {
  const network = await join({ hubs: hubs.flatMap(({ addresses }) => addresses), tickets: true, ...options });
  open.push(network);
  return network;
}

const met = (...all: Libp2pNetwork[]): Promise<void> =>
  until(() => all.every((a) => all.every((b) => a === b || knows(a, b.self))), "each knows each");

/** Six names come from one address to a room of two, and the hub has tickets for three from there. */
async function sybils(): Promise<{ readonly honest: Libp2pNetwork; readonly inside: number; readonly hub: Hub }> {
  const hub = await hubHere({ limits: { ticketsPerPrefix: 3, ticketsPerMinute: 1000 } });
  const [a, b] = [await member([hub]), await member([hub])];
  await met(a, b);
  const names = await Promise.all(Array.from({ length: 6 }, () => member([hub], { listen: LOCAL })));
  const decided = (): number => hub.counts().tickets - 2 + (hub.counts().overloads.get("ticketsPerPrefix") ?? 0);
  await until(() => decided() >= names.length, "each name was given a ticket, or refused");
  const inside = (): number => names.filter(({ self }) => knows(a, self)).length;
  await until(() => inside() >= hub.counts().tickets - 2, "those with a ticket came in");
  return { honest: a, inside: inside(), hub };
}

/** Somebody who says that it has a ticket, and signs one itself. */
async function forger(victim: Libp2pNetwork, hub: Hub, signs: boolean): Promise<void> {
  const foe = await stranger();
  open.push({ close: async () => foe.libp2p.stop() });
  const wire = new Wire(await foe.stream(victim), 1 << 20);
  const agreement = digest(`${ROOM.agreement}\ntickets`);
  await say(wire, hello({ agreement }));
  const { key, libp2p: mine } = foe;
  const [self, room] = [mine.peerId.toString(), roomDigest(ROOM.name)];
  const until = Math.floor(Date.now() / 1000) + TICKET_S;
  const signature = await createNotary(self, key, ticketSeal(room)).sign(ticketText(self, until));
  const ticket = { hub: hubTag(hub.self)!, until, signature };
  const claim = { id: self, addresses: [], incarnation: 1, heartbeat: 1, serves: true, leaving: false };
  const notary = createNotary(self, key, await entrySeal(null, { room, agreement }));
  const entry = await signedBy(notary, signs ? { ...claim, ticket } : claim);
  const header = requests.encode({ kind: "exchange", news: [{ entry, ageMs: 0 }] });
  await wire.write([header, Uint8Array.of(1, 2)], AbortSignal.timeout(60_000));
  await expect(wire.read(AbortSignal.timeout(60_000))).rejects.toThrow();
}

describe("a room with tickets", { timeout: 120_000 }, () => {
  it("lets in only as many names of an address as the hub gives tickets for", async () => {
    const { inside, hub } = await sybils();
    expect(inside).toBe(1);
    expect(hub.counts()).toMatchObject({ tickets: 3, members: 3 });
  });

  it("lets all of them in where the hub does not count", async () => {
    vi.spyOn(TicketDesk.prototype, "admit").mockReturnValue(null);
    vi.spyOn(TicketDesk.prototype, "size", "get").mockReturnValue(8);
    expect((await sybils()).inside).toBe(6);
  });

  it("neither answers nor keeps those without a ticket, or with one of their own", async () => {
    const hub = await hubHere();
    const [a, b] = [await member([hub]), await member([hub])];
    await met(a, b);
    expect(await a.link.request(b.self, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(2, 1));
    await forger(a, hub, false);
    expect(a.violations.get("ticket")).toBe(1);
    await forger(a, hub, true);
    expect(a.violations.get("forged-entry")).toBe(1);
    expect(a.alive()).toEqual([b.self]);
    // Where nobody looks at tickets, it is answered.
    vi.spyOn(Tickets.prototype, "admits").mockReturnValue(true);
    await expect(forger(a, hub, false)).rejects.toThrow();
  });

  it("goes on while its hub is dead, and newcomers come in at another", async () => {
    const hubs = [await hubHere(), await hubHere()];
    const [a, b] = [await member(hubs), await member(hubs)];
    await Promise.all(hubs.splice(0, 1).map((hub) => hub.close()));
    const c = await member(hubs, { bootstrap: a.addresses(), hubs: hubs.flatMap(({ addresses }) => addresses) });
    await met(a, b);
    await until(() => knows(a, c.self), "the newcomer is known");
    await hubs[0]!.close();
    expect(await a.link.request(b.self, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(2, 1));
    expect([knows(a, b.self), knows(a, c.self)]).toEqual([true, true]);
  });

  it("is not for those who ask for none, nor for a room with a key, nor without the names of hubs", async () => {
    const hub = await hubHere();
    const a = await member([hub]);
    const b = await member([hub], { tickets: false, bootstrap: a.addresses() });
    await until(() => (a.violations.get("another-agreement") ?? 0) > 0, "they do not fit");
    expect([knows(a, b.self), knows(b, a.self)]).toEqual([false, false]);
    const hubs = [...hub.addresses];
    expect(() => libp2p({ hubs, tickets: true, roomKey: "x".repeat(16) })).toThrow(ConfigError);
    expect(() => libp2p({ tickets: true })).toThrow("tickets must be left out where there are no hubs");
    expect(() => libp2p({ hubs: ["/ip4/127.0.0.1/tcp/1"], tickets: true })).toThrow("hubs[0] must end in /p2p/");
  });
});
