import type * as Plot from "@observablehq/plot";

/** Observable Plot outside a browser. It is loaded when a figure is first drawn, for it is larger than all the rest. */

type Plotting = typeof Plot;

let loaded: Promise<Plotting> | null = null;

export function plotting(): Promise<Plotting> {
  loaded ??= import("@observablehq/plot");
  return loaded;
}

/** What a drawn plot is asked for; Plot's own types need those of a browser. */
interface Drawn {
  readonly innerHTML: string;
  scale(name: string): { apply(value: number | string): number } | undefined;
  querySelector(selector: string): { remove(): void } | null;
}

export interface Drawing {
  /** Everything inside the plot's own `<svg>`. */
  readonly markup: string;
  /** Where a value lies, in pixels. */
  readonly place: (scale: "x" | "y", value: number | string) => number;
}

/** Plots, and takes the figure out of its frame so that several can be put together in one. */
export async function drawingOf(plot: Plotting, options: Plot.PlotOptions): Promise<Drawing> {
  const { parseHTML } = await import("linkedom");
  const { document } = parseHTML("<html><body></body></html>");
  const drawn = plot.plot({ ...options, document } as Plot.PlotOptions) as unknown as Drawn;
  drawn.querySelector("style")?.remove();
  const scales = { x: drawn.scale("x"), y: drawn.scale("y") };
  return {
    markup: shortened(drawn.innerHTML),
    place: (scale, value) => scales[scale]?.apply(value) ?? 0,
  };
}

/** A hundredth of a pixel is enough: within tags, where numbers are places. Text says what it says. */
const shortened = (markup: string): string =>
  markup.replace(/<[^>]*>/g, (tag) =>
    tag.replace(/-?\d+\.\d{3,}/g, (digits) => `${Math.round(Number(digits) * 100) / 100}`),
  );
