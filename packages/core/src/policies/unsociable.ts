import { ConfigError } from "../errors.ts";
import type { Offer, Outcome } from "../peer/learner.ts";

/** The social half of a learner that meets nobody (solo, random). */
export class Unsociable {
  offer(): Offer {
    return nobody();
  }

  copyOffer(): Offer {
    return nobody();
  }

  judge(): Outcome {
    return nobody();
  }

  mix(): void {
    nobody();
  }

  mixBoth(): void {
    nobody();
  }

  part(): void {
    nobody();
  }

  near(): boolean {
    return false;
  }

  settle(): void {}
  close(_round: number): void {}
  catchUp(_round: number): void {}
  resize(_peers: number): void {}
  forget(): void {}
}

function nobody(): never {
  throw new ConfigError("meet", "a policy without exchanges", "not reach a peer that meets nobody");
}
