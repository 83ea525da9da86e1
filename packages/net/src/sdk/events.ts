import type { PeerId, ViolationReason } from "@coterie/core";
import type { Verdict } from "../exchange/message.ts";
import type { Upgrade } from "../host/host.ts";
import type { Quarantine } from "../store/store.ts";

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
  /** The store was damaged and repaired when it was opened. */
  repaired: Quarantine;
  /** Another version of the program wrote the state in the store; this one goes on from it, without what was `dropped`. */
  upgraded: Upgrade;
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

  emit(event: PeerEvent): void {
    const those = this.#listeners.get(event.kind);
    // A copy: a listener may stop listening meanwhile.
    if (those !== undefined && those.size > 0) for (const listener of [...those]) tell(listener, event);
    if (this.#everything !== undefined) tell(this.#everything, event);
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
