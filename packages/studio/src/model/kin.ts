import { Truth } from "./groups.ts";
import type { NetworkModel } from "./network.ts";

/** How far peers have found their kind, where the truth is known. Nobody is both settled and mistaken; the others seek. */
export interface KinCount {
  /** Peers of a known kind that tell the truth. */
  readonly known: number;
  /** Those that pool with some of their kind, which pool with them too, and with nobody else. */
  readonly settled: number;
  /** Those with somebody in the pool who is of another kind, or lies. */
  readonly mistaken: number;
}

export function countKin(model: NetworkModel, truth = new Truth(model)): KinCount {
  let [known, settled, mistaken] = [0, 0, 0];
  for (let peer = 0; peer < model.peers.length; peer++) {
    const wrong = model.isPresent(peer) && model.value(peer, "lies") === 0 ? truth.misplaced(peer) : null;
    if (wrong === null) continue;
    known += 1;
    if (wrong.strange > 0) mistaken += 1;
    else if (wrong.mutual > 0) settled += 1;
  }
  return { known, settled, mistaken };
}

/** Peers that tell the truth and pool with `liar`, in rising order. */
export function believersOf(model: NetworkModel, liar: number): number[] {
  const those: number[] = [];
  for (let peer = 0; peer < model.peers.length; peer++) {
    if (peer === liar || !model.isPresent(peer) || model.value(peer, "lies") === 1) continue;
    if (model.pool(peer).includes(liar)) those.push(peer);
  }
  return those;
}
