import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Arms, armsFrom } from "../bandit/arms.ts";
import { Random } from "../numbers/random.ts";
import { apply, dot, identity, inverse, type Matrix, plus, transpose, type Vector } from "../testing/dense.ts";
import { both, gauss, look, type Seen, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { Posterior } from "./posterior.ts";
import { Prior } from "./prior.ts";

interface Part {
  chance: number;
  seen: Seen;
  borrowed: Seen | null;
  mean: Vector;
  ridge: number;
  noise: number;
}

function drawPart(random: Random, d: number, own: Seen): Part {
  const zero = Array<number>(d).fill(0);
  return {
    chance: 0.1 + random.uniform(),
    seen: own,
    borrowed: random.below(2) === 0 ? null : look(random, gauss(random, zero, 2), 1 + random.below(20), 0.5),
    mean: gauss(random, zero, 1),
    ridge: 0.1 + 2 * random.uniform(),
    noise: 0.1 + random.uniform(),
  };
}

function posteriorOf(parts: readonly Part[], d: number): Posterior {
  const posterior = new Posterior(d);
  // What was there before must leave no trace.
  posterior.add(9, new Float64Array(d * d + 2 * d), null, new Prior(new Float64Array(d).fill(5)), 1);
  posterior.clear();
  for (const { chance, seen, borrowed, mean, ridge, noise } of parts) {
    const other = borrowed && sumsOf(borrowed, d).slot;
    const prior = new Prior(Float64Array.from(mean)).setEven(ridge);
    posterior.add(chance, sumsOf(seen, d).slot, other, prior, noise);
  }
  posterior.finish(parts[0].seen.arms.length);
  return posterior;
}

interface Gaussian {
  chance: number;
  mean: Vector;
  covariance: Matrix;
}

/** Each part as the textbook has it: θ given r, with θ ~ N(μ, (σ²/λ) I) and r = Xθ + N(0, σ² I). */
function gaussians(parts: readonly Part[], d: number): Gaussian[] {
  const total = parts.reduce((sum, { chance }) => sum + chance, 0);
  return parts.map(({ chance, seen, borrowed, mean, ridge, noise }) => {
    const { arms, rewards } = borrowed === null ? seen : both(seen, borrowed);
    const x = transpose(arms);
    const gram = x.map((row) => x.map((other) => dot(row, other)));
    const inverted = inverse(plus(gram, identity(d), ridge));
    const information = apply(x, rewards).map((v, i) => v + ridge * mean[i]);
    const covariance = inverted.map((row) => row.map((value) => noise * value));
    return { chance: chance / total, mean: apply(inverted, information), covariance };
  });
}

const meanOf = (all: readonly Gaussian[]): Vector =>
  all[0].mean.map((_, i) => all.reduce((sum, { chance, mean }) => sum + chance * mean[i], 0));

/** Var(x·θ) = E(x·θ)² − (E x·θ)². */
function varianceOf(all: readonly Gaussian[], x: Vector): number {
  const second = all.reduce(
    (sum, { chance, mean, covariance }) => sum + chance * (dot(x, apply(covariance, x)) + dot(x, mean) ** 2),
    0,
  );
  return second - dot(x, meanOf(all)) ** 2;
}

describe("Posterior", () => {
  it("is the mixture of its parts: mean, variance and the sums of the likeliest", () => {
    const setting = fc.record({
      seed: fc.nat(),
      d: fc.integer({ min: 1, max: 5 }),
      parts: fc.integer({ min: 1, max: 4 }),
    });
    const property = fc.property(setting, fc.constantFrom(0, 0.5, 3, 100), (given, explore) => {
      const { d } = given;
      const random = Random.seeded(given.seed);
      const own = look(random, gauss(random, Array<number>(d).fill(0), 1), 1 + random.below(10), 0.5);
      const parts = range(given.parts).map(() => drawPart(random, d, own));
      const posterior = posteriorOf(parts, d);
      const all = gaussians(parts, d);
      expect(relativeGap(posterior.mean, meanOf(all))).toBeLessThan(1e-9);
      const top = parts.reduce((a, b) => (b.chance > a.chance ? b : a));
      const pool = top.borrowed === null ? own : both(own, top.borrowed);
      expect(relativeGap(posterior.pool, sumsOf(pool, d).slot)).toBeLessThan(1e-12);
      const arms = range(12).map(() => gauss(random, Array<number>(d).fill(0), 1));
      const widths = arms.map((x) => Math.sqrt(varianceOf(all, x)));
      const deviations = arms.map((x) => posterior.deviation(Float64Array.from(x), 0));
      expect(relativeGap(deviations, widths)).toBeLessThan(1e-7);
      const scores = arms.map((x) => dot(x, meanOf(all)) + posterior.bonus(Float64Array.from(x), 0, explore, 12));
      const chosen = posterior.choose(armsFrom(arms, d), explore);
      expect(scores[chosen]).toBeGreaterThan(Math.max(...scores) - 1e-7 * (1 + explore));
    });
    fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it("chooses the first of equals", () => {
    const posterior = posteriorOf([drawPart(Random.seeded(1), 2, look(Random.seeded(2), [1, 0], 3, 0.1))], 2);
    const arms = armsFrom(Array(3).fill([0.5, 0.5]), 2);
    expect([posterior.choose(arms, 1), posterior.draw(arms, 1, Random.seeded(1))]).toEqual([0, 0]);
  });

  /** How often each of the two arms x and 0 is drawn tells P(x·θ > 0); shifted by c·e it tells the whole law of x·θ. */
  const share = (posterior: Posterior, arms: Arms, explore: number): number => {
    const random = Random.seeded(31);
    const draws = 20_000;
    let first = 0;
    for (let k = 0; k < draws; k++) first += posterior.draw(arms, explore, random.fork(k)) === 0 ? 1 : 0;
    return first / draws;
  };

  it.each([
    [1, 1],
    [1, 2],
    [3, 1],
    [3, 0.3],
  ])("draws from the mixture of %d parts, %d deviations wide", (count, explore) => {
    const random = Random.seeded(count);
    const own = look(random, [1, -1, 0.5], 6, 0.5);
    const parts = range(count).map(() => drawPart(random, 3, own));
    const posterior = posteriorOf(parts, 3);
    const all = gaussians(parts, 3);
    for (let k = 0; k < 4; k++) {
      const [x, y] = [gauss(random, [0, 0, 0], 1), gauss(random, [0, 0, 0], 1)];
      const gap = x.map((value, i) => value - y[i]);
      const chance = all.reduce((sum, part) => {
        const deviation = explore * Math.sqrt(dot(gap, apply(part.covariance, gap)));
        return sum + part.chance * below(dot(gap, part.mean) / deviation);
      }, 0);
      // Four standard errors of a share of 20 000.
      expect(Math.abs(share(posterior, armsFrom([x, y], 3), explore) - chance)).toBeLessThan(
        4 * Math.sqrt(0.25 / 20_000),
      );
    }
  });

  it("leaves out a part whose sums nobody can have seen", () => {
    const d = 2;
    const [posterior, sound] = [new Posterior(d), new Posterior(d)];
    const own = sumsOf(look(Random.seeded(3), [1, 2], 5, 0.5), d).slot;
    const prior = new Prior(new Float64Array(d));
    posterior.add(0.5, own, Float64Array.of(-50, 0, -50, 1, 1), prior, 1);
    for (const each of [posterior, sound]) {
      each.add(0.5, own, null, prior, 1);
      each.finish(5);
    }
    expect(posterior.mean).toEqual(sound.mean);
  });
});

describe("an observation", () => {
  /** One Gaussian part, as a product of densities: how likely it makes the rewards that follow its own. */
  const density = (part: Part, d: number, { arms, rewards }: Seen): number => {
    let seen = part.seen;
    let product = 1;
    arms.forEach((x, k) => {
      const [{ mean, covariance }] = gaussians([{ ...part, seen }], d);
      const variance = part.noise + dot(x, apply(covariance, x));
      product *= Math.exp(-((rewards[k] - dot(x, mean)) ** 2) / (2 * variance)) / Math.sqrt(variance);
      seen = both(seen, { arms: [x], rewards: [rewards[k]] });
    });
    return product;
  };

  it("is Bayes' rule: as if it were among the sums, and each part weighed by how likely it made the reward", () => {
    const setting = fc.record({
      seed: fc.nat(),
      d: fc.integer({ min: 1, max: 4 }),
      parts: fc.integer({ min: 1, max: 4 }),
      more: fc.integer({ min: 1, max: 5 }),
    });
    const property = fc.property(setting, ({ seed, d, parts: count, more }) => {
      const random = Random.seeded(seed);
      const theta = gauss(random, Array<number>(d).fill(0), 1);
      const own = look(random, theta, 1 + random.below(10), 0.5);
      const news = look(random, theta, more, 0.5);
      const parts = range(count).map(() => drawPart(random, d, own));
      const updated = posteriorOf(parts, d);
      news.arms.forEach((x, k) => {
        // Within a longer list, as a menu is.
        updated.observe(Float64Array.from([7, ...x, 7]), 1, news.rewards[k]);
      });
      const anew = parts.map((part) => ({
        ...part,
        seen: both(own, news),
        chance: part.chance * density(part, d, news),
      }));
      const solved = posteriorOf(anew, d);
      expect(relativeGap(updated.mean, solved.mean)).toBeLessThan(1e-9);
      expect(relativeGap(updated.mean, meanOf(gaussians(anew, d)))).toBeLessThan(1e-8);
      for (const _ of range(4)) {
        const x = Float64Array.from(gauss(random, theta, 1));
        expect(relativeGap([updated.deviation(x, 0)], [solved.deviation(x, 0)])).toBeLessThan(1e-9);
      }
      if (count === 1) expect(relativeGap(updated.pool, solved.pool)).toBeLessThan(1e-12);
    });
    fc.assert(property, { seed: 3, numRuns: 200 });
  });
});

describe("the bonus", () => {
  const ITEMS = 6;
  const item = (k: number): Float64Array => new Float64Array(ITEMS).map((_, i) => (i === k ? 1 : 0));
  const menu = armsFrom(
    range(ITEMS).map((k) => Array.from(item(k))),
    ITEMS,
  );
  /** What is known after each item was chosen so often, of mean reward `pays`. */
  const after = (counts: number[], pays: number[]): Posterior => {
    const arms = counts.flatMap((count, k) => range(count).map(() => Array.from(item(k))));
    const rewards = counts.flatMap((count, k) => range(count).map(() => pays[k]));
    const posterior = new Posterior(ITEMS);
    posterior.add(1, sumsOf({ arms, rewards }, ITEMS).slot, null, new Prior(new Float64Array(ITEMS)), 0.25);
    posterior.finish(arms.length);
    return posterior;
  };

  it("grows without bound for an arm of a fixed menu that is neglected", () => {
    const pays = [0.6, 0, 0.2, 0.2, 0.2, 0.2];
    const bonuses = [100, 1000, 1e4, 1e5].map((n) => after([n, 3, 30, 30, 30, 30], pays).bonus(item(1), 0, 0.5, ITEMS));
    bonuses.slice(1).forEach((bonus, k) => {
      expect(bonus).toBeGreaterThan(bonuses[k] + 0.04);
    });
    // √(σ² ℓ ln(nℓ/q)), ℓ = 1/(3 + 1), q = Σ n/(n + 1).
    const directions = 1e5 / (1e5 + 1) + 3 / 4 + (4 * 30) / 31;
    const neglect = (1e5 + 123) / 4 / directions;
    expect(bonuses[3]).toBeCloseTo(Math.sqrt((0.25 * Math.log(neglect)) / 4), 9);
  });

  it("is less where others have tried what is believed, but never below that belief's own variance", () => {
    const posterior = new Posterior(ITEMS);
    const counts = [1e4, 3, 30, 30, 30, 30];
    const arms = counts.flatMap((count, k) => range(count).map(() => Array.from(item(k))));
    const narrow = new Prior(new Float64Array(ITEMS)).setEven(20);
    posterior.add(1, sumsOf({ arms, rewards: arms.map(() => 0.2) }, ITEMS).slot, null, narrow, 0.25);
    posterior.finish(arms.length);
    const neglect = arms.length / 4 / (1e4 / (1e4 + 1) + 3 / 4 + (4 * 30) / 31);
    const bonusWith = (others: number): number => {
      posterior.others = { records: others, ridge: 1e12 };
      return posterior.bonus(item(1), 0, 0.5, ITEMS);
    };
    const of = (variance: number): number => Math.sqrt(variance * Math.log(neglect));
    expect(bonusWith(0)).toBeCloseTo(of(0.25 / 4), 9);
    expect(bonusWith(2)).toBeCloseTo(of(0.25 / 4 / 3), 9);
    expect(bonusWith(100)).toBeCloseTo(of(0.25 / 23), 9);
  });

  it("is one standard deviation of an arm of a fixed menu that is not neglected, `explore` of one that varies", () => {
    const posterior = after([50, 50, 50, 50, 50, 50], [0.2, 0.2, 0.2, 0.2, 0.2, 0.2]);
    const deviation = posterior.deviation(item(0), 0);
    expect(posterior.bonus(item(0), 0, 0.5, ITEMS)).toBeCloseTo(deviation, 9);
    expect(posterior.bonus(item(0), 0, 2, ITEMS)).toBeCloseTo(2 * deviation, 9);
    posterior.repeated = 0;
    expect(posterior.bonus(item(0), 0, 0.5, ITEMS)).toBeCloseTo(0.5 * deviation, 9);
  });

  it("makes a peer try again in time an arm that failed a few times", () => {
    const posterior = after([20, 4, 20, 20, 20, 20], [0.3, 0, 0.05, 0.05, 0.05, 0.05]);
    let tried = 0;
    let first = 0;
    for (const n of range(3000)) {
      const arm = posterior.choose(menu, 0.5);
      if (arm === 1 && tried++ === 0) first = n;
      posterior.observe(menu.values, arm * ITEMS, arm === 0 ? 0.3 : arm === 1 ? 0.9 : 0.05);
    }
    // Not at once, and then for good: it is the best.
    expect(first).toBeGreaterThan(50);
    expect(tried).toBeGreaterThan(1000);
  });

  it("is `explore` standard deviations for nearly all arms of one length where half of the choices vary", () => {
    const d = 5;
    const unitArms = (seen: Seen): Seen => ({
      ...seen,
      arms: seen.arms.map((x) => x.map((value) => value / Math.hypot(...x))),
    });
    const random = Random.seeded(8);
    let more = 0;
    for (const count of [20, 100, 1000]) {
      const posterior = new Posterior(d);
      posterior.repeated = 0.5;
      const own = sumsOf(unitArms(look(random, [1, 0, 0, 0, 0], count, 0.5)), d).slot;
      posterior.add(1, own, null, new Prior(new Float64Array(d)), 0.25);
      posterior.finish(count);
      for (const arm of unitArms(look(random, [1, 0, 0, 0, 0], 200, 0)).arms) {
        const x = Float64Array.from(arm);
        const deviations = 0.5 * posterior.deviation(x, 0);
        const bonus = posterior.bonus(x, 0, 0.5, 10);
        expect(bonus).toBeGreaterThanOrEqual(deviations);
        if (bonus > deviations) more += 1;
      }
    }
    expect(more / 600).toBeLessThan(0.1);
  });
});

/** P(N(0, 1) < z), by the midpoint rule. */
function below(z: number): number {
  const step = 1e-3;
  let sum = 0;
  for (let u = -8 + step / 2; u < Math.min(z, 8); u += step) sum += Math.exp((-u * u) / 2) * step;
  return sum / Math.sqrt(2 * Math.PI);
}
