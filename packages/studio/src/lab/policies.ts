import type { PolicyKind } from "@coterie/core/internal";

/** Each policy in a sentence or two, for who has not read the paper. */
export const ABOUT: Readonly<Record<PolicyKind, string>> = {
  random: "Chooses by chance. What all others are measured against.",
  solo: "Every peer learns alone, from its own rewards, with a confidence ball (LinUCB). Shares nothing.",
  pooled: "All rewards of all peers in one place at once, as if everybody had one taste. Needs a server.",
  oracle:
    "Knows from the start who shares a taste, and pools within it at once. Nobody can know that: it is the bound.",
  club: "A server that clusters peers as it goes: one graph, whose edges are cut when two differ (CLUB, 2014).",
  sclub: "CLUB with clusters that can also merge again (SCLUB, 2019). Needs a server.",
  cofiba: "Clusters peers and items both (COFIBA, 2016). Needs a server.",
  dcb: "The paper's first algorithm: peers gossip averages with everybody, as if all had one taste (DCB).",
  dccb: "The paper's second: gossips averages, and parts for good with those who differ (DCCB). Waits before it uses what it hears.",
  "round-robin": "The paper's appendix: observations travel along a fixed ring, each counted once.",
  kindred:
    "Coterie's default: peers pass on records of their own sums; each works out for itself who is of its kind, and can change its mind.",
};

/** The same for a name that may be none of ours. */
export const aboutPolicy = (name: string): string | null => (name in ABOUT ? ABOUT[name as PolicyKind] : null);
