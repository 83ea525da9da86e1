import type { Random } from "@coterie/core";
import { SphereDrawing } from "./drawing.ts";

/** What a process may hold of the turns of one world. */
const MOST_BYTES = 64 * 2 ** 20;

/** The turns of a world of one seed, as they were drawn for the first policy that played it. */
export class DrawnTurns {
  readonly turns: Float64Array[] = [];

  constructor(readonly name: string) {}
}

/**
 * A drawing that several policies play one after another: it draws each turn for the first of them, and copies it for the others.
 * To copy numbers takes a tenth of what it takes to draw them.
 */
export class RememberedDrawing {
  readonly #drawing: SphereDrawing;
  readonly #drawn: DrawnTurns;
  #turn = 0;

  constructor(drawing: SphereDrawing, drawn: DrawnTurns) {
    this.#drawing = drawing;
    this.#drawn = drawn;
  }

  /** The same where all turns fit into what a process may hold, else the drawing itself. */
  static of(
    drawn: DrawnTurns,
    turns: number,
    ...size: Parameters<typeof SphereDrawing.of>
  ): SphereDrawing | RememberedDrawing | null {
    const drawing = SphereDrawing.of(...size);
    return drawing === null || turns * drawing.turn.byteLength > MOST_BYTES
      ? drawing
      : new RememberedDrawing(drawing, drawn);
  }

  get arms(): SphereDrawing["arms"] {
    return this.#drawing.arms;
  }

  get means(): Float64Array {
    return this.#drawing.means;
  }

  get payments(): Float64Array {
    return this.#drawing.payments;
  }

  drawArms(random: Random, thetas: Float64Array): void {
    const known = this.#drawn.turns[this.#turn];
    if (known === undefined) this.#drawing.drawArms(random, thetas);
    else this.#drawing.turn.set(known);
  }

  /** The end of a turn. */
  drawNoise(random: Random, noise: number): void {
    const { turns } = this.#drawn;
    if (turns[this.#turn] === undefined) {
      this.#drawing.drawNoise(random, noise);
      turns.push(this.#drawing.turn.slice());
    }
    this.#turn += 1;
  }
}
