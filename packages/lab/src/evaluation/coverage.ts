import { type ChoiceEntry, check, type Estimate, evaluate, Random } from "@coterie/core";
import { best, ITEMS, Shop } from "./shop.ts";

/** What to check intervals with. */
export interface CoverageOptions {
  /** Simulated logs. */
  readonly logs: number;
  /** Choices in each. */
  readonly choices: number;
  readonly seed: number;
  /** After each log. */
  readonly onLog?: (done: number) => void;
}

/** How one estimator did over all logs. */
export interface Covered {
  /** The share of logs whose 95 % interval contains the truth. */
  readonly coverage: number;
  /** Mean of estimate − truth, its own standard error, and the mean width of an interval. */
  readonly bias: number;
  readonly biasError: number;
  readonly width: number;
}

/** For one target: the truth, and each estimator against it. */
export interface CoverageRow {
  readonly target: string;
  readonly truth: number;
  readonly ips: Covered;
  readonly snips: Covered;
  readonly dr: Covered;
}

const ESTIMATORS = ["ips", "snips", "dr"] as const;
/**
 * Does a 95 % interval contain the truth in 95 % of logs? Plays logs of one fixed policy in one made-up shop and judges fixed
 * targets by each, three ways.
 */
export function checkCoverage({ logs, choices, seed, onLog }: CoverageOptions): CoverageRow[] {
  check.whole("logs", logs, 2, 1_000_000);
  check.whole("choices", choices, 2, 10_000_000);
  const random = Random.seeded(seed);
  const shop = new Shop(random.fork("shop"));
  const one = (item: number): number[] => Array.from({ length: ITEMS }, (_, other) => (other === item ? 1 : 0));
  const targets = [
    { name: "uniform", pi: () => new Array<number>(ITEMS).fill(1 / ITEMS) },
    { name: "first", pi: () => one(0) },
    { name: "best", pi: (menu: number) => one(best(shop.menus[menu]!.clicks)) },
  ];
  const found = targets.map(() => ({ ips: [], snips: [], dr: [] }) as Record<(typeof ESTIMATORS)[number], Estimate[]>);
  for (let k = 0; k < logs; k++) {
    const log = shop.log(choices, random.fork("log").fork(k));
    const specs = targets.map(({ name, pi }) => ({
      name,
      probabilities: ({ entry }: { entry: ChoiceEntry }) => pi(shop.menuOf(entry)),
    }));
    for (const [t, report] of evaluate(log, { targets: specs }).targets.entries()) {
      for (const estimator of ESTIMATORS) found[t]![estimator].push(report[estimator]);
    }
    onLog?.(k + 1);
  }
  return targets.map(({ name, pi }, t) => {
    const truth = shop.value(pi);
    const [ips, snips, dr] = ESTIMATORS.map((estimator) => covered(found[t]![estimator], truth));
    return { target: name, truth, ips: ips!, snips: snips!, dr: dr! };
  });
}

function covered(estimates: readonly Estimate[], truth: number): Covered {
  const n = estimates.length;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / n;
  const off = estimates.map(({ value }) => value - truth);
  const bias = mean(off);
  return {
    coverage: mean(estimates.map(({ low, high }) => (low <= truth && truth <= high ? 1 : 0))),
    bias,
    biasError: Math.sqrt(mean(off.map((one) => (one - bias) ** 2)) / (n - 1)),
    width: mean(estimates.map(({ low, high }) => high - low)),
  };
}
