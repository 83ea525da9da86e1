import { ln, log2 } from "@coterie/core/internal";

/**
 * The paper's regret bounds as printed, for a network in which every peer plays `rounds` rounds.
 *
 * They hold for the theory radius with the same norm, noise and delta, with probability 1 − δ (the corollary: in
 * expectation). Constants are the paper's own; where a statement and its proof differ, the statement is taken.
 */
export interface BoundSetting {
  /** |V|. */
  readonly peers: number;
  /** d. */
  readonly dimension: number;
  /** t. */
  readonly rounds: number;
  /** R: the noise is R-subgaussian. */
  readonly noise: number;
  /** ‖θ‖₂. */
  readonly norm: number;
}

/** A setting and the chance δ that its bound does not hold. */
export interface BoundChance extends BoundSetting {
  readonly delta: number;
}

/** ln( (1 + n t / d)^d ), n the number of peers that learn together. */
export const logVolume = (together: number, { dimension: d, rounds: t }: BoundSetting): number =>
  d * ln(1 + (together * t) / d);

/** N(δ) = √3 / ( (1 − 2^{−1/4}) √δ ): rounds until the weights are even enough. */
export const burnIn = (delta: number): number => Math.sqrt(3) / ((1 - 2 ** -0.25) * Math.sqrt(delta));

/** ν(n, d, t) = (d + 1) d² (4 n ln(n^{3/2} t))³: the loss by the delay. */
export const delayLoss = (together: number, { dimension: d, rounds: t }: BoundSetting): number =>
  (d + 1) * d ** 2 * (4 * together * ln(together ** 1.5 * t)) ** 3;

/** β(t) = R √( ln( (1 + |V|t/d)^d / δ ) ) + ‖θ‖₂. */
export const beta = (setting: BoundChance): number =>
  setting.noise * Math.sqrt(logVolume(setting.peers, setting) - ln(setting.delta)) + setting.norm;

/** No policy loses more: 2 ‖θ‖₂ |V| t, because arms lie in the unit ball. A bound above this says nothing. */
export const trivialBound = ({ peers, rounds, norm }: BoundSetting): number => 2 * norm * peers * rounds;

/** Eq. (regret_CB), CB-NoSharing: |V| β(t) √( t ln( (1 + t/d)^d ) ). Its β counts all |V| t observations, as printed. */
export const noSharingBound = (setting: BoundChance): number =>
  setting.peers * beta(setting) * Math.sqrt(setting.rounds * logVolume(1, setting));

/** 4e² (β(t) + 4R) √( |V| t ln( (1 + |V|t/d)^d ) ): what Theorem 1 leaves once its burn-in is over. */
export const learningTerm = (setting: BoundChance): number => {
  const { peers, rounds, noise } = setting;
  return 4 * Math.E ** 2 * (beta(setting) + 4 * noise) * Math.sqrt(peers * rounds * logVolume(peers, setting));
};

/**
 * Theorem 1, DCB: ( N(δ)|V| + ν(|V|, d, t) ) ‖θ‖₂ + 4e² (β(t) + 4R) √( |V| t ln( (1 + |V|t/d)^d ) ).
 */
export const theorem1Bound = (setting: BoundChance): number =>
  (burnIn(setting.delta) * setting.peers + delayLoss(setting.peers, setting)) * setting.norm + learningTerm(setting);

/**
 * The corollary, DCB in expectation, from δ = 1/√(|V|t):
 * √(|V|t) ‖θ‖₂ + 4e² ( R √( ln( (1 + |V|t/d)^d √(|V|t) ) ) + ‖θ‖₂ + 4R ) √( |V| t ln( (1 + |V|t/d)^d ) ).
 *
 * Without its O(t^{1/4}), for which no constant is given; that term also stands for ν, which is the larger part at any
 * number of rounds that could be played. So this is a lower value than the corollary's own.
 */
export const corollaryBound = (setting: BoundSetting): number => {
  const observations = setting.peers * setting.rounds;
  const delta = 1 / Math.sqrt(observations);
  return Math.sqrt(observations) * setting.norm + learningTerm({ ...setting, delta });
};

/** A cluster of Theorem 2. */
export interface Cluster {
  /** |U^k|. */
  readonly size: number;
  /** C: the round from which on the clusters are found. Measured, not known beforehand. */
  readonly foundAt: number;
}

/**
 * Theorem 2, the regret of one cluster under DCCB, with β(t) = R √( 2 ln( (1 + |U|t/d)^d ) ) + ‖θ‖₂:
 * [ max{ √2 N(δ), C + 4 log2(|V|^{3/2} C) } |U| + ν(|U|, d, t) ] ‖θ‖₂
 *   + 4e (β(t) + 3R) √( |U| t ln( (1 + |U|t/d)^d ) ).
 */
export const theorem2Bound = ({ size, foundAt }: Cluster, setting: BoundChance): number => {
  const { peers, rounds, noise, norm, delta } = setting;
  const volume = logVolume(size, setting);
  const ownBeta = noise * Math.sqrt(2 * volume) + norm;
  const waiting = Math.max(Math.SQRT2 * burnIn(delta), foundAt + 4 * log2(peers ** 1.5 * foundAt));
  return (
    (waiting * size + delayLoss(size, setting)) * norm +
    4 * Math.E * (ownBeta + 3 * noise) * Math.sqrt(size * rounds * volume)
  );
};

/** The power of two of rounds from which on a bound says more than `trivialBound`, up to 2^60; null if it never does. */
export function usefulFrom<T extends BoundSetting>(bound: (setting: T) => number, setting: T): number | null {
  let from: number | null = null;
  for (let power = 60; power >= 0; power--) {
    const then = { ...setting, rounds: 2 ** power };
    if (bound(then) >= trivialBound(then)) return from;
    from = 2 ** power;
  }
  return from;
}
