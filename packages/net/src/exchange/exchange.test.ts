import { dccb, initialPeer, kindred, solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { AverageExchange } from "./averageExchange.ts";
import { createExchange } from "./exchange.ts";
import { RecordExchange } from "./recordExchange.ts";

const exchangeOf = (policy: ReturnType<typeof dccb>) => () =>
  createExchange({
    peer: initialPeer({ id: "a", dimension: 2, policy, peers: 2 }),
    agreement: "room",
    limits: { dimension: 2, most: 10, reward: 1 },
  });

describe("an exchange", () => {
  it("is not for policies that meet nobody, nor for epochs that nobody counts together", () => {
    expect(exchangeOf(solo())()).toBeNull();
    expect(exchangeOf(dccb({ buffer: "epoch" }))).toThrow(/^policy must be one whose peers count rounds each by/);
    expect(exchangeOf(dccb())()).toBeInstanceOf(AverageExchange);
    expect(exchangeOf(kindred())()).toBeInstanceOf(RecordExchange);
  });
});
