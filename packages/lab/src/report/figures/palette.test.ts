import { describe, expect, it } from "vitest";
import { curveStyleOf, DARK, LIGHT, withFallbacks } from "./palette.ts";

type Triple = readonly [number, number, number];

const linear = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;

const dot = (row: readonly number[], [r, g, b]: Triple): number => row[0]! * r + row[1]! * g + row[2]! * b;

/** Contrast as the accessibility guidelines define it. */
function contrast(a: string, b: string): number {
  const [x, y] = [a, b].map((hex) => dot([0.2126, 0.7152, 0.0722], linear(hex)) + 0.05) as [number, number];
  return Math.max(x, y) / Math.min(x, y);
}

/** Linear RGB as eyes without one kind of cone see it (Machado, Oliveira and Fernandes 2009). */
const EYES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Oklab, in which distances are about as large as they look. */
function oklab(colour: Triple): Triple {
  const root = (row: readonly number[]) =>
    Math.cbrt(dot(row, colour.map((value) => Math.max(0, value)) as unknown as Triple));
  const cones: Triple = [
    root([0.4122214708, 0.5363325363, 0.0514459929]),
    root([0.2119034982, 0.6806995451, 0.1073969566]),
    root([0.0883024619, 0.2817188376, 0.6299787005]),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
])("the %s palette", (_, scheme) => {
  it("stands out from the paper", () => {
    for (const colour of scheme.series) expect(contrast(colour, scheme.paper)).toBeGreaterThan(3);
    expect(contrast(scheme.ink, scheme.paper)).toBeGreaterThan(7);
    expect(contrast(scheme.muted, scheme.paper)).toBeGreaterThan(4.5);
  });

  it.each(Object.keys(EYES))("keeps any two series apart for %s", (eyes) => {
    const seen = scheme.series.map((hex) => {
      const colour = linear(hex);
      return oklab(EYES[eyes]!.map((row) => dot(row, colour)) as unknown as Triple);
    });
    for (let i = 0; i < seen.length; i++) {
      for (let j = 0; j < i; j++) {
        const distance = Math.hypot(...seen[i]!.map((value, k) => value - seen[j]![k]!));
        expect(distance, `${scheme.series[i]} and ${scheme.series[j]}`).toBeGreaterThan(0.07);
      }
    }
  });
});

describe("looks", () => {
  it("differ for 49 series, by colour and dash and by colour and shape", () => {
    const looks = Array.from({ length: 49 }, (_, index) => curveStyleOf(index));
    expect(new Set(looks.map(({ colour, dash }) => `${colour} ${dash}`)).size).toBe(49);
    expect(new Set(looks.map(({ colour, symbol }) => `${colour} ${symbol}`)).size).toBe(49);
    // The first seven differ without any colour.
    expect(new Set(looks.slice(0, 7).map(({ dash }) => dash)).size).toBe(7);
  });

  it("have a plain colour beside each variable", () => {
    expect(withFallbacks('<path fill="var(--ink)" stroke="var(--series-1)" d="M0,0"/>')).toBe(
      `<path fill="${LIGHT.ink}" stroke="${LIGHT.series[1]}" d="M0,0" style="fill:var(--ink);stroke:var(--series-1)"/>`,
    );
    expect(withFallbacks('<g fill="none">')).toBe('<g fill="none">');
  });
});
