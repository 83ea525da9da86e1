import { ConfigError, type OfferCodec, type PeerId } from "@coterie/core";
import type { ExchangeConfig, Flight } from "./exchange.ts";
import { type ExchangeId, encodeProposal } from "./message.ts";

/** Why a proposal is refused that speaks of something else. */
export const DISAGREED = "another room, feature schema, policy or version";

/** A peer's own proposal: at most one is in flight, and while it is it stays the same. */
export class Asking {
  flight: Flight | null = null;
  #proposal: Uint8Array | null = null;

  constructor(
    readonly config: ExchangeConfig,
    readonly codec: OfferCodec,
  ) {}

  /** Begins the one after the last. */
  propose(partner: PeerId, id: ExchangeId): Uint8Array {
    if (this.flight !== null) throw new ConfigError("exchange", this.flight.partner, "be over before the next begins");
    this.flight = { id, partner };
    return this.proposal();
  }

  /** The proposal in flight, as it was and as it may be sent again. */
  proposal(): Uint8Array {
    const { flight, config, codec } = this;
    if (flight === null) throw new ConfigError("exchange", null, "be in flight to be sent again");
    const { peer, agreement } = config;
    this.#proposal ??= encodeProposal({
      id: flight.id,
      round: peer.round,
      agreement,
      frames: codec.encode(peer.learner.offer()),
    });
    return this.#proposal;
  }

  land(): void {
    this.flight = null;
    this.#proposal = null;
  }
}
