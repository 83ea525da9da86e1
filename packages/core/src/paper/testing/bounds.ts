// The paper's bounds, as printed. `log` stands in the paper for different logarithms; each formula says which it takes.

export interface Setting {
  readonly peers: number;
  readonly dimension: number;
  readonly rounds: number;
  /** R. */
  readonly noise: number;
  readonly delta: number;
  /** ‖θ‖. */
  readonly norm: number;
}

/** ln (1 + nt/d)^d. */
export const logVolume = (peers: number, { dimension: d, rounds: t }: Setting): number =>
  d * Math.log(1 + (peers * t) / d);

/** N(δ) of Step 4: from this round on C(k) ≤ 1. */
export const burnIn = (delta: number): number => 1 / ((1 - 2 ** -0.25) * Math.sqrt(delta));

/** C(t) of Step 3a. */
export const weightBias = (round: number, delta: number): number => 1 / ((1 - 2 ** -0.25) * round * Math.sqrt(delta));

/** ν(|V|, d, t) of Theorem 1, with its natural logarithm. */
export const delayLoss = (peers: number, { dimension: d, rounds: t }: Setting): number =>
  (d + 1) * d ** 2 * (4 * peers * Math.log(peers ** 1.5 * t)) ** 3;

/** eq. no-of-outliers, with log2 as in the delay and tr(A_0) = d. */
export const outliers = (peers: number, { dimension: d, rounds: t }: Setting): number =>
  (4 * peers * Math.log2(peers ** 1.5 * t)) ** 3 * (d + 1) * d * (d + 1);

/** eq. def of beta. */
export const beta = (setting: Setting): number =>
  setting.noise * Math.sqrt(logVolume(setting.peers, setting) - Math.log(setting.delta)) + setting.norm;

/** The last term of Theorem 1: 4e² (β + 4R) √(|V|t ln(1 + |V|t/d)^d). */
export const learning = (setting: Setting): number =>
  4 *
  Math.E ** 2 *
  (beta(setting) + 4 * setting.noise) *
  Math.sqrt(setting.peers * setting.rounds * logVolume(setting.peers, setting));

export const theorem1 = (setting: Setting): number =>
  (Math.sqrt(3) * burnIn(setting.delta) * setting.peers + delayLoss(setting.peers, setting)) * setting.norm +
  learning(setting);

/** eq. regret_CB. */
export const noSharing = (setting: Setting): number =>
  setting.peers * beta(setting) * Math.sqrt(setting.rounds * logVolume(1, setting));

/** The corollary without its O(t^{1/4}). */
export const corollary = (setting: Setting): number => {
  const n = setting.peers * setting.rounds;
  return Math.sqrt(n) * setting.norm + learning({ ...setting, delta: 1 / Math.sqrt(n) });
};

/** Theorem 2 for a cluster of `size` that is found at round `found` (the constant C). */
export const theorem2 = (size: number, found: number, setting: Setting): number => {
  const volume = logVolume(size, setting);
  const burn = Math.max(
    Math.sqrt(6) * burnIn(setting.delta),
    found + 4 * Math.log2(setting.peers ** 1.5 * Math.max(found, 1)),
  );
  const width = setting.noise * Math.sqrt(2 * volume) + setting.norm + 3 * setting.noise;
  return (
    (burn * size + delayLoss(size, setting)) * setting.norm +
    4 * Math.E * width * Math.sqrt(size * setting.rounds * volume)
  );
};
