import { exp } from "../numbers/exp.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import { deviance } from "./noises.ts";
import type { Population } from "./population.ts";
import { Prior } from "./prior.ts";
import type { Sums } from "./record.ts";

/** The prior odds that others' records are of no use. */
export const ALONE_ODDS = 0.1;
/** The same where strangers may have invented some. */
const WARY = 3;
/** Degrees of freedom behind the prior of own noise, about half the mean square of own rewards. */
const FREEDOM = 2;
/** How many times less the noise of one peer may be than what the population says. */
const NOISE_RATIO = 4;

/**
 * Never much worse than alone: how much better a peer's own observations fit what it would believe without anybody
 * (θ ~ N(0, σ₀²I), as solo has it) than what the population says. The ratio of the two marginal likelihoods
 * times the prior odds; large when peers are useless, or lie. The noise may be less than the population's by a factor:
 * else whoever is paid less often than others would believe nobody. It may be more where that of peers differs (noises.ts).
 */
export class Guard {
  /** What one would believe alone. */
  readonly prior: Prior;
  /** σ₀². */
  noise = 1;
  readonly #evidence: Evidence;
  readonly #odds: number;

  constructor(dimension: number, wary = false) {
    this.#odds = wary ? WARY : ALONE_ODDS;
    this.prior = new Prior(sharedNumbers(dimension));
    this.#evidence = new Evidence(dimension);
  }

  weigh({ slot, squares, count }: Sums, population: Population): number {
    if (count === 0 || !(squares > 0)) return 0;
    const evidence = this.#evidence;
    evidence.fit(slot, this.prior);
    // Half a mean square of the rewards, as two pseudo-observations: never 0.
    const unexplained = Math.max(0, squares - evidence.explained);
    const pseudo = 0.5 * (squares / count);
    this.noise = (unexplained + pseudo) / (count + 2);
    const alone = deviance(unexplained, count, FREEDOM, pseudo) + evidence.logDeterminant;
    const { mean, prior, noise, noises } = population;
    evidence.fit(slot, prior);
    const rest = Math.max(0, residualSquares(squares, slot, mean) - evidence.explained);
    const fitted = Math.min(Math.max((rest + pseudo) / (count + 2), noise / NOISE_RATIO), noise);
    const told = deviance(rest, count, noises.freedom, fitted) + evidence.logDeterminant;
    return this.#odds * exp(Math.min(50, (told - alone) / 2));
  }
}
