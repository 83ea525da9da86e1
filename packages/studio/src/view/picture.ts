import type { Groups } from "../model/groups.ts";
import type { NetworkModel } from "../model/network.ts";
import type { GroupStyle } from "./looks.ts";

/** Past this many peers there are dots, and no lines between them. */
export const MOST_IN_GRAPH = 2000;
/** Lines in all; the eye sees no more. */
const MOST_LINES = 4000;

/** What the network's picture shows, apart from where things are. */
export interface Picture {
  readonly model: NetworkModel;
  readonly groups: Groups;
  readonly looks: ReadonlyMap<number, GroupStyle>;
  /** Pairs that pool with each other: a, b, a, b, … */
  readonly lines: Int32Array;
}

export function pictureOf(model: NetworkModel, groups: Groups, looks: ReadonlyMap<number, GroupStyle>): Picture {
  return { model, groups, looks, lines: linesOf(model, groups) };
}

/** Each peer's ties within its group; where there are too many, so many of each. None across a cut: nothing passes there. */
function linesOf(model: NetworkModel, groups: Groups): Int32Array {
  const count = model.peers.length;
  if (count > MOST_IN_GRAPH) return new Int32Array(0);
  const most = Math.max(1, Math.floor(MOST_LINES / Math.max(1, count)));
  const lines: number[] = [];
  const { cut } = model;
  for (let peer = 0; peer < count; peer++) {
    if (groups.of[peer] < 0) continue;
    let drawn = 0;
    for (const other of model.pool(peer)) {
      if (other <= peer || groups.of[other] !== groups.of[peer]) continue;
      if (cut !== null && cut.has(peer) !== cut.has(other)) continue;
      lines.push(peer, other);
      drawn += 1;
      if (drawn >= most) break;
    }
  }
  return Int32Array.from(lines);
}
