/**
 * Colours of figures, for light and dark.
 *
 * Seven hues after Okabe and Ito, moved apart in lightness so that any two stay distinct to colour-blind readers and each
 * stands out from the paper in both schemes (the test measures it). Past seven, and for print without colour, lines
 * differ by their dashes and points by their shapes.
 */

export interface Scheme {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly series: readonly string[];
}

export const LIGHT: Scheme = {
  paper: "#ffffff",
  ink: "#1f2328",
  muted: "#5c636b",
  grid: "#e3e6e9",
  series: ["#1348b8", "#c0390f", "#1a8a80", "#74306e", "#cf8000", "#1f95ea", "#2b2623"],
};

export const DARK: Scheme = {
  paper: "#14171a",
  ink: "#e6e8ea",
  muted: "#a0a7ae",
  grid: "#2b3036",
  series: ["#7583ff", "#f79420", "#23945f", "#b897b4", "#ffe02e", "#bcd2ff", "#f0ffe9"],
};

/** Lengths of dashes and gaps; null is a whole line. */
const DASHES = [null, "7 3", "2 3", "9 3 2 3", "5 2", "1 4", "9 3 2 3 2 3"] as const;
const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "wye", "cross"] as const;

export interface CurveStyle {
  /** For `stroke` and `fill`. */
  readonly colour: string;
  /** Which of a scheme's series colours that is, for what is painted and not styled. */
  readonly hue: number;
  readonly dash: string | null;
  readonly symbol: (typeof SYMBOLS)[number];
}

/** How series `index` looks. The dashes shift by one each time the colours begin anew, so that 49 series differ. */
export function curveStyleOf(index: number): CurveStyle {
  const colours = LIGHT.series.length;
  const turn = Math.floor(index / colours);
  const hue = index % colours;
  return {
    colour: `var(--series-${hue})`,
    hue,
    dash: DASHES[(index + turn) % DASHES.length]!,
    symbol: SYMBOLS[(index + turn) % SYMBOLS.length]!,
  };
}

const variables = (scheme: Scheme): string =>
  [
    `--paper:${scheme.paper}`,
    `--ink:${scheme.ink}`,
    `--muted:${scheme.muted}`,
    `--grid:${scheme.grid}`,
    ...scheme.series.map((colour, index) => `--series-${index}:${colour}`),
  ].join(";");

/** Rules that give the variables their values within `selector`; paper is always printed light. */
export function schemeRules(selector: string): string {
  return (
    `${selector}{${variables(LIGHT)};color-scheme:light dark}` +
    `@media (prefers-color-scheme:dark){${selector}{${variables(DARK)}}}` +
    `@media print{${selector}{${variables(LIGHT)}}}`
  );
}

const lightValue = (name: string): string => {
  const series = /^series-(\d+)$/.exec(name);
  if (series !== null) return LIGHT.series[Number(series[1])]!;
  return LIGHT[name as "paper" | "ink" | "muted" | "grid"];
};

/**
 * Gives every attribute that names a variable its light colour, and the variable as a style beside it: programs that
 * know no CSS variables (image viewers, word processors) then show the light figure and not a black one.
 */
export function withFallbacks(markup: string): string {
  return markup.replace(/<[a-z]+\s[^>]*var\(--[^>]*>/g, (tag) => {
    const styles: string[] = [];
    const plainTag = tag.replace(
      / (fill|stroke|color)="var\(--([a-z0-9-]+)\)"/g,
      (_, attribute: string, name: string) => {
        styles.push(`${attribute}:var(--${name})`);
        return ` ${attribute}="${lightValue(name)}"`;
      },
    );
    if (styles.length === 0) return tag;
    return plainTag.replace(/\s*(\/?)>$/, (_, slash: string) => ` style="${styles.join(";")}"${slash}>`);
  });
}
