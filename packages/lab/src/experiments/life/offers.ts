import { ALONE, BASE, SILENT, UNARMED } from "./base.ts";

const clicks = (base: number, slope: number) => ({ kind: "clicks", link: "linear", base, slope });

/** Six items of which one is clicked more often than the others. */
const sixItems = (high: number, low: number) => ({
  kind: "clusters",
  peers: 6,
  clusters: 1,
  dimension: 6,
  catalogue: { items: 6, vectors: "one-hot" },
  tastes: { kind: "best", high, low },
  rewards: clicks(0, 1),
});

/** What peers are offered, and what it pays. */
export const offers: readonly object[] = [
  { name: "6 items .6 .2, alone", ...sixItems(0.6, 0.2), ...ALONE, rounds: 2000 },
  { name: "6 items .1 .03, alone", ...sixItems(0.1, 0.03), ...ALONE, rounds: 2000 },
  { name: "6 items .6 .2, 6 peers", ...sixItems(0.6, 0.2), rounds: 600 },
  { name: "6 items .1 .03, 6 peers", ...sixItems(0.1, 0.03), rounds: 600 },
  { name: "20 items", ...UNARMED, catalogue: { items: 20 }, rounds: 500 },
  {
    // p = .05 + .25 (1 + x·θ)/2, ten features and a constant one.
    name: "20 items, clicks",
    kind: "clusters",
    peers: 40,
    clusters: 4,
    dimension: 11,
    constant: 0.5,
    catalogue: { items: 20 },
    rewards: clicks(0.175, 0.125),
    rounds: 500,
  },
  {
    // Nobody has kin, and what others have tried says little: where a peer that relied on them explored too little.
    name: "48 items, differ",
    kind: "clusters",
    peers: 20,
    clusters: 20,
    dimension: 6,
    constant: 0.5,
    catalogue: { items: 48 },
    rewards: { kind: "clicks", link: "logistic", offset: -1, slope: 4 },
  },
  { name: "menus of 10 from 100", ...UNARMED, catalogue: { items: 100, show: 10 } },
  { name: "correlated arms", ...BASE, dimension: 11, constant: 0.5, correlated: 0.7 },
  { name: "clicks, linear", ...SILENT, rewards: clicks(0.03, 0.06) },
  { name: "clicks, logistic", ...SILENT, rewards: { kind: "clicks", link: "logistic", offset: -3.5, slope: 4 } },
  { name: "noise .1 .5 1", ...SILENT, noises: [0.1, 0.5, 1] },
];
