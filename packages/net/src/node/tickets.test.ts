import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import type { SignedEntry } from "../membership/entry.ts";
import { idOf } from "../membership/name.ts";
import { entry, sign } from "../membership/testing/simulation.ts";
import { hubTag, TICKET_S, type Ticket } from "../membership/ticket.ts";
import type { GossipEffect, GossipEvent } from "./event.ts";
import { Gossip } from "./gossip.ts";

const [hub, another] = [idOf(new Uint8Array(32).fill(7)), idOf(new Uint8Array(32).fill(8))];
const addresses = ["/here"];
/** What the hub's clock shows when ours begins. */
const BEGAN = 1_700_000_000;

const ticketOf = (seconds: number, by = hub): Ticket => {
  return { hub: hubTag(by)!, until: BEGAN + seconds, signature: new Uint8Array(64) };
};

const withTicket = (peer: string, ticket?: Ticket, heartbeat = 1): SignedEntry => {
  const { claim } = entry(peer, heartbeat, { addresses: ["/there"] });
  return sign(ticket === undefined ? claim : { ...claim, ticket });
};

function member() {
  const config = { self: "me", incarnation: 1, random: Random.seeded(1), bootstrap: [], connections: 6 };
  const node = new Gossip({ ...config, mayDial: () => true, tickets: [hub] }, 0);
  const feed = (event: GossipEvent, now = 0): GossipEffect[] =>
    node.step(event, now).flatMap((effect) => {
      if (effect.kind === "remember") return [];
      return effect.kind === "sign" ? [effect, ...feed({ kind: "signed", entry: sign(effect.claim) }, now)] : [effect];
    });
  /** Somebody speaks, and tells of others. As a driver does, only what is wanted comes in. */
  const hear = (from: string, told: readonly SignedEntry[], now = 0): GossipEffect[] => {
    const all = told.map((one) => ({ entry: one, ageMs: 0 }));
    const news = all.filter((one) => node.bulletins.wants(one, from, "gossip", now));
    return feed({ kind: "heard", from, occasion: "gossip", news, told: all }, now);
  };
  const connect = (peer: string) =>
    feed({ kind: "opened", connection: { id: `to ${peer}`, peer, relayed: false, outbound: false } });
  const grant = (seconds: number, now = 0) =>
    feed({ kind: "granted", grant: { ticket: ticketOf(seconds), now: BEGAN + now / 1000 } }, now);
  return { node, feed, hear, connect, grant };
}

describe("a room with tickets", () => {
  it("takes in those who show a ticket of its hub, and cuts off others", () => {
    const { node, hear, connect, grant } = member();
    for (const peer of ["good", "bare", "late", "odd"]) connect(peer);
    grant(TICKET_S);
    const good = ticketOf(TICKET_S);
    expect(hear("good", [withTicket("good", good), withTicket("friend", good), withTicket("made up")])).toMatchObject([
      { kind: "joined", peer: "good" },
      { kind: "joined", peer: "friend" },
    ]);
    const strangers = [withTicket("bare"), withTicket("late", ticketOf(-1)), withTicket("odd", ticketOf(9, another))];
    for (const stranger of strangers) {
      const { id } = stranger.claim;
      // It brings one who has a ticket: from it not even that is heard.
      expect(hear(id, [stranger, withTicket("more", good)])).toEqual([{ kind: "drop", id: `to ${id}` }]);
      expect(node.admits(id, 0)).toBe(false);
    }
    expect(node.view()).toEqual(["friend", "good"]);
    expect([node.admits("good", 0), node.admits("friend", 0)]).toEqual([true, false]);
  });

  it("knows nobody before it has a ticket itself, and tells no hub of itself", () => {
    const { node, feed, hear, grant } = member();
    feed({ kind: "serves", addresses });
    expect(node.bulletins.introduce(hub, 0).news).toEqual([]);
    hear("good", [withTicket("good", ticketOf(TICKET_S))]);
    expect(node.view()).toEqual([]);
    grant(TICKET_S);
    expect(feed({ kind: "moved", addresses })).toMatchObject([
      { kind: "sign", claim: { ticket: { hub: hubTag(hub) } } },
    ]);
    expect(node.bulletins.introduce(hub, 0).news).toHaveLength(1);
  });

  it("renews its ticket when half of it is over; without hubs nobody stays beyond its own", () => {
    const { node, feed, hear, connect, grant } = member();
    connect("good");
    const due = (seconds: number) => node.tickets?.isDue(1000 * seconds);
    expect(due(0)).toBe(true);
    grant(TICKET_S);
    expect([due(0), due(TICKET_S / 2 - 1), due(TICKET_S / 2 + 1)]).toEqual([false, false, true]);
    hear("good", [withTicket("good", ticketOf(100))]);
    const at = (seconds: number) => 1000 * seconds;
    // It goes on talking, so that nothing else would end its stay.
    for (const [seconds, heartbeat] of [
      [30, 2],
      [60, 3],
      [90, 4],
    ] as const) {
      hear("good", [withTicket("good", ticketOf(100), heartbeat)], at(seconds));
      feed({ kind: "round", addresses }, at(seconds));
      expect(node.view()).toEqual(["good"]);
    }
    expect(node.admits("good", at(101))).toBe(false);
    expect(feed({ kind: "round", addresses }, at(101))).toContainEqual({ kind: "left", peer: "good" });
    // A new one, shown within a message that brings nothing else new.
    hear("good", [withTicket("good", ticketOf(TICKET_S), 4)], at(102));
    expect(node.admits("good", at(102))).toBe(true);
  });
});
