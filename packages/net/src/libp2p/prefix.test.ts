import { multiaddr } from "@multiformats/multiaddr";
import { describe, expect, it } from "vitest";
import { prefixOf } from "../membership/prefix.ts";
import { HubConnections } from "./hubConnections.ts";
import { Shares } from "./shares.ts";

describe("an address prefix", () => {
  it.each([
    ["/ip4/192.0.2.77/tcp/1", "192.0.2"],
    ["/ip6/2001:db8:1:2::7/tcp/1/ws", "2001:db8:1"],
    ["/ip6/2001:db8::7/tcp/1", "2001:db8:0"],
    ["/ip6/::ffff:192.0.2.7/tcp/1", "192.0.2"],
    ["/ip4/127.0.0.1/tcp/1", null],
    ["/ip6/::1/tcp/1", null],
    ["/ip6/::ffff:127.0.0.1/tcp/1", null],
    ["/dns4/hub.example/tcp/1", null],
  ])("of %s is %s", (address, prefix) => {
    expect(prefixOf(multiaddr(address))).toBe(prefix);
  });

  it("has so much and no more, and what is given back can be had again", () => {
    const shares = new Shares(2);
    for (const key of ["a", "b", "a"]) shares.add(key, "192.0.2");
    shares.add("c", null);
    expect([shares.size, shares.isSpent("192.0.2"), shares.isSpent("192.0.3"), shares.isSpent(null)]).toEqual([
      ...[3, true, false, false],
    ]);
    for (const key of ["a", "a", "c"]) shares.delete(key);
    expect([shares.size, shares.has("a"), shares.isSpent("192.0.2")]).toEqual([1, false, false]);
  });
});

describe("a hub's connections", () => {
  it("serves so many, of one prefix fewer, and knows who came in vain", () => {
    const connections = new HubConnections({ connections: 4, connectionsPerPrefix: 2 });
    const come = (id: string, prefix: string | null) => connections.enter(id, prefix);
    expect(["a", "b", "c"].map((id) => come(id, "192.0.2"))).toEqual([null, null, "connectionsPerPrefix"]);
    expect(["d", "e", "f"].map((id) => come(id, null))).toEqual([null, null, "connections"]);
    expect([
      connections.size,
      connections.all,
      connections.beyond("c"),
      connections.beyond("f"),
      connections.beyond("a"),
    ]).toEqual([...[4, 6, "connectionsPerPrefix", "connections", null]]);
    connections.leave("a");
    connections.leave("c");
    expect([come("g", "192.0.2"), connections.beyond("f"), connections.size, connections.all]).toEqual([
      null,
      "connections",
      4,
      5,
    ]);
  });
});
