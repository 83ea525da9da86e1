/** What a world is unless it says otherwise; the experiment's 300 rounds go with it. */
export const BASE = { kind: "clusters", peers: 40, clusters: 4, dimension: 10, arms: 10, noise: 0.5 };

/** For clicks, which have no noise. */
export const { noise: _noise, ...SILENT } = BASE;

/** For catalogues, which say themselves how many arms there are. */
export const { arms: _arms, ...UNARMED } = BASE;

/** One peer alone. A policy that shares has nobody to share with, and a centre sees no more than the peer itself. */
export const ALONE = { peers: 1, clusters: 1, policies: ["kindred", "solo"] };

/** Nobody is like another: there is nothing for an oracle to tell. */
export const ALL_DIFFER = {
  clusters: BASE.peers,
  policies: ["kindred", "solo", "pooled", "club 0.7", "club 1", "club 1.5", "club 2", "dccb"],
};
