import { Random } from "@coterie/core";
import { defineFeatures, flag, number, oneHot } from "@coterie/net";
import { describe, expect, it } from "vitest";
import { DECK_SIZE, deckFeatures, makeDeck, PALETTES, SHAPES } from "./cards.ts";
import { makeTaste, rating, type Taste, worth } from "./taste.ts";

const deck = makeDeck();
const features = defineFeatures(deckFeatures({ oneHot, number, flag }));

/** θ with θ·x = worth for every card: a taste in the coordinates that a peer learns in. */
function thetaOf(taste: Taste): Float64Array {
  const theta = new Float64Array(features.dimension);
  const put = (name: string, value: number): void => {
    theta[features.names.indexOf(name)] = value * Math.sqrt(6);
  };
  put("bias", -(taste.busy + taste.dark + taste.mirrored) / 2);
  for (const shape of SHAPES) put(`shape=${shape}`, taste.shapes[shape]);
  for (const palette of PALETTES) put(`palette=${palette}`, taste.palettes[palette]);
  for (const name of ["busy", "dark", "mirrored"] as const) put(name, taste[name]);
  return theta;
}

describe("the deck", () => {
  it("has every shape in every palette, the same each time", () => {
    expect(deck.length).toBe(DECK_SIZE);
    expect(new Set(deck.map(({ shape, palette }) => `${shape} ${palette}`)).size).toBe(SHAPES.length * PALETTES.length);
    expect(makeDeck()).toEqual(deck);
    expect(makeDeck(360).slice(0, DECK_SIZE)).toEqual(deck);
  });

  it("is worth to a taste what is linear in the features, and never too much", () => {
    for (let cluster = 0; cluster < 6; cluster++) {
      const taste = makeTaste(cluster, 2016);
      const theta = thetaOf(taste);
      for (const card of deck) {
        const x = new Float64Array(features.dimension);
        features.encode(card, x);
        const mean = x.reduce((sum, value, k) => sum + value * theta[k], 0);
        expect(worth(taste, card)).toBeCloseTo(mean, 12);
        expect(Math.abs(mean)).toBeLessThanOrEqual(0.8 + 1e-12);
      }
    }
  });

  it("a rating is in range, and its mean is the worth", () => {
    const random = Random.seeded(1);
    for (const mean of [-0.8, -0.3, 0, 0.6]) {
      let sum = 0;
      for (let k = 0; k < 4000; k++) {
        const value = rating(mean, 2 * random.uniform() - 1);
        expect(Math.abs(value)).toBeLessThanOrEqual(1);
        sum += value;
      }
      expect(sum / 4000).toBeCloseTo(mean, 1);
    }
  });
});
