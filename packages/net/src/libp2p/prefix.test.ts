import { multiaddr } from "@multiformats/multiaddr";
import { describe, expect, it } from "vitest";
import { prefixOf } from "../membership/prefix.ts";
import { Crowd } from "./crowd.ts";
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

describe("a hub's crowd", () => {
  it("serves so many, of one prefix fewer, and knows who came in vain", () => {
    const crowd = new Crowd({ connections: 4, connectionsPerPrefix: 2 });
    const come = (id: string, prefix: string | null) => crowd.enter(id, prefix);
    expect(["a", "b", "c"].map((id) => come(id, "192.0.2"))).toEqual([null, null, "connectionsPerPrefix"]);
    expect(["d", "e", "f"].map((id) => come(id, null))).toEqual([null, null, "connections"]);
    expect([crowd.size, crowd.all, crowd.beyond("c"), crowd.beyond("f"), crowd.beyond("a")]).toEqual([
      ...[4, 6, "connectionsPerPrefix", "connections", null],
    ]);
    crowd.leave("a");
    crowd.leave("c");
    expect([come("g", "192.0.2"), crowd.beyond("f"), crowd.size, crowd.all]).toEqual([null, "connections", 4, 5]);
  });
});
