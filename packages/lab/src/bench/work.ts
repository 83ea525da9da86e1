import type { BenchSize } from "./drawn.ts";

/** Arithmetic of one peer and round in multiply-adds: a lone multiplication or addition is half of one. */
export const workOf = ({ d, K, L }: Omit<BenchSize, "V">): { choose: number; refresh: number; replay: number } => ({
  choose: K * ((d * (d - 1)) / 2 + 0.5 * d + 2 * d + 1),
  refresh: (d * d * d) / 6 + d * d,
  // Rows are half as many as peers, and each entry of one is a sum of two.
  replay: 0.5 * 0.5 * ((d * (d + 1)) / 2 + d + 1) * L,
});
