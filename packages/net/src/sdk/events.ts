import type { PeerId } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";
import type { Verdict } from "../exchange/message.ts";
import type { ReportAnswer, ReportKind } from "../exchange/report.ts";
import type { BadItem } from "../features/menu.ts";
import type { Warning } from "../features/warnings.ts";
import type { Upgrade } from "../host/host.ts";
import type { Quarantine } from "../store/store.ts";
import type { Migration } from "./papers.ts";

/** What a peer tells about itself, by kind. */
export interface PeerEvents {
  /** Two peers met, or did not. `side` says who began; `in-doubt` that no answer came, and it will be asked for again. */
  exchange: {
    readonly side: "proposed" | "answered";
    readonly partner: PeerId;
    readonly verdict: Verdict | "in-doubt" | "given-up";
    readonly round: number;
  };
  /** This peer and another turned out to be of different kinds, and parted. */
  prune: { readonly partner: PeerId };
  /** Somebody came, went, or was pruned: how many other members there are, and how many of them are still near. */
  neighbourhood: { readonly members: number; readonly near: number };
  /** A partner sent something that no correct peer sends. It was dropped. */
  violation: { readonly partner: PeerId; readonly reason: ViolationReason; readonly message: string };
  /**
   * In view of what it did, a peer is refused from now on; or more than one name from an address prefix was of no use, and such
   * names are left alone for a while.
   */
  distrust: { readonly what: "peer" | "prefix"; readonly who: string };
  /**
   * Others are in the room with other features, another policy or version: nothing is shared with them until they have the
   * same. `who`: such a peer, or a hub that knows `count` of them.
   */
  misfit: { readonly who: PeerId; readonly count: number };
  /** The store was damaged, or restored from a backup, and was put in order when it was opened. */
  repaired: Quarantine;
  /** Own observations that were lost with the store came back from a partner: how many there are now, and were before. */
  regained: { readonly own: number; readonly before: number };
  /** Another version of the program wrote the state in the store; this one goes on from it, without what was `dropped`. */
  upgraded: Upgrade;
  /** The state was written under other features, options or rewards; this peer goes on from all of its own that it could keep. */
  migrated: Migration;
  /** An item could not be encoded, and was left out of its menu (`onBadItem: "skip"`). */
  "bad-item": BadItem;
  /**
   * More choices wait than are kept: the oldest `count` were dropped, and teach nothing. `most` is how many may wait
   * (`reward.pending`).
   */
  dropped: { readonly count: number; readonly most: number; readonly message: string };
  /**
   * What became of a report for another peer (`rewardToken`, `shownToken`, `cancelToken`): the chooser's answer, or `expired` where
   * it did not come back in time.
   */
  reported: {
    readonly what: ReportKind;
    readonly chooser: PeerId;
    readonly token: string;
    readonly value: number;
    readonly answer: ReportAnswer;
  };
  /** A feature cannot do what it was surely declared for; told once. On the console where nobody listens. */
  warning: Warning;
  /** This tab owns the store that it shares with others now, and is the peer on the network: the last owner is gone. */
  owner: object;
  /** Something that nobody waits for went wrong: a pending choice or a tick that could not be written down. */
  failure: { readonly error: Error };
}

/** The names of events. */
export type PeerEventKind = keyof PeerEvents;

/** An event with its kind in it. */
export type EventOf<K extends PeerEventKind> = Extract<PeerEvent, { readonly kind: K }>;
/** Any event. */
export type PeerEvent = { [K in PeerEventKind]: { readonly kind: K } & PeerEvents[K] }[PeerEventKind];

const isOf = <K extends PeerEventKind>(event: PeerEvent, kind: K): event is EventOf<K> => event.kind === kind;

export class Emitter {
  readonly #listeners = new Map<PeerEventKind, Set<(event: PeerEvent) => void>>();
  readonly #everything: ((event: PeerEvent) => void) | undefined;

  constructor(everything?: (event: PeerEvent) => void) {
    this.#everything = everything;
  }

  on<K extends PeerEventKind>(kind: K, listener: (event: EventOf<K>) => void): () => void {
    const those = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, those);
    // A function of its own, so that one listener may listen twice and stop once.
    const heard = (event: PeerEvent): void => {
      if (isOf(event, kind)) listener(event);
    };
    those.add(heard);
    return () => those.delete(heard);
  }

  /** Whether anybody heard it. */
  emit(event: PeerEvent): boolean {
    const those = this.#listeners.get(event.kind);
    // A copy: a listener may stop listening meanwhile.
    if (those !== undefined && those.size > 0) for (const listener of [...those]) tell(listener, event);
    if (this.#everything !== undefined) tell(this.#everything, event);
    return this.#everything !== undefined || (those?.size ?? 0) > 0;
  }

  /** A warning is for whoever writes the app, who may not listen to anything yet. */
  warn(warning: Warning): void {
    if (!this.emit({ kind: "warning", ...warning })) console.warn(`coterie: ${warning.message}`);
  }
}

function tell(listener: (event: PeerEvent) => void, event: PeerEvent): void {
  try {
    listener(event);
  } catch (error) {
    // The listener's fault, and nothing that an exchange or a reward may stumble over; but not to be hidden either.
    queueMicrotask(() => {
      throw error;
    });
  }
}
