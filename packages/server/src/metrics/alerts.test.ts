import { readFileSync } from "node:fs";
import type { PeerState } from "@coterie/net";
import { Scores } from "@coterie/net/internal";
import { expect, it } from "vitest";
import { PeerMetrics } from "./peerMetrics.ts";

/** A peer whose scores are the shipped ones, and whose metrics are read as Prometheus does. */
function watched() {
  const scores = new Scores();
  const room = { unreached: 0, lenders: ["a", "b"] as readonly string[], size: 6 };
  const state = () =>
    ({
      ...{ size: room.size, lenders: room.lenders, alive: [], near: [], misfits: 0, round: 1, pending: 0 },
      ...{
        own: 0,
        evidence: 0,
        buffered: 0,
        aside: null,
        inDoubt: null,
        massAtRisk: 0,
        incarnation: 1,
        violations: {},
      },
      strangers: { counted: Object.fromEntries(scores.counts), ...scores.summary, unreached: room.unreached },
    }) as unknown as PeerState;
  const { registry } = new PeerMetrics({ state, network: () => null, dimension: 2 });
  const read = async (name: string, cause?: string): Promise<number> => {
    const { values } = await registry.getSingleMetric(name)!.get();
    return values.find(({ labels }) => cause === undefined || labels.cause === cause)?.value ?? 0;
  };
  return { scores, room, read };
}

/** What is asked below, as the page has it. */
const ALERTS = [
  '`increase(coterie_strangers_total{cause="unanswered"}[15m]) > 10`',
  "`coterie_unreached_share > 0.5` while `coterie_members < 32`",
  "`coterie_lenders == 0` while `max_over_time(coterie_lenders[1h]) > 0`",
  "`coterie_doubted_prefixes > 0`",
];

it("alerts of strangers fire, each for its own cause, and stand in docs/operate.md", async () => {
  const { scores, room, read } = watched();
  const firing = async (): Promise<boolean[]> => [
    (await read("coterie_strangers_total", "unanswered")) > 10,
    (await read("coterie_unreached_share")) > 0.5 && (await read("coterie_members")) < 32,
    (await read("coterie_lenders")) === 0,
    (await read("coterie_doubted_prefixes")) > 0,
  ];
  expect(await firing()).toEqual([false, false, false, false]);
  expect(await read("coterie_lenders")).toBe(2);
  for (let k = 0; k < 11; k++) scores.silent("mute", []);
  expect(await firing()).toEqual([true, false, false, false]);
  room.unreached = 0.8;
  expect(await firing()).toEqual([true, true, false, false]);
  room.lenders = [];
  expect(await firing()).toEqual([true, true, true, false]);
  for (const name of ["x", "y"]) scores.silent(name, ["from 198.51.100"]);
  expect(await firing()).toEqual([true, true, true, true]);
  expect(await read("coterie_resting_peers")).toBeGreaterThan(0);
  const page = readFileSync(new URL("../../../../docs/operate.md", import.meta.url), "utf8");
  for (const expression of ALERTS) expect(page).toContain(expression);
});
