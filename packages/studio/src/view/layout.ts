import type { Groups } from "../model/groups.ts";
import type { NetworkModel } from "../model/network.ts";

/** Where peers belong in the picture: x, y of each, in a square of side 2 about the middle. */
export interface Layout {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** How far apart neighbours are. */
  readonly spacing: number;
}

/** The angle of a sunflower's seeds: points spread evenly over a disc, however many there are. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
/** Of the picture's half side that a lone group may fill. */
const FILL = 0.92;

/** How far from the middle each half of a cut network has its own. */
export const APART = 1.08;

interface Disc {
  readonly members: readonly number[];
  radius: number;
  x: number;
  y: number;
}

/**
 * Groups are discs of peers, round a ring in the order of their names, so that a group stays where it is while others
 * change; those who pool with nobody are in the middle. While the network is cut each side has a half of the picture.
 */
export function layoutOf(model: NetworkModel, groups: Groups): Layout {
  const count = model.peers.length;
  const layout = { x: new Float32Array(count), y: new Float32Array(count), spacing: 0 };
  const { cut } = model;
  if (cut === null)
    return place(
      layout,
      discsOf(model, groups, () => true),
      0,
      1,
    );
  place(
    layout,
    discsOf(model, groups, (peer) => !cut.has(peer)),
    -APART,
    1,
  );
  return place(
    layout,
    discsOf(model, groups, (peer) => cut.has(peer)),
    APART,
    1,
  );
}

function discsOf(model: NetworkModel, groups: Groups, here: (peer: number) => boolean): { discs: Disc[]; lone: Disc } {
  const disc = (members: readonly number[]): Disc => ({ members, radius: Math.sqrt(members.length), x: 0, y: 0 });
  const discs = groups.list.map((group) => disc(group.filter(here))).filter(({ members }) => members.length > 0);
  const lone: number[] = [];
  for (let peer = 0; peer < model.peers.length; peer++) {
    if (model.peers[peer] !== undefined && groups.of[peer] < 0 && here(peer)) lone.push(peer);
  }
  return { discs, lone: disc(lone) };
}

function place(
  layout: { x: Float32Array; y: Float32Array; spacing: number },
  { discs, lone }: { discs: Disc[]; lone: Disc },
  centre: number,
  size: number,
): Layout {
  const ring = ringOf(discs, lone.radius);
  const scale = (FILL * size) / Math.max(1.6, ring);
  for (const { members, x, y, radius } of [...discs, lone]) {
    members.forEach((peer, k) => {
      const r = members.length === 1 ? 0 : radius * Math.sqrt((k + 0.5) / members.length);
      layout.x[peer] = centre + scale * (x + r * Math.cos(k * GOLDEN));
      layout.y[peer] = scale * (y + r * Math.sin(k * GOLDEN));
    });
  }
  layout.spacing = scale * 1.6;
  return layout;
}

/** Puts the discs round the middle, each with an arc as wide as it is; returns how far all of it reaches. */
function ringOf(discs: Disc[], inner: number): number {
  if (discs.length === 0) return inner;
  if (discs.length === 1 && inner < 0.5) return discs[0].radius;
  const gap = 1;
  const largest = Math.max(...discs.map(({ radius }) => radius));
  const around = discs.reduce((sum, { radius }) => sum + 2 * radius + gap, 0);
  const least =
    discs.length === 1 ? inner + largest + gap : (largest + gap / 2) / Math.sin(Math.PI / Math.max(2, discs.length));
  const ring = Math.max(around / (2 * Math.PI), inner + (inner > 0 ? largest + gap : 0), Math.min(least, around / 2));
  let angle = -Math.PI / 2 - discs[0].radius / ring;
  for (const disc of discs) {
    const half = ((2 * disc.radius + gap) / around) * Math.PI;
    angle += half;
    disc.x = ring * Math.cos(angle);
    disc.y = ring * Math.sin(angle);
    angle += half;
  }
  return ring + largest;
}
