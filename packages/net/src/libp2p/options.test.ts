import { ConfigError } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { libp2p as onNode } from "./index.ts";
import { libp2p as inTab } from "./page.ts";

/** Options as JavaScript may give them. */
const given = (options: object): never => options as never;

describe.each([
  ["on Node", onNode],
  ["in a tab", inTab],
])("options of libp2p() %s", (_, libp2p) => {
  it.each([
    [{ bootsrap: [] }, /options\.bootsrap must not be there \(known here: bootstrap, hubs, /],
    [{ bootstrap: "/ip4/127.0.0.1/tcp/4001/ws" }, /bootstrap must be a list of multiaddrs/],
    [{ bootstrap: ["nonsense"] }, /bootstrap\[0\] must be a multiaddr/],
    [{ bootstrap: [7] }, /bootstrap\[0\] must be a multiaddr/],
    [{ connections: "9" }, /connections must be a whole number/],
    [{ onEvent: "loud" }, /onEvent must be a function/],
    [{ roomKey: "short" }, /roomKey must be a text of at least 16/],
    [{ roomKey: 7 }, /roomKey must be a text of at least 16/],
  ])("%o is refused by name", (options, message) => {
    expect(() => libp2p(given(options))).toThrow(ConfigError);
    expect(() => libp2p(given(options))).toThrow(message);
  });
});

describe("options that only Node has", () => {
  it.each([
    [{ listen: "/ip4/0.0.0.0/tcp/0" }, /listen must be a list of multiaddrs/],
    [{ relay: "yes" }, /relay must be/],
    [{ mdns: 1 }, /mdns must be/],
  ])("%o is refused by name", (options, message) => {
    expect(() => onNode(given(options))).toThrow(message);
    expect(() => onNode(given(options))).toThrow(ConfigError);
  });
});
