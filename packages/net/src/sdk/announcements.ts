import type { PeerId } from "@coterie/core";
import type { HostEvent, PeerHost } from "../host/host.ts";
import type { Clock } from "./clock.ts";
import type { Emitter, PeerEvents } from "./events.ts";
import { Misfits } from "./misfits.ts";

/** What happens to a peer, as its app hears it, and what of that is counted. */
export class Announcements {
  /** What came of exchanges so far. */
  readonly exchanges: Partial<Record<PeerEvents["exchange"]["verdict"], number>> = {};
  readonly #misfits = new Misfits();
  #host: PeerHost | null = null;
  /** Others may speak before the peer is whole. */
  #early: (() => void)[] = [];

  constructor(
    readonly emitter: Emitter,
    readonly clock: Clock,
  ) {}

  /** The peer is whole: what was said before is told now. */
  begin(host: PeerHost): void {
    this.#host = host;
    for (const tell of this.#early) tell();
    this.#early = [];
  }

  /** What the host tells. */
  heard(event: HostEvent): void {
    if (this.#host === null) this.#early.push(() => this.heard(event));
    else if (event.kind === "misfit") this.misfit(event.partner, 1);
    else if (event.kind === "exchange") this.#exchanged(event, this.#host);
    else this.emitter.emit(event);
  }

  /** Somebody in the room has another agreement, or a hub knows so many that have. */
  misfit(who: PeerId, count: number): void {
    if (this.#host === null) this.#early.push(() => this.misfit(who, count));
    else if (this.#misfits.note(who, count, this.clock.now())) this.emitter.emit({ kind: "misfit", who, count });
  }

  /** At least so many with another agreement are there now. */
  get misfits(): number {
    return this.#misfits.count(this.clock.now());
  }

  /** Something that nobody waits for went wrong. */
  failed(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    this.emitter.emit({ kind: "failure", error });
  }

  /** Choices were dropped because more wait than the ledger keeps. */
  dropped(count: number, most: number): void {
    const message = `${count} choices were dropped: more than ${most} wait for a reward. Reward them sooner, shorten reward.timeoutMs, or raise reward.pending`;
    this.emitter.emit({ kind: "dropped", count, most, message });
  }

  #exchanged({ partner, verdict, side }: Extract<HostEvent, { kind: "exchange" }>, host: PeerHost): void {
    if (verdict === "mix" || verdict === "keep") this.#misfits.fits(partner);
    this.exchanges[verdict] = (this.exchanges[verdict] ?? 0) + 1;
    this.emitter.emit({ kind: "exchange", side, partner, verdict, round: host.peer.round });
    if (verdict !== "prune") return;
    this.emitter.emit({ kind: "prune", partner });
    this.emitter.emit({ kind: "neighbourhood", members: host.driver.node.count - 1, near: host.nearCount });
  }
}
