/**
 * Vowpal Wabbit 9.10.0 as a central team would use it: one model that sees every interaction at once, tuned in hindsight
 * over 51 settings (exploration, learning rate, `--coin`, with and without `-q UA`) on seeds 101 to 103. It was run outside
 * of this repository, in the same worlds with the same arms, rewards and seeds, for as many rounds; there is no interval.
 */
export const VW = "VW, central (from elsewhere)";

/** Reward relative to random after 95 rounds, by world. */
export const VW_REWARDS: Readonly<Record<string, number>> = { "Last.fm": 3.06, MovieLens: 3.14 };
