/** Counts, over the last tenth of a run's rounds, how often each peer chose each item of a menu that stays. */
export class Stuck {
  /** [peer][arm]. */
  readonly #counts: Uint32Array;
  readonly #from: number;

  constructor(
    peers: number,
    readonly arms: number,
    rounds: number,
  ) {
    this.#counts = new Uint32Array(peers * arms);
    this.#from = rounds - Math.ceil(rounds / 10);
  }

  count(peer: number, arm: number, round: number): void {
    if (round > this.#from) this.#counts[peer * this.arms + arm]! += 1;
  }

  /** How many peers chose most often an arm that is worse than another; whoever chose nothing is not stuck. */
  peers(worse: (peer: number, arm: number) => boolean): number {
    let stuck = 0;
    for (let from = 0, peer = 0; from < this.#counts.length; from += this.arms, peer++) {
      const counts = this.#counts.subarray(from, from + this.arms);
      const most = counts.reduce((largest, count) => Math.max(largest, count), 0);
      if (most > 0 && worse(peer, counts.indexOf(most))) stuck += 1;
    }
    return stuck;
  }
}
