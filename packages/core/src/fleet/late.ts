import { whole } from "../options.ts";

interface Waiting {
  readonly due: number;
  readonly arm: Float64Array;
  readonly reward: number;
}

/** Rewards on their way: each reaches its peer a number of rounds after the choice, or as soon as the peer is back. */
export class Late {
  readonly #waiting: Waiting[][];

  constructor(
    readonly rounds: number,
    peers: number,
  ) {
    whole("late", rounds, 0);
    this.#waiting = Array.from({ length: rounds === 0 ? 0 : peers }, () => []);
  }

  get any(): boolean {
    return this.rounds > 0;
  }

  /** Keeps a copy of the arm and its reward, of a choice made in `round`. */
  hold(peer: number, round: number, arm: Float64Array, reward: number): void {
    this.#waiting[peer]!.push({ due: round + this.rounds, arm: arm.slice(), reward });
  }

  /** Hands over what has arrived by `round`, oldest first. */
  deliver(peer: number, round: number, take: (arm: Float64Array, reward: number) => void): void {
    const waiting = this.#waiting[peer]!;
    while (waiting.length > 0 && waiting[0]!.due <= round) {
      const { arm, reward } = waiting.shift()!;
      take(arm, reward);
    }
  }

  /** Whoever they were for is gone. */
  drop(peer: number): void {
    if (this.any) this.#waiting[peer] = [];
  }
}
