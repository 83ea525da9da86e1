import { ConfigError } from "../errors.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Greeting } from "../kindred/greeting.ts";
import { calledBy, type PeerRecord } from "../kindred/record.ts";
import type { Offer, OfferCodec } from "../peer/learner.ts";
import {
  decodeRecordGreeting,
  decodeRecords,
  encodeRecordGreeting,
  encodeRecords,
  recordGreetingBytes,
  recordsBytes,
} from "../wire/records.ts";
import { expectFrames, expectOffer } from "./expect.ts";

/** What a partner may read: the greeting, and the records that suit whoever greeted back. */
export interface KindredOffer extends Offer {
  readonly policy: "kindred";
  readonly dimension: number;
  readonly greeting: Greeting;
  /** What the greeting says of it, where that is still to be made. */
  readonly due?: boolean;
  /** What goes along with records in place of the greeting, where that is still to be made: whoever answers asks for nothing. */
  readonly reply?: Greeting;
  recordsFor(to: Greeting): readonly PeerRecord[];
  /** The record of `origin` that it has; absent where it has none but those it sends. */
  held?(origin: PeerId): PeerRecord | null;
}

/** Two frames: the greeting, and the records, which depend on the greeting of the other side. */
export const codec: OfferCodec = {
  encode: (offer, to) => {
    const mine = expectOffer<KindredOffer>(offer, "kindred");
    const greeting = encodeRecordGreeting(mine.greeting, mine.dimension);
    if (to === undefined) return [greeting];
    const records = mine.recordsFor(expectOffer<KindredOffer>(to, "kindred").greeting);
    return [greeting, encodeRecords(records, mine.dimension)];
  },
  decode: (frames, limits) => {
    if (frames.length !== 1) expectFrames(frames, 2);
    const greeting = decodeRecordGreeting(frames[0]!, limits);
    const records = frames.length === 1 ? [] : decodeRecords(frames[1]!, limits);
    const offer: KindredOffer = { policy: "kindred", dimension: limits.dimension, greeting, recordsFor: () => records };
    return offer;
  },
  bytes: (offer, outcome, to) => {
    const mine = expectOffer<KindredOffer>(offer, "kindred");
    if (outcome !== "mix") return 0; // neither side is due, so neither calls
    if (to === undefined) throw new ConfigError("to", to, "be the offer of the reader");
    const records = mine.recordsFor(expectOffer<KindredOffer>(to, "kindred").greeting);
    return recordGreetingBytes(mine.greeting) + recordsBytes(records);
  },
  records: {
    lackedBy: (to, offer) =>
      expectOffer<KindredOffer>(offer, "kindred").recordsFor(expectOffer<KindredOffer>(to, "kindred").greeting),
    held: (offer, origin) => expectOffer<KindredOffer>(offer, "kindred").held?.(origin) ?? null,
    holds: (to, record) => {
      const { wants, salt } = expectOffer<KindredOffer>(to, "kindred").greeting;
      return wants.has(calledBy(record, salt));
    },
    only: (offer, records) => {
      const mine = expectOffer<KindredOffer>(offer, "kindred");
      const { policy, dimension } = mine;
      const held: KindredOffer = {
        policy,
        dimension,
        greeting: mine.reply ?? mine.greeting,
        recordsFor: () => records,
      };
      return held;
    },
  },
};
