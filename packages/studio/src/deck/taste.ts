import { Random } from "@coterie/core";
import { type Card, PALETTES, type Palette, SHAPES, type Shape } from "./cards.ts";

/** A hidden taste: what a card is worth is linear in its features, so that a peer can learn it exactly. */
export interface Taste {
  readonly shapes: Readonly<Record<Shape, number>>;
  readonly palettes: Readonly<Record<Palette, number>>;
  readonly busy: number;
  readonly dark: number;
  readonly mirrored: number;
}

/** No card is worth more than this either way: the rest is room for the mood of the day. */
const MOST = 0.8;

/** Taste number `cluster` of a world: drawn, then scaled so that no card can be worth more than MOST. */
export function makeTaste(cluster: number, seed: number): Taste {
  const random = Random.seeded(seed).fork("taste").fork(cluster);
  const draw = <K extends string>(names: readonly K[], size: number): Record<K, number> =>
    Object.fromEntries(names.map((name) => [name, size * random.normal()])) as Record<K, number>;
  const shapes = draw(SHAPES, 1);
  const palettes = draw(PALETTES, 1);
  const [busy, dark, mirrored] = [0.8, 0.5, 0.5].map((size) => size * random.normal());
  const largest = (of: Record<string, number>): number => Math.max(...Object.values(of).map(Math.abs));
  const scale =
    MOST / (largest(shapes) + largest(palettes) + (Math.abs(busy) + Math.abs(dark) + Math.abs(mirrored)) / 2);
  const scaled = <K extends string>(of: Record<K, number>): Record<K, number> =>
    Object.fromEntries(Object.entries<number>(of).map(([name, value]) => [name, value * scale])) as Record<K, number>;
  return {
    shapes: scaled(shapes),
    palettes: scaled(palettes),
    busy: busy * scale,
    dark: dark * scale,
    mirrored: mirrored * scale,
  };
}

const half = (yes: boolean): number => (yes ? 0.5 : -0.5);

/** What a card is worth to a taste, on average: from -MOST to MOST. */
export const worth = ({ shapes, palettes, busy, dark, mirrored }: Taste, card: Card): number =>
  shapes[card.shape] +
  palettes[card.palette] +
  busy * (card.busy - 0.5) +
  dark * half(card.dark) +
  mirrored * half(card.mirrored);

/** One rating: the worth, and a mood between -1 and 1 that can fill the room that is left. Its mean is the worth. */
export const rating = (mean: number, mood: number): number => mean + (1 - Math.abs(mean)) * mood;
