import { generateKeyPairFromSeed } from "@libp2p/crypto/keys";
import { peerIdFromPrivateKey } from "@libp2p/peer-id";
import { describe, expect, it } from "vitest";
import { reader } from "../membership/codec.ts";
import { encodeTicket, readGrant, TICKET_S } from "../membership/ticket.ts";
import { HUB_LIMITS } from "./hubLimits.ts";
import { HubTickets } from "./hubTickets.ts";
import { TicketDesk } from "./ticketDesk.ts";

const HOME = "192.0.2";

describe("a hub's tickets", () => {
  it("are for so many new names of an address prefix a minute, and renewed for those who hold one", () => {
    const desk = new TicketDesk({ ticketsPerMinute: 3, ticketsPerPrefix: 10 });
    const ask = (name: string, now: number, prefix: string | null = HOME) => desk.admit(name, prefix, false, now);
    const all = Array.from({ length: 300 }, (_, k) => ask(`name ${k}`, 0));
    expect(all.filter((limit) => limit === null)).toHaveLength(3);
    expect(all.at(-1)).toBe("ticketsPerMinute");
    expect([ask("name 0", 1), ask("name 7", 20), ask("name 8", 20)]).toEqual([null, null, "ticketsPerMinute"]);
    expect(ask("elsewhere", 20, "192.0.3")).toBe(null);
    // Those whose address nobody knows are no better off together than those of one prefix.
    expect(["a", "b", "c", "d"].map((name) => ask(name, 20, null))).toEqual([null, null, null, "ticketsPerMinute"]);
  });

  it("are for so many names of a prefix at once, until they are out of time", () => {
    const desk = new TicketDesk({ ticketsPerMinute: 10, ticketsPerPrefix: 4 });
    const names = ["a", "b", "c", "d", "e"];
    expect(names.map((name) => desk.admit(name, HOME, false, 0))).toEqual([
      ...[null, null, null, null, "ticketsPerPrefix"],
    ]);
    // Two of them renew; the others do not come back.
    expect(["a", "b"].map((name) => desk.admit(name, HOME, false, TICKET_S / 2))).toEqual([null, null]);
    expect(["e", "f", "g"].map((name) => desk.admit(name, HOME, false, TICKET_S))).toEqual([
      ...[null, null, "ticketsPerPrefix"],
    ]);
    expect(desk.size).toBe(4);
  });

  it("whoever comes from another hub with a ticket does not wait for a minute", () => {
    const desk = new TicketDesk({ ticketsPerMinute: 1, ticketsPerPrefix: 3 });
    const come = (name: string, holds: boolean) => desk.admit(name, HOME, holds, 0);
    expect([come("a", false), come("b", false), come("b", true), come("c", true), come("d", true)]).toEqual([
      ...[null, "ticketsPerMinute", null, null, "ticketsPerPrefix"],
    ]);
  });

  it("one hub renews what another gave, to whom and for which room it did, and in time", async () => {
    const keys = await Promise.all(
      [1, 2, 3].map((k) => generateKeyPairFromSeed("Ed25519", new Uint8Array(32).fill(k))),
    );
    const names = keys.map((key) => peerIdFromPrivateKey(key).toString());
    let now = 1_700_000_000;
    const hub = (k: number, ticketsPerMinute: number, trusted: readonly string[]): HubTickets =>
      new HubTickets(names[k]!, keys[k]!, trusted, { ...HUB_LIMITS, ticketsPerMinute }, () => now);
    const one = hub(0, 10, []);
    const [room, elsewhere] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
    const peer = names[2]!;
    const granted = await one.grant({ peer, room, prefix: HOME }, Uint8Array.of(0));
    if (granted.limit !== null) throw new Error("it had some left");
    const { ticket, now: told } = readGrant(reader(granted.answer));
    expect([told, ticket.until]).toEqual([now, now + TICKET_S]);
    const ask = async (who: HubTickets, name: string, where: Uint8Array) => {
      // The one that it had for this minute is taken.
      await who.grant({ peer: names[1]!, room, prefix: HOME }, Uint8Array.of(0));
      return (await who.grant({ peer: name, room: where, prefix: HOME }, encodeTicket(ticket))).limit;
    };
    const trusting = (): HubTickets => hub(1, 1, [names[0]!]);
    expect(await ask(trusting(), peer, room)).toBe(null);
    expect(await ask(trusting(), names[0]!, room)).toBe("ticketsPerMinute");
    expect(await ask(trusting(), peer, elsewhere)).toBe("ticketsPerMinute");
    expect(await ask(hub(1, 1, []), peer, room)).toBe("ticketsPerMinute");
    const claim = { id: peer, addresses: [], incarnation: 1, heartbeat: 1, serves: true, leaving: false, ticket };
    expect([await one.admits(claim, room), await one.admits({ ...claim, ticket: undefined }, room)]).toEqual([
      true,
      false,
    ]);
    now += TICKET_S;
    expect(await ask(trusting(), peer, room)).toBe("ticketsPerMinute");
    expect(await one.admits(claim, room)).toBe(false);
  });
});
