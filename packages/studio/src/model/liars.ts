import { type Beat, eachRow, REASONS } from "../feed/format.ts";
import { believersOf } from "./kin.ts";
import type { NetworkModel } from "./network.ts";
import { count, listed } from "./words.ts";

/** A peer that was made to lie, and who pooled with it then or later. */
interface Watched {
  readonly since: number;
  readonly believers: Set<number>;
  readonly aside: Set<number>;
  /** Since when nobody pools with it; null while somebody does. */
  quiet: number | null;
  /** What has been told of it: the first to set it aside, and when it was told that all have. */
  first: boolean;
  told: number;
}

/** Somebody who tries a liar again for a moment has not come to believe it: all have set it aside when that lasts. */
const LASTS_MS = 6000;
/** And it is told again only after so long. */
const AGAIN_MS = 60_000;

/** Who sets a liar aside, and how long that takes. */
export class Liars {
  readonly #watched = new Map<number, Watched>();

  push(beat: Beat, model: NetworkModel, tell: (text: string) => void, name: (peer: number) => string): void {
    for (const { what, peers } of beat.faults ?? []) {
      if (what === "truth") for (const peer of peers) this.#watched.delete(peer);
      if (what !== "lie") continue;
      for (const liar of peers) {
        const believers = new Set(believersOf(model, liar));
        this.#watched.set(liar, {
          since: beat.at,
          believers,
          aside: new Set(),
          quiet: null,
          first: false,
          told: Number.NEGATIVE_INFINITY,
        });
        tell(
          `${name(liar)} was made to lie; ${believers.size === 0 ? "nobody pools" : `${count(believers.size, "peer")} ${believers.size === 1 ? "pools" : "pool"}`} with it`,
        );
      }
    }
    if (this.#watched.size === 0) return;
    this.#follow(beat);
    for (const [liar, watched] of this.#watched) {
      if (!model.isPresent(liar)) this.#watched.delete(liar);
      else this.#report(liar, watched, beat.at, model, tell, name);
    }
  }

  #follow(beat: Beat): void {
    eachRow(beat, "pool", (rows, at) => {
      const [peer, other, pools, reason] = rows.slice(at, at + 4);
      const watched = this.#watched.get(other);
      if (watched === undefined) return;
      if (pools === 1) {
        watched.believers.add(peer);
        watched.aside.delete(peer);
        watched.quiet = null;
      } else if (REASONS[reason] === "unlike" || REASONS[reason] === "pruned") watched.aside.add(peer);
    });
  }

  #report(
    liar: number,
    watched: Watched,
    at: number,
    model: NetworkModel,
    tell: (text: string) => void,
    name: (peer: number) => string,
  ): void {
    const those = [...watched.believers].filter((peer) => model.isPresent(peer));
    const aside = those.filter((peer) => watched.aside.has(peer));
    const after = (when: number): string => `${Math.round((when - watched.since) / 1000)} s after it began to lie`;
    if (!watched.first && aside.length > 0 && aside.length < those.length) {
      watched.first = true;
      tell(
        `${listed(aside.map(name))} ${aside.length === 1 ? "is" : "are"} the first to set ${name(liar)} aside, ${after(at)}`,
      );
    }
    if (aside.length === 0 || aside.length < those.length) return;
    watched.quiet ??= at;
    if (at - watched.quiet < LASTS_MS || at - watched.told < AGAIN_MS || watched.told > watched.quiet) return;
    watched.told = at;
    watched.first = true;
    const all = aside.length === 1 ? "the one" : `all ${aside.length}`;
    tell(
      `${name(liar)} is set aside by ${all} that pooled with it, ${listed(aside.map(name))}, ${after(watched.quiet)}`,
    );
  }
}
