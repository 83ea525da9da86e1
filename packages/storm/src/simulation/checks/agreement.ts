import type { DcbOffer } from "@coterie/core/internal";
import type * as parts from "@coterie/net/internal";

/** How far apart peers are on the slots of rounds up to `last`: the largest difference in any coordinate of any of them. */
export function disagreement(hosts: readonly parts.PeerHost[], last: number): { spread: number; slots: number } {
  const seen = new Map<number, { low: Float64Array; high: Float64Array; holders: number }>();
  for (const { peer } of hosts) {
    const { slots } = peer.learner.offer() as DcbOffer;
    for (let k = 0; k < slots.length; k++) {
      const round = slots.newestRound - (slots.length - 1 - k);
      if (round > last) continue;
      const values = slots.values.subarray(slots.offset(k), slots.offset(k) + slots.size);
      const known = seen.get(round);
      if (known === undefined) seen.set(round, { low: values.slice(), high: values.slice(), holders: 1 });
      else {
        known.holders += 1;
        values.forEach((value, i) => {
          known.low[i] = Math.min(known.low[i]!, value);
          known.high[i] = Math.max(known.high[i]!, value);
        });
      }
    }
  }
  let [spread, slots] = [0, 0];
  for (const { low, high, holders } of seen.values()) {
    if (holders < hosts.length) continue;
    slots += 1;
    low.forEach((value, i) => {
      spread = Math.max(spread, high[i]! - value);
    });
  }
  return { spread, slots };
}
