import type { KindredOffer, Offer, Record } from "@coterie/core";

/** Offers of records: of each the newest wins, so they can be taken out one by one. */
export const holdsRecords = (offer: Offer): offer is KindredOffer => "recordsFor" in offer;

/** The records of an offer that came over a wire; its sender has chosen them already. */
export const recordsIn = (offer: Offer | null): readonly Record[] =>
  offer !== null && holdsRecords(offer) ? offer.recordsFor(offer.greeting) : [];

/** The same offer, with these records whoever reads it. */
export function withRecords(offer: Offer, records: readonly Record[]): Offer {
  if (!holdsRecords(offer)) return offer;
  const { policy, dimension, greeting } = offer;
  const held: KindredOffer = { policy, dimension, greeting, recordsFor: () => records };
  return held;
}
