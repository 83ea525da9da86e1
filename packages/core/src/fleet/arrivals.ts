import { isPresent, type OfferedTurn } from "./offered.ts";

/** Who has ever been there, and who comes into a fleet in which others have begun. */
export class Arrivals {
  /** [peer]: 1 for whoever has been there. */
  readonly #came: Uint8Array;
  /** Was anybody there in a turn before? */
  #begun = false;
  readonly #newcomers: number[] = [];

  constructor(peers: number) {
    this.#came = new Uint8Array(peers);
  }

  has(peer: number): boolean {
    return this.#came[peer] === 1;
  }

  /** The peer belongs to the fleet already, wherever it is. */
  admit(peer: number): void {
    this.#came[peer] = 1;
  }

  /** A new peer takes the place. */
  renew(peer: number): void {
    this.#came[peer] = 0;
  }

  /** Notes who is there in this turn. Returns those who are there for the first time, after others; lent. */
  note(offered: OfferedTurn): readonly number[] {
    const newcomers = this.#newcomers;
    newcomers.length = 0;
    let anybody = false;
    for (let peer = 0; peer < this.#came.length; peer++) {
      if (!isPresent(offered, peer)) continue;
      anybody = true;
      if (this.#came[peer] === 1) continue;
      this.#came[peer] = 1;
      if (this.#begun) newcomers.push(peer);
    }
    if (anybody) this.#begun = true;
    return newcomers;
  }
}
