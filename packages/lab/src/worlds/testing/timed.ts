import { Random } from "@coterie/core";
import type { DatasetCatalogue } from "../../data/catalogue.ts";

const ITEMS = 40;
const PEERS = 6;

/** Items on a half circle; peer p has 8 + 3p of them, at times that many share; peer p comes not before time 10p. */
export const TIMED: DatasetCatalogue = (() => {
  const random = Random.seeded(5);
  const peers = Array.from({ length: PEERS }, (_, p) => {
    const items = random
      .shuffle(Int32Array.from({ length: ITEMS }, (_, item) => item))
      .slice(0, 8 + 3 * p)
      .sort();
    return { userId: p, items, times: items.map(() => 10 * p + random.below(25)) };
  });
  const angle = (item: number): number => (Math.PI * item) / ITEMS;
  return {
    dataset: "made up",
    dimension: 2,
    itemCount: ITEMS,
    features: Float64Array.from({ length: 2 * ITEMS }, (_, i) =>
      i % 2 === 0 ? Math.cos(angle(i >> 1)) : Math.sin(angle(i >> 1)),
    ),
    itemIds: Int32Array.from({ length: ITEMS }, (_, item) => item),
    peers,
    zeroRows: 0,
    notes: [],
  };
})();
