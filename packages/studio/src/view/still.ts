import type { Ink } from "./ink.ts";
import { ALONE, type GroupStyle, markPath } from "./looks.ts";
import { MOST_IN_GRAPH, type Picture } from "./picture.ts";

/** What there is to draw, and where. */
export interface Scene {
  readonly picture: Picture;
  readonly ink: Ink;
  readonly width: number;
  readonly height: number;
  /** Of a peer's mark. */
  readonly radius: number;
  /** Peers are on their way to their places. */
  readonly moving: boolean;
  /** Those with a ring about them: chosen, or pointed at. */
  readonly marked: readonly (number | null)[];
  px(peer: number): number;
  py(peer: number): number;
}

/** Ends of ties that are drawn while peers move. */
const MOST_MOVING = 4000;
/** Names are shown for so many at most. */
const MOST_NAMES = 60;
/** Who left is still shown, as a cross, for so long. */
const GONE_MS = 20_000;

/** Draws all that stands still: everything but the exchanges that flash by. */
export function drawStill(ctx: CanvasRenderingContext2D, scene: Scene): void {
  ctx.clearRect(0, 0, scene.width, scene.height);
  drawCut(ctx, scene);
  // Thousands of ties cost too much to be drawn on the move; they are back when all have arrived.
  if (!scene.moving || scene.picture.lines.length < MOST_MOVING) drawLines(ctx, scene);
  drawPeers(ctx, scene);
  drawNames(ctx, scene);
}

function drawCut(ctx: CanvasRenderingContext2D, scene: Scene): void {
  if (scene.picture.model.cut === null) return;
  ctx.strokeStyle = scene.ink.bad;
  ctx.lineWidth = 2;
  ctx.setLineDash([8, 8]);
  ctx.beginPath();
  ctx.moveTo(scene.width / 2, 16);
  ctx.lineTo(scene.width / 2, scene.height - 16);
  ctx.stroke();
  ctx.setLineDash([]);
}

function drawLines(ctx: CanvasRenderingContext2D, scene: Scene): void {
  const { lines } = scene.picture;
  ctx.strokeStyle = scene.ink.line;
  ctx.globalAlpha = lines.length > 1000 ? 0.35 : 0.7;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let k = 0; k < lines.length; k += 2) {
    ctx.moveTo(scene.px(lines[k]), scene.py(lines[k]));
    ctx.lineTo(scene.px(lines[k + 1]), scene.py(lines[k + 1]));
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** One path per look: a thousand peers are then a handful of fills. */
function drawPeers(ctx: CanvasRenderingContext2D, scene: Scene): void {
  const { model, groups, looks } = scene.picture;
  const radius = scene.radius;
  const dots = model.peers.length > MOST_IN_GRAPH;
  const byLook = new Map<GroupStyle, number[]>();
  const gone: number[] = [];
  for (let peer = 0; peer < model.peers.length; peer++) {
    if (model.peers[peer] === undefined) continue;
    if (!model.isPresent(peer)) {
      if (model.at - model.value(peer, "leftAt") < GONE_MS) gone.push(peer);
      continue;
    }
    const look = looks.get(groups.of[peer]) ?? ALONE;
    const those = byLook.get(look);
    if (those === undefined) byLook.set(look, [peer]);
    else those.push(peer);
  }
  for (const [look, those] of byLook) {
    ctx.fillStyle = look.colour < 0 ? scene.ink.muted : scene.ink.series[look.colour];
    ctx.beginPath();
    for (const peer of those) {
      const [x, y] = [scene.px(peer), scene.py(peer)];
      if (dots) ctx.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      else markPath(ctx, look.mark, x, y, radius);
    }
    ctx.fill();
  }
  drawGone(ctx, scene, gone, radius);
  drawRings(ctx, scene, radius);
}

function drawGone(ctx: CanvasRenderingContext2D, scene: Scene, gone: readonly number[], radius: number): void {
  ctx.strokeStyle = scene.ink.bad;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (const peer of gone) {
    const [x, y] = [scene.px(peer), scene.py(peer)];
    ctx.moveTo(x - radius, y - radius);
    ctx.lineTo(x + radius, y + radius);
    ctx.moveTo(x + radius, y - radius);
    ctx.lineTo(x - radius, y + radius);
  }
  ctx.stroke();
}

function drawRings(ctx: CanvasRenderingContext2D, scene: Scene, radius: number): void {
  const { model } = scene.picture;
  const lies = model.column("lies");
  ctx.lineWidth = 2;
  ctx.strokeStyle = scene.ink.bad;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  for (let peer = 0; peer < model.peers.length; peer++) {
    if (lies[peer] !== 1 || !model.isPresent(peer)) continue;
    ctx.moveTo(scene.px(peer) + radius + 5, scene.py(peer));
    ctx.arc(scene.px(peer), scene.py(peer), radius + 5, 0, 2 * Math.PI);
  }
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.strokeStyle = scene.ink.ink;
  for (const peer of scene.marked) {
    if (peer === null || peer >= scene.picture.model.peers.length) continue;
    ctx.beginPath();
    ctx.arc(scene.px(peer), scene.py(peer), radius + 4, 0, 2 * Math.PI);
    ctx.stroke();
  }
}

/** Names below their marks, as many as fit: those marked first, none over another name or mark. */
function drawNames(ctx: CanvasRenderingContext2D, scene: Scene): void {
  const { model } = scene.picture;
  if (model.present > MOST_NAMES) return;
  ctx.font = scene.ink.font;
  ctx.fillStyle = scene.ink.muted;
  ctx.textAlign = "center";
  const { radius } = scene;
  const there = model.peers.filter(({ peer }) => model.isPresent(peer));
  const taken = new Map(
    there.map(({ peer }): [number, Box] => {
      const [x, y] = [scene.px(peer), scene.py(peer)];
      return [peer, { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }];
    }),
  );
  const names: Box[] = [];
  const first = (peer: number): number => (scene.marked.includes(peer) ? 0 : 1);
  for (const { peer, name } of [...there].sort((a, b) => first(a.peer) - first(b.peer))) {
    const half = ctx.measureText(name).width / 2;
    // Whoever stands at the edge keeps its whole name.
    const x = Math.max(half + 2, Math.min(scene.width - half - 2, scene.px(peer)));
    const y = scene.py(peer) + radius + 14;
    const box = { left: x - half, right: x + half, top: y - 10, bottom: y + 2 };
    const covers =
      names.some((other) => overlap(box, other)) ||
      [...taken].some(([other, mark]) => other !== peer && overlap(box, mark));
    // Who is chosen is named whatever it covers.
    if (covers && first(peer) === 1) continue;
    names.push(box);
    ctx.fillText(name, x, y);
  }
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
