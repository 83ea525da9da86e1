import { TRACKING } from "./growth.ts";

/** The paper's appendix table as exponents, logarithms left out. */

export type Quantity =
  | "regret by peers"
  | "late regret by peers"
  | "regret by rounds"
  | "bytes by peers"
  | "bytes by rounds";

interface Exponents {
  readonly regretByPeers: number;
  readonly regretByRounds: number;
  readonly bytesByPeers: number | null;
  readonly bytesByRounds: number | null;
}

/**
 * CB-NoSharing O(|V|√t), 0; CB-InstSharing O(√(|V|t)), O(d|V|²); DCB O(√(|V|t)), O(log2(|V|t) d²|V|); DCCB O(√(|U^k|t))
 * for a cluster, so √|V| for a fixed number of clusters of equal size, O(log2(|V|t) d²|V|). Bytes are per round.
 * Tracking who knows what: "per round communication complexity of order |V|²".
 */
const PAPER: Readonly<Record<string, Exponents>> = {
  solo: { regretByPeers: 1, regretByRounds: 0.5, bytesByPeers: null, bytesByRounds: null },
  pooled: { regretByPeers: 0.5, regretByRounds: 0.5, bytesByPeers: 2, bytesByRounds: 0 },
  dcb: { regretByPeers: 0.5, regretByRounds: 0.5, bytesByPeers: 1, bytesByRounds: 0 },
  dccb: { regretByPeers: 0.5, regretByRounds: 0.5, bytesByPeers: 1, bytesByRounds: 0 },
};

/** Whether a row of the table is about peers of one taste only: DCB and CB-InstSharing take all for their own kind. */
const COMMON: ReadonlySet<string> = new Set(["pooled", "dcb"]);

/** Null where the table says nothing. */
export function paperExponent(quantity: Quantity, policy: string, oneTaste: boolean): number | null {
  if (policy === TRACKING) return quantity === "bytes by peers" ? 2 : null;
  const paper = PAPER[policy];
  if (paper === undefined) return null;
  if (quantity === "bytes by peers") return paper.bytesByPeers;
  if (quantity === "bytes by rounds") return paper.bytesByRounds;
  if (COMMON.has(policy) && !oneTaste) return null;
  return quantity === "regret by rounds" ? paper.regretByRounds : paper.regretByPeers;
}
