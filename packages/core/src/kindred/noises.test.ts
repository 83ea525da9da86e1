import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { Reader, Writer } from "../numbers/bytes.ts";
import { Random } from "../numbers/random.ts";
import { range } from "../testing/play.ts";
import { deviance, Noises, type Residual } from "./noises.ts";

const random = Random.seeded(5);

/** Of `count` rewards with standard deviation `sigma` about a mean that is known. */
function residual(label: string, sigma: number, count: number): Residual {
  const draw = random.fork(label);
  let unexplained = 0;
  for (const _ of range(count)) unexplained += (sigma * draw.normal()) ** 2;
  return { unexplained, count };
}

const fitted = (residuals: readonly Residual[], noise: number, kurtosis = 3): Noises => {
  const noises = new Noises();
  noises.fit(residuals, noise, kurtosis);
  return noises;
};

describe("Noises", () => {
  it.each([5, 20, 100])("weighs all alike where they are, from records of %d observations", (count) => {
    const residuals = range(40).map((i) => residual(`alike ${i}`, 0.5, count));
    const noises = fitted(residuals, 0.25);
    expect(noises.freedom).toBeGreaterThanOrEqual(64);
    for (const each of residuals) expect(Math.abs(noises.weight(each, 0.25) - 1)).toBeLessThan(0.5);
  });

  it.each([20, 100])("weighs each by its own precision where they differ, from records of %d observations", (count) => {
    const sigmas = [0.25, 0.5, 1];
    const residuals = range(39).map((i) => residual(`differ ${i}`, sigmas[i % 3], count));
    const noises = fitted(residuals, 0.4375);
    expect(noises.freedom).toBeLessThanOrEqual(8);
    residuals.forEach((each, i) => {
      const right = 0.4375 / sigmas[i % 3] ** 2;
      expect(noises.weight(each, 0.4375)).toBeGreaterThan(right / 2.5);
      expect(noises.weight(each, 0.4375)).toBeLessThan(right * 2.5);
    });
  });

  it("takes clicks that happen to be fewer for chance", () => {
    // Clicks of 4 %: u is about their number, and their kurtosis 1/.04.
    const draw = random.fork("clicks");
    const residuals = range(40).map(() => ({
      unexplained: range(100).filter(() => draw.uniform() < 0.04).length,
      count: 100,
    }));
    expect(fitted(residuals, 0.04).freedom).toBeLessThan(32);
    const noises = fitted(residuals, 0.04, 25);
    for (const each of residuals) expect(Math.abs(noises.weight(each, 0.04) - 1)).toBeLessThan(0.35);
  });

  it("knows nothing of differences where nothing is known of rewards, and bounds what it says", () => {
    const differing = range(9).map((i) => residual(`far ${i}`, 10 ** (i % 3), 1000));
    expect(fitted(differing, 1, Infinity).weight(differing[0], 1)).toBeCloseTo(1, 12);
    const noises = fitted(differing, 33);
    expect(noises.weight({ unexplained: 0, count: 1e9 }, 33)).toBe(16);
    expect(noises.weight({ unexplained: 1e12, count: 10 }, 33)).toBe(1 / 16);
  });

  it("goes on from what was written", () => {
    const noises = fitted([residual("a", 1, 10), residual("b", 9, 10)], 1);
    const out = new Writer();
    noises.write(out);
    const copy = new Noises();
    copy.read(new Reader(out.bytes(), (_, field, value, bound) => new ConfigError(field, value, bound)));
    expect(copy).toEqual(noises);
  });
});

describe("deviance", () => {
  it("is that of a normal distribution where the noise is known", () => {
    for (const [u, n, noise] of [
      [3, 4, 1],
      [50, 20, 2],
      [0, 7, 0.1],
    ]) {
      expect(deviance(u, n, 1e9, noise)).toBeCloseTo(n * Math.log(noise) + u / noise, 4);
    }
  });

  it("is that of Student's distribution else", () => {
    // −2 ln of ∫ (2π s)^(−n/2) exp(−u/2s) p(s) ds for n = 2 and ν = 2, but for n ln 2π: p(u) = Γ(2)/Γ(1) (νσ²/2)/((νσ² + u)/2)².
    const [u, noise] = [3, 0.7];
    expect(deviance(u, 2, 2, noise)).toBeCloseTo(-2 * Math.log(noise / ((2 * noise + u) / 2) ** 2), 10);
  });
});
