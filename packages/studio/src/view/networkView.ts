import { type Beat, eachRow } from "../feed/format.ts";
import { UNANSWERED } from "../model/network.ts";
import type { Ink } from "./ink.ts";
import { APART, type Layout, layoutOf } from "./layout.ts";
import type { Picture } from "./picture.ts";
import { drawStill } from "./still.ts";

interface Flash {
  readonly from: number;
  readonly to: number;
  readonly outcome: number;
  readonly at: number;
}

const FLASH_MS = 700;
const MOST_FLASHES = 300;
/** Flashes fade in so many steps; those of one step are one stroke. */
const STEPS = 6;
/** Part of the way to its place that a peer goes in one frame of 16 ms. */
const EASE = 0.12;

/** Draws the network on a canvas. Draws only while something moves, so a quiet network costs nothing. */
export class NetworkView {
  readonly #canvas: HTMLCanvasElement;
  readonly #ctx: CanvasRenderingContext2D;
  #picture: Picture | null = null;
  #layout: Layout | null = null;
  #x = new Float32Array(0);
  #y = new Float32Array(0);
  #flashes: Flash[] = [];
  /** All that stands still, drawn once: while nobody moves a frame is one copy and the flashes. */
  readonly #still = document.createElement("canvas");
  #stale = true;
  #ink: Ink;
  #selected: number | null = null;
  #hovered: number | null = null;
  #frame = 0;
  #last = 0;
  #width = 0;
  #height = 0;
  /** Whoever asked their system for less motion sees peers at their places at once, and exchanges whole. */
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** Frames drawn, for who measures. */
  frames = 0;

  constructor(canvas: HTMLCanvasElement, ink: Ink) {
    const ctx = canvas.getContext("2d");
    if (ctx === null) throw new Error("this browser draws no canvas");
    this.#canvas = canvas;
    this.#ctx = ctx;
    this.#ink = ink;
  }

  show(picture: Picture): void {
    const before = this.#x.length;
    this.#picture = picture;
    this.#layout = layoutOf(picture.model, picture.groups);
    const { x, y } = this.#layout;
    if (x.length !== before) {
      const [olderX, olderY] = [this.#x, this.#y];
      // Whoever is new begins in the middle.
      this.#x = new Float32Array(x.length);
      this.#y = new Float32Array(y.length);
      if (before > 0 && before < x.length) {
        this.#x.set(olderX);
        this.#y.set(olderY);
      } else {
        this.#x.set(x);
        this.#y.set(y);
      }
    }
    this.#redraw();
  }

  /** Lets the exchanges of a beat flash by, over `spanMs`. */
  flash(beat: Beat, spanMs: number): void {
    const rows = beat.met?.length ?? 0;
    const now = performance.now();
    eachRow(beat, "met", (row, at) => {
      if (this.#flashes.length > MOST_FLASHES) return;
      this.#flashes.push({ from: row[at], to: row[at + 1], outcome: row[at + 2], at: now + (spanMs * at) / rows });
    });
    this.wake();
  }

  select(peer: number | null): void {
    this.#selected = peer;
    this.#redraw();
  }

  hover(peer: number | null): void {
    if (peer === this.#hovered) return;
    this.#hovered = peer;
    this.#redraw();
  }

  recolour(ink: Ink): void {
    this.#ink = ink;
    this.#redraw();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.#width = clientWidth;
    this.#height = clientHeight;
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    this.#ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#redraw();
  }

  /** The peer at a point of the canvas, or null. */
  peerAt(px: number, py: number): number | null {
    const model = this.#picture?.model;
    if (model === undefined) return null;
    let [nearest, best] = [null as number | null, 18 * 18];
    for (let peer = 0; peer < this.#x.length; peer++) {
      if (model.peers[peer] === undefined) continue;
      const [dx, dy] = [this.#px(peer) - px, this.#py(peer) - py];
      const square = dx * dx + dy * dy;
      if (square < best) [nearest, best] = [peer, square];
    }
    return nearest;
  }

  /** Where a peer is on the canvas. */
  place(peer: number): { x: number; y: number } {
    return { x: this.#px(peer), y: this.#py(peer) };
  }

  get size(): { width: number; height: number } {
    return { width: this.#width, height: this.#height };
  }

  get picture(): Picture | null {
    return this.#picture;
  }

  get radius(): number {
    const spacing = (this.#layout?.spacing ?? 0) * this.#scale;
    return Math.max(1.5, Math.min(9, spacing * 0.32));
  }

  /** Something that stands still has changed. */
  #redraw(): void {
    this.#stale = true;
    this.wake();
  }

  wake(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#draw);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
  }

  get #scale(): number {
    return Math.min(this.#width / (this.#picture?.model.cut == null ? 2 : 2 + 2 * APART), this.#height / 2) * 0.94;
  }

  /** A wide stage is used, up to a point. */
  get #stretch(): number {
    if (this.#picture?.model.cut != null) return 1;
    return Math.max(1, Math.min(1.35, this.#width / Math.max(1, this.#height)));
  }

  #px(peer: number): number {
    return this.#width / 2 + this.#x[peer] * this.#scale * this.#stretch;
  }

  #py(peer: number): number {
    return this.#height / 2 + this.#y[peer] * this.#scale;
  }

  readonly #draw = (now: number): void => {
    this.#frame = 0;
    if (this.#picture === null || this.#layout === null || this.#width * this.#height === 0) return;
    this.frames += 1;
    const moving = this.#move(now);
    if (moving || this.#stale) this.#drawStill(this.#picture, moving);
    this.#stale = moving;
    const ctx = this.#ctx;
    ctx.clearRect(0, 0, this.#width, this.#height);
    ctx.drawImage(this.#still, 0, 0, this.#width, this.#height);
    this.#drawFlashes(now);
    if (moving || this.#flashes.length > 0) this.wake();
  };

  /** Draws what stands still on a canvas of its own. */
  #drawStill(picture: Picture, moving: boolean): void {
    const ctx = this.#still.getContext("2d");
    if (ctx === null) return;
    if (this.#still.width !== this.#canvas.width || this.#still.height !== this.#canvas.height) {
      this.#still.width = this.#canvas.width;
      this.#still.height = this.#canvas.height;
    }
    ctx.setTransform(this.#ctx.getTransform());
    drawStill(ctx, {
      picture,
      moving,
      ink: this.#ink,
      width: this.#width,
      height: this.#height,
      radius: this.radius,
      marked: [this.#selected, this.#hovered],
      px: (peer) => this.#px(peer),
      py: (peer) => this.#py(peer),
    });
  }

  #move(now: number): boolean {
    const { x, y } = this.#layout!;
    const passed = Math.min(100, now - this.#last);
    this.#last = now;
    const part = this.#calm.matches ? 1 : 1 - (1 - EASE) ** (passed / 16);
    const close = 0.4 / this.#scale;
    let moving = false;
    for (let peer = 0; peer < x.length; peer++) {
      const [dx, dy] = [x[peer] - this.#x[peer], y[peer] - this.#y[peer]];
      if (Math.abs(dx) < close && Math.abs(dy) < close) continue;
      this.#x[peer] += dx * part;
      this.#y[peer] += dy * part;
      moving = true;
    }
    return moving;
  }

  #drawFlashes(now: number): void {
    const ctx = this.#ctx;
    this.#flashes = this.#flashes.filter(({ at }) => now - at < FLASH_MS);
    const strokes = new Map<number, Path2D>();
    for (const { from, to, outcome, at } of this.#flashes) {
      const age = (now - at) / FLASH_MS;
      if (age < 0 || from >= this.#x.length || to >= this.#x.length) continue;
      const kind = outcome >= UNANSWERED ? 2 : outcome === 0 ? 0 : 1;
      const key = kind * STEPS + Math.floor(age * STEPS);
      const path = strokes.get(key) ?? new Path2D();
      strokes.set(key, path);
      // It travels, and is there before half of its time.
      const way = this.#calm.matches ? 1 : Math.min(1, age * 2.5);
      const [x, y] = [this.#px(from), this.#py(from)];
      path.moveTo(x, y);
      path.lineTo(x + way * (this.#px(to) - x), y + way * (this.#py(to) - y));
    }
    for (const [key, path] of strokes) {
      const kind = Math.floor(key / STEPS);
      ctx.strokeStyle = [this.#ink.accent, this.#ink.muted, this.#ink.bad][kind];
      ctx.globalAlpha = (kind === 1 ? 0.4 : 0.9) * (1 - (key % STEPS) / STEPS);
      ctx.lineWidth = kind === 0 ? 2 : 1.25;
      ctx.setLineDash(kind === 2 ? [4, 4] : []);
      ctx.stroke(path);
    }
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }
}
