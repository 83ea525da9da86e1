import type { Reader, Writer } from "../numbers/bytes.ts";
import { lnGamma } from "../numbers/gamma.ts";
import { ln } from "../numbers/ln.ts";

/** The grid of ν, from peers that differ a lot to peers that are alike. */
const FREEDOMS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/** How many times more or less than the population's the noise of a peer is taken for. */
const MOST = 16;

const ALIKE = FREEDOMS.at(-1)!;

const HALVES = new Map([...FREEDOMS].map((freedom) => [freedom, lnGamma(freedom / 2)]));

const lnGammaOfHalf = (freedom: number): number => HALVES.get(freedom) ?? lnGamma(freedom / 2);

/**
 * −2 ln p(u | ν, σ²) of n observations, σ_j² integrated out, but for what does not depend on ν and σ². Close to
 * n ln σ² + u/σ² where ν is large.
 */
export function deviance(
  unexplained: number,
  count: number,
  freedom: number,
  noise: number,
  ways = lnWays(count, freedom),
): number {
  const scale = freedom * noise;
  return freedom * ln(1 + unexplained / scale) + count * (ln(scale + unexplained) - Math.LN2) - ways;
}

/** 2 ln Γ((ν + n)/2)/Γ(ν/2). */
const lnWays = (count: number, freedom: number): number =>
  2 * (lnGamma((freedom + count) / 2) - lnGammaOfHalf(freedom));

/** What a record leaves unexplained: u = q − v'ᵀ(S + R)⁻¹v' of n observations, about n σ_j² of them. */
export interface Residual {
  readonly unexplained: number;
  readonly count: number;
}

/** As how many Gaussian observations one with kurtosis κ tells a variance: 2/(κ − 1), at most 1. */
export const gaussianShare = (kurtosis: number): number => Math.min(1, 2 / Math.max(kurtosis - 1, 1e-3));

/**
 * Peers differ in how noisy their rewards are: σ_j² ~ scaled inverse χ² with ν degrees of freedom about the population's σ².
 * With u of n observations the posterior mean of 1/σ_j² gives
 *
 *     σ_j² = (ν σ² + u)/(ν + n),          w_j = σ²/σ_j²,
 *
 * the weight of the record's sums wherever sums of several peers meet. ν is the most likely of a grid: at its
 * end all are alike, and all weights are 1, so that nobody need ask what a record leaves unexplained.
 *
 * u tells σ_j² as well as n Gaussian observations do only where rewards are Gaussian. With kurtosis κ they tell as much as
 * 2n/(κ − 1), so both u and n are counted with that share: clicks of a few per cent have κ of 20 and more, and a peer
 * that happened to click less than others would seem to be less noisy.
 */
export class Noises {
  /** ν. */
  freedom = ALIKE;
  /** 2/(κ − 1), at most 1. */
  share = 0;

  /** The most likely ν, for residuals of records and the kurtosis of rewards: from the last one up the grid, or else down. */
  fit(residuals: readonly Residual[], noise: number, kurtosis: number): void {
    this.share = gaussianShare(kurtosis);
    let at = Math.max(0, FREEDOMS.indexOf(this.freedom));
    let least = this.#deviance(residuals, noise, at);
    for (const step of [1, -1]) {
      const from = at;
      while (FREEDOMS[at + step] !== undefined) {
        const value = this.#deviance(residuals, noise, at + step);
        // Of equals the one in which peers are more alike.
        if (!(step > 0 ? value <= least : value < least)) break;
        least = value;
        at += step;
      }
      if (at !== from) break;
    }
    this.freedom = FREEDOMS[at]!;
  }

  /** That of all records for one ν of the grid. */
  #deviance(residuals: readonly Residual[], noise: number, at: number): number {
    const [{ share }, freedom] = [this, FREEDOMS[at]!];
    // Many records have seen as much as another one.
    const ways = new Map<number, number>();
    let sum = 0;
    for (const { unexplained, count } of residuals) {
      let way = ways.get(count);
      if (way === undefined) {
        way = lnWays(share * count, freedom);
        ways.set(count, way);
      }
      sum += deviance(share * unexplained, share * count, freedom, noise, way);
    }
    return sum;
  }

  /** Whether rewards are as noisy of one peer as of another. */
  get alike(): boolean {
    return this.freedom === ALIKE;
  }

  /** w. */
  weight({ unexplained, count }: Residual, noise: number): number {
    const { freedom, share } = this;
    if (this.alike) return 1;
    const own = (freedom * noise + share * unexplained) / (freedom + share * count);
    return Math.min(Math.max(noise / own, 1 / MOST), MOST);
  }

  write(out: Writer): void {
    out.f64(this.freedom);
    out.f64(this.share);
  }

  read(from: Reader): void {
    this.freedom = from.f64("noises");
    this.share = from.f64("noises");
  }
}
