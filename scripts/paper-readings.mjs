// Runs the other readings of the paper beside the one chosen, and prints the figures that docs/paper.md quotes.
//   npx tsc -b packages/core && node scripts/paper-readings.mjs
import { createFleet, dcb, dccb, Random } from "@coterie/core";
import { distance, thresholdAt } from "@coterie/core/internal";
import { bounds, imbalance, pairings, theory, traffic } from "./paper/figures.mjs";
import { delay, Model } from "./paper/model.mjs";
import { large, mean, print, range, shown } from "./paper/table.mjs";
import { play, World } from "./paper/world.mjs";

/** The model as specified is the library, bit for bit; else its other readings would mean nothing. */
function selfCheck() {
  const cases = [
    [{}, dccb(), 2],
    [{ clustering: false, pairing: "matching" }, dcb({ delay: { factor: 4, networkExponent: 0 } }), 1],
  ];
  for (const [reading, policy, clusters] of cases) {
    const world = new World({ peers: 7, dimension: 3, arms: 5, noise: 0.4, clusters, seed: 1 });
    const model = new Model(reading, 3, 7, Random.seeded(5));
    const fleet = createFleet({ policy, dimension: 3, peers: 7, random: Random.seeded(5) });
    for (let round = 1; round <= 300; round++) {
      model.round(world.at(round));
      fleet.round(world.at(round));
      const agrees = model.members.every(({ active, pruned }, i) => {
        const { view } = fleet.members[i].learner;
        return active.slot.every((value, k) => value === view.active[k]) && pruned.size === view.pruned.size;
      });
      if (!agrees) throw new Error(`the model as specified strays from ${policy.kind} in round ${round}`);
    }
  }
}

/** A row for each reading, the first being the one chosen: regret and, where there are clusters, how they were found. */
function compare(title, setting, rounds, seeds, readings) {
  const worlds = range(seeds).map((seed) => new World({ ...setting, seed }));
  let chosen;
  const rows = Object.entries(readings).map(([name, reading]) => {
    const runs = worlds.map((world, k) => {
      const model = new Model(reading, setting.dimension, setting.peers, Random.seeded(k + 1));
      try {
        return { ...play(model, world, rounds), misplaced: model.misplaced / model.averaged || 0 };
      } catch {
        return { stopped: model.rounds };
      }
    });
    const stopped = runs.filter((run) => run.stopped).map((run) => run.stopped);
    if (stopped.length > 0) return [name, `overflows in round ${stopped.join(", ")}`, "", "", "", ""];
    const regrets = runs.map((run) => run.regret);
    chosen ??= regrets;
    const found = runs.map((run) => run.exactFrom).filter((round) => round !== null);
    return [
      name,
      shown(regrets),
      chosen === regrets ? "" : shown(regrets.map((regret, k) => regret - chosen[k])),
      setting.clusters === 1
        ? ""
        : `${found.length} of ${seeds}${found.length > 0 ? `, round ${mean(found).toFixed(0)}` : ""}`,
      setting.clusters === 1 ? "" : mean(runs.map((run) => run.wrong)).toFixed(1),
      `${(100 * mean(runs.map((run) => run.misplaced))).toFixed(1)} %`,
    ];
  });
  const columns = [
    "reading",
    "regret",
    "less the chosen",
    "clusters exact",
    "wrong prunes",
    "slots mixed with another round's",
  ];
  print(title, columns, rows);
}

function oneTheta() {
  const plain = { clustering: false, pairing: "permutation", limit: delay(1.5) };
  const setting = { peers: 8, dimension: 5, arms: 10, noise: 0.5, clusters: 1 };
  compare("One θ: 8 peers, d = 5, 10 arms, noise 0.5, 1,200 rounds, 5 seeds", setting, 1200, 5, {
    "as specified, permutation": plain,
    "Ã + Ã_σ each round (text)": { ...plain, activeSharing: "add" },
    "½ (Ã + Ã_σ) each round": { ...plain, activeSharing: "halve" },
    "weight mean": { ...plain, weight: "mean" },
    "weight sum, theory radius": { ...plain, radius: theory(0.5) },
    "weight mean, theory radius": { ...plain, radius: theory(0.5), weight: "mean" },
    matching: { ...plain, pairing: "matching" },
    "delay 4 log2 t": { ...plain, limit: delay(0) },
    "delay 4 ln(V^1.5 t)": { ...plain, limit: (t, n) => 4 * Math.log(n ** 1.5 * t) },
    "τ(t) = 4 ln(V^1.5 t), Theorem 1 as printed": { ...plain, limit: (t, n) => t - 4 * Math.log(n ** 1.5 * t) },
    "rounds from 0: first slot promoted at once": { ...plain, limit: (t, n) => delay(1.5)(t - 1, n) },
    "no delay": { ...plain, limit: () => 0 },
  });
}

function clusters() {
  const setting = { peers: 12, dimension: 5, arms: 10, noise: 0.5, clusters: 3 };
  compare("Clusters: 12 peers in 3, d = 5, 10 arms, noise 0.5, 600 rounds, 8 seeds", setting, 600, 8, {
    "as specified": {},
    "weight mean": { weight: "mean" },
    "delay 4 log2(V^1.5 t)": { limit: delay(1.5) },
    "permutation of all, strangers skipped": { pairing: "permutation" },
    "matching of all, strangers skipped": { pairing: "matching" },
    "permutation respecting neighbourhoods": { pairing: "respecting" },
    "test includes this round's observation": { tested: "after" },
    "prune branch does not append": { resetAppends: false },
    "reset undone by a later turn of the loop (permutation)": { resetWins: false, pairing: "permutation" },
    "local evidence once, in the slot": { resetInto: "slot" },
    "local evidence once, in the active pair": { resetInto: "active" },
    "reset scaled, weight mean (proofs)": { resetScaled: true, weight: "mean" },
    "reset scaled, weight sum": { resetScaled: true },
  });
}

/** λt/δ is λt/4 with another λ, so the library itself can run it. */
function thresholds() {
  const [peers, dimension, noise, delta, rounds] = [6, 2, 0.3, 0.1, 6000];
  const worlds = range(4).map((seed) => new World({ peers, dimension, arms: 5, noise, clusters: 2, seed }));
  const rows = [
    ["λt/4", 1],
    ["λt/δ as printed", (16 * dimension) / delta],
  ].map(([name, steeper]) => {
    const threshold = { kind: "theory", lambda: steeper / dimension, noise, delta };
    const runs = worlds.map((world, k) =>
      play(createFleet({ policy: dccb({ threshold }), dimension, peers, random: Random.seeded(k + 1) }), world, rounds),
    );
    return [
      name,
      runs.map((run) => run.exactFrom ?? "never").join(", "),
      `${mean(runs.map((run) => run.wrong))} of 6`,
      shown(runs.map((run) => run.regret)),
    ];
  });
  const gaps = worlds.map(({ thetas }) => distance(...thetas).toFixed(2)).join(", ");
  const title = `Theory threshold: 6 peers in 2, d = 2, noise 0.3, δ = 0.1, 6,000 rounds, 4 seeds with γ = ${gaps}`;
  print(title, ["A_λ begins with", "clusters exact in round", "pairs wrongly pruned", "regret"], rows);
  const inverse = [2, 5, 10, 25].map((d) => {
    const threshold = { kind: "theory", lambda: 1 / d, noise: 0.5, delta: 0.1 };
    let round = 1;
    while (thresholdAt(threshold, 0, 0, round, d) > Math.SQRT1_2) round = Math.ceil(round * 1.001);
    return [d, large(round)];
  });
  print("C = c⁻¹(γ/2) at γ = √2, λ = 1/d, R = 0.5, δ = 0.1 (λt/4)", ["d", "round"], inverse);
}

const start = Date.now();
selfCheck();
for (const part of [oneTheta, clusters, thresholds, pairings, imbalance, bounds, traffic]) part();
console.error(`\n${((Date.now() - start) / 1000).toFixed(0)} s`);
