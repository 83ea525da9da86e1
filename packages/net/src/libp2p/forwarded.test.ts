import { connect, createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Hub, type Libp2pNetwork, type NetworkEvent, startHub } from "./index.ts";
import { join, LOCAL, until } from "./testing/room.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A proxy in front of a hub's WebSocket that adds to the first request from where it came. */
async function proxyTo(hub: Hub, forwardedFor: string): Promise<string> {
  const port = Number(/tcp\/(\d+)\/ws/.exec(hub.addresses.join())?.[1]);
  const server: Server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
    client.once("data", (head) => {
      upstream.write(head.toString("latin1").replace("\r\n", `\r\nX-Forwarded-For: ${forwardedFor}\r\n`), "latin1");
      client.pipe(upstream);
    });
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server);
  const address = server.address();
  return `/ip4/127.0.0.1/tcp/${typeof address === "object" ? address?.port : 0}/ws`;
}

async function come(address: string, refused: string[] = []): Promise<Libp2pNetwork> {
  const onEvent = (event: NetworkEvent): unknown => event.kind === "refused" && refused.push(event.reason);
  const network = await join({ bootstrap: [address], listen: [], onEvent });
  open.push(network);
  return network;
}

describe("a hub behind a proxy", () => {
  const limits = { connectionsPerPrefix: 1 };
  const listen = [`${LOCAL[0]}/ws`];

  it("that it was told to trust: the forwarded address counts, and of several the one that the proxy added", async () => {
    const hub = await startHub({ listen, limits, trustProxy: true });
    open.push(hub);
    await come(await proxyTo(hub, "203.0.113.7"));
    await until(() => hub.counts().members === 1, "the first is in");
    const refused: string[] = [];
    await come(await proxyTo(hub, "198.51.100.1, 203.0.113.99"), refused);
    await until(() => refused.length > 0, "a neighbour of the first is not");
    expect(refused[0]).toBe("overloaded");
    expect([...hub.counts().overloads.keys()]).toEqual(["connectionsPerPrefix"]);
    await come(await proxyTo(hub, "2001:db8:7::1"));
    await until(() => hub.counts().members === 2, "somebody else is in");
  });

  it("that it was not: what callers say of themselves counts for nothing", async () => {
    const hub = await startHub({ listen, limits });
    open.push(hub);
    const proxy = await proxyTo(hub, "203.0.113.7");
    await Promise.all([come(proxy), come(proxy)]);
    await until(() => hub.counts().members === 2, "both are in");
    expect(hub.counts().overloads).toEqual(new Map());
  });
});
