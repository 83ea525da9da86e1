import { painted } from "./style.ts";

/** Dots of a braille character, by row (four) and column (two). */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
];

/** A grid of characters that lines are drawn on: braille in colour, else one letter for each series. */
export class Canvas {
  readonly #dots: Uint8Array;
  readonly #series: Int16Array;

  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {
    this.#dots = new Uint8Array(columns * rows);
    this.#series = new Int16Array(columns * rows).fill(-1);
  }

  /** A straight line between two places given as shares of the canvas, (0, 0) at the lower left. */
  line(series: number, fromX: number, fromY: number, toX: number, toY: number): void {
    const [wide, high] = [this.columns * 2 - 1, this.rows * 4 - 1];
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(toX - fromX) * wide, Math.abs(toY - fromY) * high)));
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const x = Math.round((fromX + (toX - fromX) * share) * wide);
      const y = Math.round((1 - (fromY + (toY - fromY) * share)) * high);
      this.#dot(series, x, y);
    }
  }

  #dot(series: number, x: number, y: number): void {
    const place = (y >> 2) * this.columns + (x >> 1);
    this.#dots[place]! |= DOTS[y & 3]![x & 1]!;
    this.#series[place] = series;
  }

  /** One line of text. */
  row(row: number, colour: boolean): string {
    let text = "";
    for (let column = 0; column < this.columns; column++) {
      const place = row * this.columns + column;
      const series = this.#series[place]!;
      if (series < 0) text += " ";
      else if (colour) text += painted(String.fromCharCode(0x2800 + this.#dots[place]!), series, true);
      else text += letterOf(series);
    }
    return text;
  }
}

/** a to z, then A to Z. */
export const letterOf = (series: number): string => {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return letters[series % letters.length]!;
};
