/** One kind of peers, from small rooms to large ones: all that changes is how many there are. */
export const oneKind = (sizes: readonly number[]): object[] =>
  sizes.map((peers) => ({
    kind: "clusters",
    name: `${peers} peers`,
    peers,
    clusters: 1,
    dimension: 10,
    arms: 10,
    noise: 0.5,
  }));
