import { ALL_DIFFER, ALONE, BASE } from "./base.ts";
import { FLIP } from "./flip.ts";

/** What peers like: who is like whom, and what changes. */
export const tastes: readonly object[] = [
  { name: "4 clusters", ...BASE, rounds: 500 },
  { name: "all differ", ...BASE, ...ALL_DIFFER, rounds: 500 },
  { name: "10 clusters, d 20", ...BASE, peers: 100, clusters: 10, dimension: 20, rounds: 500 },
  { name: "one cluster", ...BASE, clusters: 1, rounds: 500 },
  { name: "sizes 32 4 4", ...BASE, clusters: 3, sizes: [32, 4, 4] },
  { name: "gap .3", ...BASE, gap: 0.3 },
  { name: "spread .4", ...BASE, spread: 0.4 },
  { name: "rank 2", ...BASE, ...ALL_DIFFER, rank: 2 },
  { name: "3 of 25 relevant", ...BASE, ...ALL_DIFFER, dimension: 25, relevant: 3 },
  { name: "30 % move", ...BASE, jump: { after: 150, share: 0.3 } },
  { name: "drift .05", ...BASE, drift: 0.05 },
  { name: "drift .01", ...BASE, drift: 0.01 },
  { name: FLIP.name, ...BASE, ...ALONE, jump: { after: FLIP.after, flip: true }, rounds: FLIP.rounds },
];
