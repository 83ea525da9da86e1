import type { Groups } from "../model/groups.ts";

/** Marks tell groups apart without colour. */
export const MARKS = ["circle", "square", "triangle", "diamond", "cross"] as const;
export type GroupMark = (typeof MARKS)[number];

export interface GroupStyle {
  /** Index of a series colour; -1 for those who pool with nobody. */
  readonly colour: number;
  readonly mark: GroupMark;
}

export const ALONE: GroupStyle = { colour: -1, mark: "circle" };
const COLOURS = 7;

/** Gives each group a look, and lets it keep it while the group lasts. */
export class GroupStyles {
  readonly #slots = new Map<number, number>();

  of({ list }: Groups): ReadonlyMap<number, GroupStyle> {
    const names = new Set(list.map(([name]) => name));
    for (const name of this.#slots.keys()) if (!names.has(name)) this.#slots.delete(name);
    const looks = new Map<number, GroupStyle>();
    for (const name of names) {
      const slot = this.#slots.get(name) ?? this.#free();
      this.#slots.set(name, slot);
      looks.set(name, { colour: slot % COLOURS, mark: MARKS[(slot + Math.floor(slot / COLOURS)) % MARKS.length] });
    }
    return looks;
  }

  #free(): number {
    const taken = new Set(this.#slots.values());
    let slot = 0;
    while (taken.has(slot)) slot += 1;
    return slot;
  }
}

/** The outline of a mark of radius `r` about (x, y), on a canvas' path. */
export function markPath(
  ctx: Pick<CanvasRenderingContext2D, "moveTo" | "lineTo" | "arc" | "rect">,
  mark: GroupMark,
  x: number,
  y: number,
  r: number,
): void {
  if (mark === "circle") {
    ctx.moveTo(x + r, y);
    ctx.arc(x, y, r, 0, 2 * Math.PI);
  } else if (mark === "square") ctx.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
  else if (mark === "cross") {
    ctx.rect(x - 1.1 * r, y - 0.4 * r, 2.2 * r, 0.8 * r);
    ctx.rect(x - 0.4 * r, y - 1.1 * r, 0.8 * r, 2.2 * r);
  } else {
    for (const [k, [dx, dy]] of corners(mark).entries()) {
      if (k === 0) ctx.moveTo(x + dx * r, y + dy * r);
      else ctx.lineTo(x + dx * r, y + dy * r);
    }
  }
}

const corners = (mark: GroupMark): [number, number][] =>
  mark === "triangle"
    ? [
        [0, -1.2],
        [1.1, 0.8],
        [-1.1, 0.8],
      ]
    : [
        [0, -1.25],
        [1.15, 0],
        [0, 1.25],
        [-1.15, 0],
      ];

/** The same as an SVG path. */
export function markSvg(mark: GroupMark, x: number, y: number, r: number): string {
  const at = (value: number): string => value.toFixed(2);
  if (mark === "circle")
    return `M${at(x - r)},${at(y)}a${at(r)},${at(r)} 0 1 0 ${at(2 * r)},0a${at(r)},${at(r)} 0 1 0 ${at(-2 * r)},0Z`;
  if (mark === "square") return `M${at(x - 0.9 * r)},${at(y - 0.9 * r)}h${at(1.8 * r)}v${at(1.8 * r)}h${at(-1.8 * r)}Z`;
  if (mark === "cross") {
    const [a, b] = [1.1 * r, 0.4 * r];
    return `M${at(x - a)},${at(y - b)}h${at(2 * a)}v${at(2 * b)}h${at(-2 * a)}ZM${at(x - b)},${at(y - a)}h${at(2 * b)}v${at(2 * a)}h${at(-2 * b)}Z`;
  }
  return `M${corners(mark)
    .map(([dx, dy]) => `${at(x + dx * r)},${at(y + dy * r)}`)
    .join("L")}Z`;
}
