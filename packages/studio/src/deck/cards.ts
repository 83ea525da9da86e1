import { Random } from "@coterie/core";

/**
 * The deck: posters that were made for this purpose. Each is drawn from its attributes alone, and the attributes are also
 * its features; so whoever likes calm waves in the colours of the sea really likes something that a peer can learn.
 */
export const SHAPES = ["circles", "waves", "blocks", "leaves", "rays", "arches"] as const;
export type Shape = (typeof SHAPES)[number];
export const PALETTES = ["ember", "sand", "moss", "sea", "plum", "ink"] as const;
export type Palette = (typeof PALETTES)[number];

export interface Card {
  readonly id: number;
  readonly title: string;
  readonly shape: Shape;
  readonly palette: Palette;
  /** 0 calm to 1 busy. */
  readonly busy: number;
  /** On dark paper. */
  readonly dark: boolean;
  /** Mirrored about its middle. */
  readonly mirrored: boolean;
}

export const DECK_SIZE = 72;

const WORDS: Readonly<Record<Palette, readonly string[]>> = {
  ember: ["Ember", "Lantern", "Brick", "August"],
  sand: ["Dune", "Noon", "Barley", "Clay"],
  moss: ["Moss", "April", "Orchard", "Fern"],
  sea: ["Harbour", "Ferry", "Rain", "Tide"],
  plum: ["Plum", "Dusk", "Heather", "Velvet"],
  ink: ["Ink", "Slate", "Winter", "Soot"],
};
const OF: Readonly<Record<Shape, readonly string[]>> = {
  circles: ["moons", "pebbles"],
  waves: ["swell", "ripples"],
  blocks: ["towers", "tiles"],
  leaves: ["garden", "hedge"],
  rays: ["beacons", "stars"],
  arches: ["bridges", "gates"],
};

/** The same cards everywhere, drawn from a fixed seed; of a larger deck the first are the same. Every 36 have each pair of shape and palette. */
export function makeDeck(size = DECK_SIZE): Card[] {
  return Array.from({ length: size }, (_, id) => {
    const random = Random.seeded(2016).fork("deck").fork(id);
    const shape = SHAPES[id % SHAPES.length];
    const palette = PALETTES[Math.floor(id / SHAPES.length) % PALETTES.length];
    const busy = Math.round(random.uniform() * 20) / 20;
    const title = `${WORDS[palette][random.below(4)]} ${OF[shape][random.below(2)]}`;
    return { id, title, shape, palette, busy, dark: random.below(2) === 0, mirrored: random.below(2) === 0 };
  });
}

/** How features are declared; Node and browsers have one each, of the same kind. */
type Kit = Pick<typeof import("@coterie/net"), "oneHot" | "number" | "flag">;

/** What peers of the deck's room must agree on. */
export const deckFeatures = ({ oneHot, number, flag }: Kit) => ({
  shape: oneHot(SHAPES),
  palette: oneHot(PALETTES),
  busy: number(0, 1),
  dark: flag(),
  mirrored: flag(),
});

/** Ratings go from -1 (away with it) to 1 (more of that); 0 is neither. */
export const DECK_REWARD = { range: [-1, 1] } as const;
export const DECK_ROOM = "coterie posters 1";
/** Cards offered at once. */
export const DECK_ARMS = 8;
