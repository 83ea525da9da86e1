import { Random } from "@coterie/core";
import type { ComponentChildren } from "preact";
import type { Card, Palette, Shape } from "../deck/cards.ts";

/** Four inks on light or dark paper. */
const INKS: Readonly<Record<Palette, readonly [string, string, string, string]>> = {
  ember: ["#c8401f", "#e8832a", "#f2b544", "#7a1f14"],
  sand: ["#c99b5b", "#e3c48d", "#a8763e", "#d97f4a"],
  moss: ["#4f7d3a", "#8fae5d", "#2f5a45", "#c5cf8b"],
  sea: ["#1f6f8b", "#54a6b5", "#12405c", "#9fd3cf"],
  plum: ["#6d2f63", "#a85a92", "#3d1c47", "#d9a0bd"],
  ink: ["#2f3338", "#70767d", "#a9aeb3", "#4a5057"],
};
const LIGHT_PAPER: Readonly<Record<Palette, string>> = {
  ember: "#fbf0e2",
  sand: "#faf4e6",
  moss: "#f3f5e8",
  sea: "#edf5f4",
  plum: "#f8eff4",
  ink: "#f4f4f2",
};
const DARK_PAPER: Readonly<Record<Palette, string>> = {
  ember: "#2b1512",
  sand: "#2e2418",
  moss: "#16241b",
  sea: "#0f2430",
  plum: "#221326",
  ink: "#17191c",
};
const WIDTH = 240;
const HEIGHT = 320;

type Draw = (x: number, y: number, size: number, fill: string, turn: number) => ComponentChildren;

const DRAW: Readonly<Record<Shape, Draw>> = {
  circles: (x, y, size, fill) => <circle cx={x} cy={y} r={size} fill={fill} />,
  waves: (_, y, size, fill, turn) => {
    const crest = (k: number): string =>
      `Q${k * 60 + 15},${y - size * (0.5 + turn)} ${k * 60 + 30},${y}T${k * 60 + 60},${y}`;
    return <path d={`M-60,${y}${[-1, 0, 1, 2, 3, 4].map(crest).join("")}V${y + size}H-60Z`} fill={fill} />;
  },
  blocks: (x, y, size, fill, turn) => (
    <rect
      x={x - size * 0.7}
      y={y - size * (0.6 + turn)}
      width={size * 1.4}
      height={size * (1.2 + 2 * turn)}
      fill={fill}
    />
  ),
  leaves: (x, y, size, fill, turn) => (
    <path
      d={`M0,${-size * 1.5}Q${size},0 0,${size * 1.5}Q${-size},0 0,${-size * 1.5}Z`}
      transform={`translate(${x},${y}) rotate(${turn * 180 - 90})`}
      fill={fill}
    />
  ),
  // One ray, turned ten times.
  rays: (x, y, size, fill, turn) =>
    Array.from({ length: 10 }, (_, k) => (
      <path
        key={k}
        d={`M0,0L${-size * 0.13},${-size * 1.4}L${size * 0.13},${-size * 1.4}Z`}
        transform={`translate(${x},${y}) rotate(${turn * 36 + k * 36})`}
        fill={fill}
      />
    )),
  arches: (x, y, size, fill) => (
    <path
      d={`M${x - size},${y + size * 1.4}V${y}A${size},${size} 0 0 1 ${x + size},${y}V${y + size * 1.4}H${x + size * 0.5}V${y}A${size * 0.5},${size * 0.5} 0 0 0 ${x - size * 0.5},${y}V${y + size * 1.4}Z`}
      fill={fill}
    />
  ),
};

/** A poster, drawn from the card's attributes alone. */
export function Poster({ card }: { card: Card }) {
  const random = Random.seeded(card.id).fork("poster");
  const inks = INKS[card.palette];
  const count = 3 + Math.round(card.busy * 15);
  const middle = card.mirrored ? WIDTH / 2 : WIDTH;
  const parts = Array.from({ length: count }, (_, k) => {
    const size = (58 - 34 * card.busy) * (0.65 + 0.6 * random.uniform());
    const x = card.mirrored ? middle * random.uniform() : 20 + (WIDTH - 40) * random.uniform();
    const y =
      card.shape === "waves"
        ? 50 + ((k + 0.6 * random.uniform()) * (HEIGHT - 60)) / count
        : 40 + (HEIGHT - 90) * random.uniform();
    return DRAW[card.shape](x, y, size, inks[random.below(4)], random.uniform());
  });
  const half = <g fill-opacity="0.92">{parts}</g>;
  return (
    <svg class="poster" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={described(card)}>
      <rect width={WIDTH} height={HEIGHT} fill={(card.dark ? DARK_PAPER : LIGHT_PAPER)[card.palette]} />
      {half}
      {card.mirrored && <g transform={`translate(${WIDTH},0) scale(-1,1)`}>{half}</g>}
    </svg>
  );
}

/** What is to be seen, for those who do not see it. */
export function described({ shape, palette, busy, dark, mirrored }: Card): string {
  const fullness = busy < 0.34 ? "calm" : busy < 0.67 ? "fairly full" : "busy";
  return `A ${fullness} poster of ${shape} in the colours of ${palette}, on ${dark ? "dark" : "light"} paper${mirrored ? ", mirrored" : ""}`;
}
