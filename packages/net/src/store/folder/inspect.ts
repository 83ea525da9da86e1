import { resolve } from "node:path";
import { type Summary, summarise } from "../summary.ts";
import { refused } from "./errors.ts";
import { nodeSha256 } from "./hash.ts";
import { damagedIn, homeOf } from "./layout.ts";
import { peek } from "./peek.ts";

/** What a store holds. */
export interface Inspection extends Summary {
  readonly path: string;
  /** Damaged copies that are kept in the store. */
  readonly damaged: readonly string[];
}

/** Reads a store without a trace, also while a peer runs on it. */
export async function inspect(path: string): Promise<Inspection> {
  const place = resolve(path);
  try {
    const contents = await peek(place);
    return { path: place, ...summarise(contents, nodeSha256), damaged: await damagedIn(homeOf(place)) };
  } catch (error) {
    throw refused(place, error);
  }
}
