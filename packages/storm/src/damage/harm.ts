import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Random } from "@coterie/core";

export const HARMS = ["zeroed", "cut", "deleted", "swapped", "stale"] as const;

/** One damage to one file, or to two that are swapped. */
export type Harm =
  | { readonly kind: "zeroed"; readonly file: string; readonly offset: number; readonly length: number }
  | { readonly kind: "cut"; readonly file: string; readonly length: number }
  | { readonly kind: "deleted"; readonly file: string }
  | { readonly kind: "swapped"; readonly file: string; readonly other: string }
  /** As it was some time ago, or as another file was then. */
  | { readonly kind: "stale"; readonly file: string; readonly other: string };

/** Zeroed blocks are from 1 byte to 64 kB long, each power of two as likely. */
const MOST_BITS = 17;

/** Every file under a folder. */
export function filesUnder(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  return found.map((it) => relative(folder, join(it.parentPath, it.name))).sort();
}

/** What the seed does to a store in `folder`, of which `earlier` is a copy of some time ago. */
export function drawHarm(seed: number, folder: string, earlier: string): Harm {
  const random = Random.seeded(seed).fork("damage");
  const files = filesUnder(folder);
  const pick = (from: readonly string[]): string => from[random.below(from.length)]!;
  const file = pick(files);
  const size = readFileSync(join(folder, file)).length;
  const kind = HARMS[seed % HARMS.length]!;
  switch (kind) {
    case "zeroed": {
      const offset = random.below(Math.max(1, size));
      return { kind, file, offset, length: Math.min(2 ** random.below(MOST_BITS), size - offset) };
    }
    case "cut":
      return { kind, file, length: random.below(Math.max(1, size)) };
    case "deleted":
      return { kind, file };
    case "swapped":
      return { kind, file, other: pick(files.filter((it) => it !== file)) };
    case "stale": {
      const old = filesUnder(earlier);
      return { kind, file, other: old.includes(file) ? file : pick(old) };
    }
  }
}

export function doHarm(harm: Harm, folder: string, earlier: string): void {
  const file = join(folder, harm.file);
  switch (harm.kind) {
    case "zeroed":
      writeFileSync(file, readFileSync(file).fill(0, harm.offset, harm.offset + harm.length));
      return;
    case "cut":
      truncateSync(file, harm.length);
      return;
    case "deleted":
      rmSync(file);
      return;
    case "swapped":
      renameSync(file, `${file}.aside`);
      renameSync(join(folder, harm.other), file);
      renameSync(`${file}.aside`, join(folder, harm.other));
      return;
    case "stale":
      copyFileSync(join(earlier, harm.other), file);
  }
}
