import { EventEmitter } from "node:events";
import type { PeerInfo } from "@libp2p/interface";
import { multiaddr } from "@multiformats/multiaddr";

import { expect, test } from "vitest";
import { answerOf, foundIn, LocalDiscovery } from "./localDiscovery.ts";
import type { DnsPacket, MulticastDns } from "./multicast.ts";

const ID = "12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN";
const OTHER = "12D3KooWKnDdG3iXw9eTFijk3EWSunZcFi54Zka4wmtqtt6rPxc8";
const TAG = "_coterie-room._udp.local";

/** A network on which all hear all, themselves too. */
function air(): () => MulticastDns {
  const sockets = new Set<EventEmitter>();
  const send = (kind: string, packet: DnsPacket): void => {
    for (const socket of sockets) socket.emit(kind, packet);
  };
  return () => {
    const socket = Object.assign(new EventEmitter(), {
      query: (packet: DnsPacket, sent: () => void) => {
        send("query", packet);
        sent();
      },
      respond: (packet: DnsPacket) => send("response", packet),
      destroy: (done: () => void) => {
        sockets.delete(socket);
        done();
      },
    });
    sockets.add(socket);
    return socket;
  };
}

test("peers of a room find each other, and not those of another room or themselves", async () => {
  const open = air();
  const heard: string[] = [];
  const peer = (name: string, tag: string, address: string): LocalDiscovery => {
    const it = new LocalDiscovery(
      { addressManager: { getAddresses: () => [multiaddr(address)] } },
      tag,
      () => heard.push(`${name} failed`),
      open,
    );
    it.addEventListener("peer", (event) => {
      const { id, multiaddrs } = (event as CustomEvent<PeerInfo>).detail;
      heard.push(`${name} ${id} ${multiaddrs}`);
    });
    it.start();
    return it;
  };
  const a = peer("a", TAG, `/ip4/192.168.0.1/tcp/1/p2p/${ID}`);
  const elsewhere = peer("elsewhere", "_coterie-else._udp.local", `/ip4/192.168.0.3/tcp/1/p2p/${OTHER}`);
  expect(heard).toEqual([]);
  const b = peer("b", TAG, `/ip4/192.168.0.2/tcp/1/p2p/${OTHER}`);
  // b asked and both answered, for b hears itself: each has heard of the other one.
  expect(heard).toEqual([`b ${ID} /ip4/192.168.0.1/tcp/1`, `a ${OTHER} /ip4/192.168.0.2/tcp/1`]);
  await Promise.all([a, b, elsewhere].map((it) => it.stop()));
  await peer("late", TAG, `/ip4/192.168.0.4/tcp/1/p2p/${OTHER}`).stop();
  expect(heard.length).toBe(2);
});

test("a network without multicast is told of once, and again when it had worked since", async () => {
  const failed: string[] = [];
  const sent: ((error?: Error | null) => void)[] = [];
  const socket = Object.assign(new EventEmitter(), {
    query: (_: DnsPacket, done: () => void) => sent.push(done),
    respond: () => {},
    destroy: (done: () => void) => done(),
  });
  const parts = { addressManager: { getAddresses: () => [] } };
  const it = new LocalDiscovery(
    parts,
    TAG,
    (message) => failed.push(message),
    () => socket,
  );
  it.start();
  const [asked] = sent;
  socket.emit("warning", new Error("one interface of several"));
  expect(failed).toEqual([]);
  socket.emit("error", new Error("EACCES"));
  asked!(new Error("ENETUNREACH"));
  expect(failed).toEqual(["EACCES"]);
  asked!(null);
  asked!(new Error("ENETUNREACH"));
  expect(failed).toEqual(["EACCES", "ENETUNREACH"]);
  await it.stop();
  socket.emit("error", new Error("late"));
  expect(failed).toHaveLength(2);
});

test("addresses of the internet are not told, nor those too long for DNS", () => {
  const long = `/ip4/10.0.0.1/tcp/1/p2p/${ID}/p2p-circuit`.padEnd(300, "/p2p-circuit");
  const { answers = [] } = answerOf(TAG, "a", [`/ip4/93.184.216.34/tcp/1/p2p/${ID}`, long, `/ip4/10.0.0.1/tcp/1`]);
  expect(answers.map(({ data }) => data)).toEqual([`a.${TAG}`, "dnsaddr=/ip4/10.0.0.1/tcp/1"]);
});

test.each([
  ["no text", []],
  ["no address", [{ name: "x", type: "TXT", data: [Buffer.from("dnsaddr=nonsense")] }]],
  ["no name", [{ name: "x", type: "TXT", data: [Buffer.from("dnsaddr=/ip4/10.0.0.1/tcp/1")] }]],
  ["a bad name", [{ name: "x", type: "TXT", data: [Buffer.from("dnsaddr=/ip4/10.0.0.1/tcp/1/p2p/x")] }]],
])("an answer with %s is of nobody", (_, texts) => {
  const answers = [{ name: TAG, type: "PTR", data: `b.${TAG}` }, ...texts];
  expect(foundIn({ answers }, TAG, "a")).toBeNull();
});
