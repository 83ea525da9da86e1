/** Of features that nothing depends on. */
const NOTHING = 1e-8;

/**
 * What the ideal is told of a world with the config given: tastes are N(0, variances), feature by feature; a reward is `offset` + x·θ and
 * noise, of which `noiseAt` says the variance where x·θ is expected to be `mean`.
 */
export function toldOf({ rewards, noise, dimension, constant = 0, relevant }, { prior, base, weights }) {
  const clicks = rewards?.kind === "clicks";
  if (clicks && rewards.link !== "linear") throw new Error("The ideal knows no clicks but linear ones.");
  const slope = clicks ? rewards.slope : 1;
  const real = constant === 0 ? dimension : dimension - 1;
  const counts = relevant ?? real;
  // θ is a random unit vector of the features that count; arms are shortened to make room for the constant one.
  const variance = (prior * slope ** 2) / (1 - constant ** 2) / counts;
  const variances = Array.from({ length: dimension }, (_, i) => (i < counts ? variance : NOTHING));
  if (!clicks) return { variances, offset: 0, noiseAt: () => noise ** 2 };
  if (!base && constant > 0) variances[real] = 1 / constant ** 2;
  const chanceAt = (mean) => (weights ? Math.min(0.5, Math.max(rewards.base / 4, rewards.base + mean)) : rewards.base);
  return { variances, offset: base ? rewards.base : 0, noiseAt: (mean) => chanceAt(mean) * (1 - chanceAt(mean)) };
}
