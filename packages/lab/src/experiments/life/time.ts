import { ALONE, BASE } from "./base.ts";

/** The same 60 choices of one peer, with a round after every so many. */
const ticks = [1, 5, 20, 60].map((turns) => ({
  name: `60 choices, ${60 / turns} rounds`,
  ...BASE,
  ...ALONE,
  dimension: 8,
  turns,
  rounds: 60 / turns,
}));

/** When peers choose and hear of it, and who is there. */
export const time: readonly object[] = [
  ...ticks,
  { name: "5 turns", ...BASE, turns: 5 },
  { name: "5 rounds late", ...BASE, late: 5 },
  { name: "power law", ...BASE, peers: 100, activity: { kind: "power", least: 0.01 }, rounds: 500 },
  {
    name: "power law, idle away",
    ...BASE,
    peers: 100,
    activity: { kind: "power", least: 0.01, idle: "away" },
    rounds: 500,
  },
  { name: "newcomers", ...BASE, peers: 44, newcomers: { every: 11, after: 300 }, rounds: 400 },
  { name: "leavers", ...BASE, leavers: { every: 3, after: 150 } },
  {
    name: "visits of 60 rounds",
    ...BASE,
    visits: { rounds: 60 },
    // club has an account for each peer, and no place for new ones.
    policies: ["kindred", "solo", "oracle", "pooled", "dccb"],
  },
];
