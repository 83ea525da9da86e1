// What the library as it stands comes to, beside what the paper says of it.
import { createFleet, dcb, dccb, Random, solo, step } from "@coterie/core";
import { pooled, slotSize } from "@coterie/core/internal";
import { large, mean, print, range } from "./table.mjs";
import { play, World } from "./world.mjs";

/** Everybody is offered its own axis alone, so that entry (i', i') of a gram counts what came from i'. */
const tracers = (peers) => {
  const arms = range(peers).map((k) => ({
    count: 1,
    values: Float64Array.from({ length: peers }, (_, j) => +(j === k - 1)),
  }));
  return { arms: (peer) => arms[peer], pay: () => 1 };
};
const diagonal = (gram, offset, k) => gram[offset + (k * (k + 1)) / 2 + k];

/** Weights within clusters that are already found: how fast they even out, and whether averaging loses anything. */
export function pairings() {
  const [peers, size, age, seeds] = [10, 5, 8, 400];
  const everyone = range(peers).map((k) => k - 1);
  const run = (pairing, seed) => {
    const policy = dccb({ pairing, delay: { rounds: 20 }, threshold: { kind: "practical", factor: 1e9 } });
    const fleet = createFleet({ policy, dimension: peers, peers, random: Random.seeded(seed) });
    fleet.members.forEach((peer, i) => {
      for (const j of everyone) if (i % 2 !== j % 2) step(peer, { kind: "part", partner: `${j}` });
      step(peer, { kind: "settle" });
    });
    for (let round = 1; round <= age + 2; round++) fleet.round(tracers(peers));
    const weights = everyone.map((i) => {
      const { slots } = fleet.members[i].learner.offer();
      return everyone.map((j) => size * diagonal(slots.values, slots.offset(1), j));
    });
    const inside = weights.flatMap((row, i) => row.filter((_, j) => i % 2 === j % 2));
    const totals = everyone.map((j) => weights.reduce((sum, row) => sum + row[j], 0));
    return [mean(inside.map((w) => (w - 1) ** 2)), mean(totals.map((total) => (total - size) ** 2))];
  };
  const rows = ["neighbours", "matching", "permutation", "asynchronous"].map((pairing) => {
    const runs = range(seeds).map((seed) => run(pairing, seed));
    return [
      pairing,
      mean(runs.map(([spread]) => spread)).toPrecision(2),
      Math.sqrt(mean(runs.map(([, stray]) => stray))).toFixed(2),
    ];
  });
  const title = `Weights at age ${age} in found clusters: ${peers} peers in 2, ${seeds} seeds; |U|/2^${age} = ${(size / 2 ** age).toPrecision(2)}`;
  print(title, ["pairing", "mean (w − 1)²", "what one observation counts in its cluster: 5 ±"], rows);
}

/** Σ|w − 1| of peer 0 at the published delay: it only grows, while C(t) falls. */
export function imbalance() {
  const rows = [4, 8, 16].map((peers) => {
    const policy = dcb({ pairing: "permutation" });
    const fleet = createFleet({ policy, dimension: peers, peers, random: Random.seeded(1) });
    let [sum, before, rounds] = [0, new Array(peers).fill(0), 0];
    const at = [200, 1000].map((until) => {
      for (; rounds < until; rounds++) {
        fleet.round(tracers(peers));
        const now = before.map((_, k) => diagonal(fleet.members[0].learner.view.active, 0, k));
        if (now[0] !== before[0]) sum += now.reduce((total, value, k) => total + Math.abs(value - before[k] - 1), 0);
        before = now;
      }
      return sum;
    });
    const burnIn = 1 / ((1 - 2 ** -0.25) * Math.sqrt(0.1));
    return [
      peers,
      ...at.map((value) => value.toExponential(1)),
      (burnIn / 1000).toExponential(1),
      (burnIn / at[1]).toExponential(0),
    ];
  });
  print(
    "Imbalance Σ|w − 1| at the published delay (δ = 0.1)",
    ["peers", "t = 200", "t = 1,000", "C(1,000)", "passes C(t) in round"],
    rows,
  );
}

export const theory = (noise) => ({ kind: "theory", norm: 1, noise, delta: 0.1, weight: 1 });

/** How loose the bounds are; formulas as in packages/core/src/paper/testing/bounds.ts. */
export function bounds() {
  const rows = [
    [4, 2, 0.1, 2000],
    [8, 3, 0.5, 1000],
    [16, 5, 1, 500],
  ].map(([peers, d, noise, rounds]) => {
    const measure = (policy, until = rounds) =>
      mean(
        range(3).map((seed) => {
          const fleet = createFleet({ policy, dimension: d, peers, random: Random.seeded(seed) });
          return play(fleet, new World({ peers, dimension: d, arms: 5, noise, clusters: 1, seed }), until).regret;
        }),
      );
    const radius = theory(noise);
    // The round that promotes DCB's first slot; until it is over peers choose from nothing.
    let first = 1;
    while (first <= 4 * Math.log2(peers ** 1.5 * first)) first += 1;
    const volume = (n, t) => d * Math.log(1 + (n * t) / d);
    const beta = (t) => noise * Math.sqrt(volume(peers, t) + Math.log(10)) + 1;
    const last = (t) => 4 * Math.E ** 2 * (beta(t) + 4 * noise) * Math.sqrt(peers * t * volume(peers, t));
    const nu = (t) => (d + 1) * d ** 2 * (4 * peers * Math.log(peers ** 1.5 * t)) ** 3;
    const burn = (Math.sqrt(3) / (1 - 2 ** -0.25) / Math.sqrt(0.1)) * peers;
    const total = (t) => burn + nu(t) + last(t);
    let horizon = 1;
    while (total(horizon) > 2 * peers * horizon) horizon *= 1.01;
    const alone = peers * beta(rounds) * Math.sqrt(rounds * volume(1, rounds));
    return [
      `${peers} peers, d = ${d}, R = ${noise}, t = ${large(rounds)}`,
      large(measure(solo({ radius }))),
      large(measure(dcb({ radius }))),
      large(measure(dcb({ radius }), first)),
      large(measure(pooled({ radius }))),
      large(alone),
      large(last(rounds)),
      large(nu(rounds)),
      large(total(rounds)),
      horizon.toExponential(0),
    ];
  });
  const columns = [
    "world",
    "solo",
    "dcb",
    "dcb, before its first slot",
    "pooled",
    "eq. regret_CB",
    "Theorem 1, last term",
    "ν",
    "Theorem 1",
    "below 2‖θ‖Vt from round",
  ];
  print("Regret with the theory radius (δ = 0.1, 3 seeds) and its bounds", columns, rows);
}

/** Bytes of the whole network in one round: 8 a number, framing left out. */
export function traffic() {
  const settings = [
    [91, 25, 60],
    [91, 25, 1000],
    [200, 5, 60],
    [1000, 5, 60],
  ];
  const rows = settings.map(([peers, d, round]) => {
    const slot = 8 * slotSize(d);
    const held = Math.min(round - 1, Math.floor(4 * Math.log2(peers ** 1.5 * (round - 1))));
    const instant = peers * (peers - 1) * 8 * (d + 1);
    return [peers, d, large(round), large(instant), large(peers * held * slot), large(peers * slot)];
  });
  const columns = ["peers", "d", "round", "pooled", "dcb, slots", "dcb, epoch"];
  print("Bytes a round (growth checked by A2-communication.test.ts)", columns, rows);
}
