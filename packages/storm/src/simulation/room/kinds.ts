import {
  type Learner,
  type LearnerView,
  type Offer,
  type OfferCodec,
  type PeerId,
  type Policy,
  type Random,
  Unsociable,
} from "@coterie/core";
import type { PeerRecord } from "@coterie/core/internal";

/** What is known of a peer: its kind. */
interface KindOffer extends Offer {
  readonly kind: number;
  readonly records: readonly PeerRecord[];
}

/** Records that a peer holds, and that one answer carries. */
const HELD = 64;
const CARRIED = 8;
const NOTHING = new Float64Array();
const NO_BYTES = new Uint8Array();

/**
 * A stand-in for kindred in rooms of tens of thousands: a record says which kind its origin is of, without noise, and
 * kin are sought as kindred seeks them. What is measured is the room, not the learning.
 */
export function kindsPolicy(kindOf: (peer: PeerId) => number): Policy {
  const known = new Map<PeerId, PeerRecord>();
  // One for each origin, however many hold it.
  const recordOf = (origin: PeerId): PeerRecord => {
    const record = known.get(origin) ?? newRecord(origin);
    known.set(record.origin, record);
    return record;
  };
  return {
    kind: "kinds",
    options: {},
    pairing: "calls",
    delivery: "newest",
    codec: codecOf(kindOf, recordOf),
    propensity: "certain",
    slots: 0,
    ownClock: true,
    create: (_dimension, _peers, self) => new Kinds(recordOf(self), kindOf),
  };
}

class Kinds extends Unsociable implements Learner {
  readonly #held = new Map<PeerId, PeerRecord>();
  readonly view: LearnerView;

  constructor(
    readonly own: PeerRecord,
    readonly kindOf: (peer: PeerId) => number,
  ) {
    super();
    const kin = (): Map<PeerId, number> => new Map(this.#kin().map((origin) => [origin, 1]));
    const none = new Set<PeerId>();
    this.view = {
      estimate: NOTHING,
      active: NOTHING,
      evidence: 0,
      own: 0,
      buffered: 0,
      pruned: none,
      lenders: kin,
      kept: () => this.#held.keys(),
    };
  }

  get #kind(): number {
    return this.kindOf(this.own.origin);
  }

  choose(): number {
    return 0;
  }

  observe(): void {}

  override offer(): KindOffer {
    return { policy: "kinds", kind: this.#kind, records: [this.own, ...this.#held.values()] };
  }

  override copyOffer(): Offer {
    return this.offer();
  }

  override judge(): "mix" {
    return "mix";
  }

  override mix(offer?: Offer): void {
    for (const record of (offer as KindOffer).records) if (record.origin !== this.own.origin) this.#take(record);
  }

  /** Kin stay; of others the first that came goes. */
  #take(record: PeerRecord): void {
    this.#held.set(record.origin, record);
    if (this.#held.size <= HELD) return;
    for (const origin of this.#held.keys()) {
      if (this.kindOf(origin) === this.#kind && origin !== record.origin) continue;
      this.#held.delete(origin);
      return;
    }
    this.#held.delete(this.#held.keys().next().value!);
  }

  /** Kin every other time, as kindred does. */
  suggest(random: Random, isThere: (peer: PeerId) => boolean = () => true): PeerId | null {
    const kin = this.#kin().filter(isThere);
    return kin.length === 0 || random.below(2) === 0 ? null : kin[random.below(kin.length)]!;
  }

  #kin(): PeerId[] {
    return [...this.#held.keys()].filter((origin) => this.kindOf(origin) === this.#kind);
  }

  override near(): boolean {
    return true;
  }

  override forget(partner?: PeerId): void {
    if (partner !== undefined) this.#held.delete(partner);
  }

  write(): void {}
  read(): void {}
}

/** Of those that the other side may be kin of first, the newest first. */
function chosen({ kind, records }: KindOffer, to: KindOffer, kindOf: (peer: PeerId) => number): PeerRecord[] {
  const [own, ...others] = records;
  const kin = others.filter(({ origin }) => kindOf(origin) === to.kind).reverse();
  const rest = kind === to.kind ? [] : others.slice(-2);
  return [...(own === undefined ? [] : [own]), ...kin, ...rest].slice(0, CARRIED);
}

function codecOf(kindOf: (peer: PeerId) => number, recordOf: (origin: PeerId) => PeerRecord): OfferCodec {
  const text = new TextEncoder();
  const letters = new TextDecoder();
  return {
    encode: (offer, to) => {
      const { kind, records } = offer as KindOffer;
      const names = to === undefined ? [] : records.map(({ origin }) => origin);
      return [text.encode([kind, ...names].join(" "))];
    },
    decode: ([frame]) => {
      const [kind, ...names] = letters.decode(frame).split(" ");
      const offer: KindOffer = { policy: "kinds", kind: Number(kind), records: names.map((name) => recordOf(name)) };
      return offer;
    },
    bytes: () => 0,
    records: {
      // In an answer its sender has chosen already: it is the same offer on both sides.
      held: () => null,
      holds: () => false,
      lackedBy: (to, offer) =>
        to === offer ? (offer as KindOffer).records : chosen(offer as KindOffer, to as KindOffer, kindOf),
      only: (offer, records) => ({ ...(offer as KindOffer), records }) as KindOffer,
    },
  };
}

const newRecord = (origin: PeerId): PeerRecord => ({
  origin,
  version: 1,
  era: 0,
  hash: 0,
  twin: 0,
  slot: NOTHING,
  squares: 0,
  count: 1,
  body: NO_BYTES,
  signature: null,
});
