import { Random } from "@coterie/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { KEY_BYTES } from "../membership/name.ts";
import { requests, responses } from "./frames.ts";
import type { Libp2pNetwork, NetworkViolation } from "./index.ts";
import { GREETING_BYTES, MESSAGE_BYTES, REQUEST_BURST, STREAMS_PER_PEER } from "./limits.ts";
import { join, knows, until } from "./testing/room.ts";
import { hello, type Stranger, say, stranger } from "./testing/stranger.ts";
import { Wire } from "./wire.ts";

/** So few that also a busy machine can ask faster. */
vi.mock("./limits.ts", async (original) => ({
  ...(await original<typeof import("./limits.ts")>()),
  REQUEST_BURST: 200,
  REQUESTS_PER_SECOND: 1,
}));

let victim: Libp2pNetwork;
let friend: Libp2pNetwork;
let foe: Stranger;

beforeAll(async () => {
  victim = await join();
  friend = await join({ bootstrap: victim.addresses() });
  await until(() => knows(friend, victim.self), "they met");
});

afterAll(async () => {
  await Promise.all([victim.close(), friend.close()]);
});

/** Whoever did such things before is refused. */
beforeEach(async () => {
  foe = await stranger();
});

/** Whatever was done to it: it still answers. */
afterEach(async () => {
  await foe.libp2p.stop();
  expect(await friend.link.request(victim.self, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(2, 1));
});

const count = (cause: NetworkViolation): number => victim.violations.get(cause) ?? 0;
const total = (): number => [...victim.violations.values()].reduce((sum, n) => sum + n, 0);
const soon = (): AbortSignal => AbortSignal.timeout(60_000);

describe("a peer goes on after", () => {
  it("garbage instead of a greeting", async () => {
    const random = Random.seeded(5);
    for (let round = 0; round < 20; round++) {
      const before = total();
      if (round > 0) await foe.libp2p.stop();
      foe = await stranger();
      const stream = await foe.stream(victim);
      const garbage = Uint8Array.from({ length: 1 + random.below(600) }, () => random.below(256));
      try {
        stream.send(garbage);
        await stream.close({ signal: soon() });
      } catch {
        // It may have been thrown out already.
      }
      await until(() => total() > before, `garbage ${round} is counted`);
    }
  });

  it("garbage instead of a request, and a header that lies", async () => {
    const before = total();
    for (const bytes of [Uint8Array.of(9, 9, 9), Uint8Array.of(6, 7, 0), Uint8Array.of(6, 0, 200), Uint8Array.of(6)]) {
      const other = await stranger();
      const wire = await other.greeted(victim);
      await wire.write([bytes, new Uint8Array(0)], soon());
      await expect(wire.read(soon())).rejects.toThrow();
      await other.libp2p.stop();
    }
    await until(() => total() >= before + 4, "all are counted");
  });

  it("a frame that is announced too long, before and after the greeting", async () => {
    const before = count("too-long");
    const early = new Wire(await foe.stream(victim), MESSAGE_BYTES);
    await early.write([new Uint8Array(GREETING_BYTES + 1)], soon());
    await until(() => count("too-long") > before, "the greeting is counted");
    const wire = await foe.greeted(victim);
    // 2^28 as a varint, and then nothing: no memory may be set aside for it.
    wire.stream.send(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x01));
    await until(() => count("too-long") > before + 1, "the announcement is counted");
  });

  it("a request that breaks off", async () => {
    const before = count("truncated");
    const wire = await foe.greeted(victim);
    wire.stream.send(Uint8Array.of(100, 6, 0));
    await wire.stream.close();
    await until(() => count("truncated") > before, "it is counted");
  });

  it("an entry with a forged signature", async () => {
    const before = count("forged-entry");
    const wire = await foe.greeted(victim);
    await wire.write([requests.encode({ kind: "gossip", news: [] }), new Uint8Array(0)], soon());
    const { news } = responses.decode(await wire.read(soon()));
    await wire.read(soon());
    const genuine = news.find(({ entry }) => entry.claim.id === friend.self)!;
    const bytes = genuine.entry.bytes.slice();
    // Claims a far higher incarnation for the friend, under its old signature.
    bytes[2 + KEY_BYTES + 1] = bytes[2 + KEY_BYTES + 1]! + 8;
    const forged = { ...genuine, entry: { ...genuine.entry, bytes } };
    await wire.write([requests.encode({ kind: "gossip", news: [forged, genuine] }), new Uint8Array(0)], soon());
    await until(() => count("forged-entry") > before, "it is counted");
    expect(knows(victim, friend.self)).toBe(true);
    // It is cut off, and does not come in again.
    const connected = () => foe.libp2p.getConnections().some(({ remotePeer }) => `${remotePeer}` === victim.self);
    await until(() => !connected(), "it is disconnected");
    await expect(foe.greeted(victim)).rejects.toThrow();
    expect(count("forged-entry")).toBe(before + 1);
  });

  it("a flood of streams", async () => {
    const before = count("flood");
    const wires = [];
    for (let k = 0; k < STREAMS_PER_PEER; k++) wires.push(await foe.greeted(victim));
    await expect(foe.greeted(victim)).rejects.toThrow();
    await until(() => count("flood") > before, "it is counted");
    for (const wire of wires) wire.abort(new Error("done"));
  });

  it("a flood of requests", async () => {
    const before = count("flood");
    const wire = await foe.greeted(victim);
    const ask = [requests.encode({ kind: "exchange", news: [] }), Uint8Array.of(1)];
    const flood = async (): Promise<void> => {
      for (let k = 0; k < 3 * REQUEST_BURST; k++) {
        await wire.write(ask, soon());
        await wire.read(soon());
        await wire.read(soon());
      }
    };
    await expect(flood()).rejects.toThrow();
    expect(count("flood")).toBeGreaterThan(before);
  });

  it("bodies that are begun and never ended, and more of them than there is room for", async () => {
    const small = await join({ messageBytes: 64 * 1024 });
    const ours = await join({ messageBytes: 64 * 1024, bootstrap: small.addresses() });
    await until(() => knows(ours, small.self), "they met");
    const before = small.violations.get("flood") ?? 0;
    const foes = await Promise.all(Array.from({ length: 6 }, () => stranger()));
    const header = requests.encode({ kind: "exchange", news: [] });
    for (const other of foes) {
      for (let k = 0; k < STREAMS_PER_PEER; k++) {
        const wire = await other.greeted(small);
        await wire.write([header], soon());
        // 60,000 as a varint, and almost all of it.
        wire.stream.send(Uint8Array.of(0xe0, 0xd4, 0x03, ...new Uint8Array(59_999)));
      }
    }
    await until(() => (small.violations.get("flood") ?? 0) > before, "some are thrown out");
    // Those who speak as they should are not.
    const body = new Uint8Array(50_000);
    expect((await ours.link.request(small.self, body)).length).toBe(body.length);
    await Promise.all([...foes.map(({ libp2p }) => libp2p.stop()), ours.close(), small.close()]);
  });

  it("somebody who begins to speak and never ends", async () => {
    const before = count("slow");
    const stream = await foe.stream(victim);
    stream.send(Uint8Array.of(98, 1));
    await until(() => count("slow") > before, "it is counted");
  });
});

describe("with a room key", () => {
  it("a proof that is made up, or that was seen elsewhere, is refused", async () => {
    const closed = await join({ roomKey: "correct horse battery staple" });
    const wire = new Wire(await foe.stream(closed), MESSAGE_BYTES);
    expect(await say(wire, hello({ keyed: true }))).toMatchObject({ kind: "welcome" });
    expect(await say(wire, { kind: "proof", proof: new Uint8Array(32) })).toEqual({
      kind: "refuse",
      reason: "room-key",
    });
    await until(() => closed.violations.get("room-key") === 1, "it is counted");
    await closed.close();
  });
});
