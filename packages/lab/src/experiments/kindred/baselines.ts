const ALPHAS = [0, 0.05, 0.1, 0.2, 0.3, 1];
const FACTORS = [0.5, 0.7, 1, 1.5, 2];

/** A baseline with every radius, to be tuned in hindsight. */
export const byRadius = (kind: string): object[] =>
  ALPHAS.map((alpha) => ({ kind, name: `${kind}, α ${alpha}`, radius: { kind: "practical", alpha } }));

/** A baseline with every radius and every threshold. */
export const byBoth = (kind: string): object[] =>
  ALPHAS.flatMap((alpha) =>
    FACTORS.map((factor) => ({
      kind,
      name: `${kind}, α ${alpha}, factor ${factor}`,
      radius: { kind: "practical", alpha },
      threshold: { kind: "practical", factor },
    })),
  );

const world = (name: string, dataset: string, peers: number): object => ({
  kind: "dataset",
  name,
  dataset,
  peers,
  dimension: 25,
  arms: 25,
});

export const LASTFM = world("Last.fm", "lastfm", 91);
export const DELICIOUS = world("Delicious", "delicious", 87);
export const MOVIELENS = world("MovieLens", "movielens", 100);
