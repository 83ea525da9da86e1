import { createPeer, dccb, solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { Exchange } from "./exchange.ts";

const exchangeOf = (policy: ReturnType<typeof dccb>) => () =>
  new Exchange({
    peer: createPeer({ id: "a", dimension: 2, policy, peers: 2 }),
    agreement: "room",
    limits: { dimension: 2, most: 10, reward: 1 },
  });

describe("an exchange", () => {
  it("is not for policies that meet nobody, nor for epochs that nobody counts together", () => {
    expect(exchangeOf(solo())).toThrow(/^policy must be one that exchanges/);
    expect(exchangeOf(dccb({ buffer: "epoch" }))).toThrow(/^policy\.buffer must be slots on a network/);
    expect(exchangeOf(dccb())).not.toThrow();
  });
});
