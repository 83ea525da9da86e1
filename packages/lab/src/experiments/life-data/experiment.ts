import type { BuiltIn } from "../builtIn.ts";
import { LASTFM, MOVIELENS } from "../kindred/baselines.ts";
import { figures } from "./figure.ts";
import { lifeDataTable } from "./table.ts";

const radius = (alpha: number): object => ({ kind: "practical", alpha });

/** A baseline with every radius, to be tuned in hindsight. */
const byRadius = (kind: string): object[] =>
  [0, 0.1, 0.3, 1].map((alpha) => ({ kind, name: `${kind}, α ${alpha}`, radius: radius(alpha) }));

const clubs = [0.7, 1, 1.5, 2].flatMap((factor) =>
  [0.1, 0.3].map((alpha) => ({
    kind: "club",
    name: `club ${factor}, α ${alpha}`,
    radius: radius(alpha),
    threshold: { kind: "practical", factor },
  })),
);

const inTime = (name: string, world: object): object => ({ ...world, name, order: "time" });

export const lifeData: BuiltIn = {
  name: "life-data",
  title: "Kindred on MovieLens and Last.fm in the order of time, beside tuned baselines (half an hour)",
  document: {
    name: "life-data",
    worlds: [inTime("MovieLens in time", MOVIELENS), inTime("Last.fm in time", LASTFM)],
    policies: [{ kind: "kindred" }, ...byRadius("solo"), ...byRadius("pooled"), ...clubs],
    rounds: 500,
    seeds: Array.from({ length: 8 }, (_, k) => 101 + k),
    checkpoints: 50,
  },
  figures,
  table: lifeDataTable,
};
