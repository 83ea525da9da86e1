import { connect } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { ArrivalLimit } from "./arrivals.ts";
import type { Libp2pNetwork } from "./index.ts";
import { HELD_AT_ONCE } from "./limits.ts";
import { join, until } from "./testing/room.ts";

/** So short that the test need not wait. */
vi.mock("./limits.ts", async (original) => ({ ...(await original<typeof import("./limits.ts")>()), HELD_MS: 100 }));

afterEach(() => vi.restoreAllMocks());

/** Says something; resolves with the number of bytes that came first, or with 0 at the end. */
function knock(address: string, words: string): Promise<number> {
  const socket = connect(Number(/tcp\/(\d+)/.exec(address)![1]), "127.0.0.1");
  socket.write(words);
  return new Promise((resolve) => {
    socket.on("error", () => {});
    socket.once("close", () => resolve(0));
    socket.once("data", ({ length }) => {
      resolve(length);
      socket.destroy();
    });
  });
}

const turnedAway = (network: Libp2pNetwork): number => network.violations.get("flood") ?? 0;
const SELECT = "\x13/multistream/1.0.0\n";
const UPGRADE = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

it("whoever comes too often is turned away before a word is said, over TCP and WebSockets", async () => {
  const network = await join({ listen: ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"] });
  const [tcp, ws] = [
    network.addresses().find((a) => !a.includes("/ws"))!,
    network.addresses().find((a) => a.includes("/ws"))!,
  ];
  expect(await knock(tcp, SELECT)).toBeGreaterThan(0);
  expect(await knock(ws, UPGRADE)).toBeGreaterThan(0);
  vi.spyOn(ArrivalLimit.prototype, "admits").mockReturnValue(false);
  expect([await knock(tcp, SELECT), await knock(ws, UPGRADE)]).toEqual([0, 0]);
  expect(turnedAway(network)).toBe(2);
  // Beyond those that are held they are closed at once; and a network that closes does not wait for them.
  const many = Array.from({ length: 2 * HELD_AT_ONCE }, () => knock(tcp, SELECT));
  await until(() => turnedAway(network) === 2 + many.length, "all are counted");
  await network.close();
  expect(await Promise.all(many)).toEqual(many.map(() => 0));
});
