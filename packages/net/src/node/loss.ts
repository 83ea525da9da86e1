import { type Peer, step } from "@coterie/core";
import type { Heritage, PeerRecord } from "@coterie/core/internal";
import { copyOf, type Regained, regain, retold } from "./regain.ts";

/** So many partners are asked. Whoever holds this peer's record is likely to be among them. */
const MOST_ASKED = 32;

/**
 * Own observations that a peer lost with its store. Others may hold a record of them that it signed itself: it asks its partners
 * for that, and goes on from it (regain.ts). Only with policies that publish records.
 */
export class Loss {
  /** What was left when the loss was found, or the record that came back since; null where nothing is asked for. */
  left: Heritage | null = null;
  /** When the loss was found, in milliseconds since 1970. */
  date = 0;
  #asked = 0;

  /** Something was lost: partners are asked from now on. */
  begin(peer: Peer, date: number): void {
    const { learner } = peer;
    if (learner.heritage === undefined || learner.recall === undefined) return;
    this.resume(peer, copyOf(learner.heritage()), date);
  }

  /** Goes on asking, or asks no more. */
  resume({ learner }: Peer, left: Heritage | null, date: number): void {
    this.left = left;
    this.date = date;
    this.#asked = 0;
    learner.recall?.(left !== null);
  }

  /** A choice of before the loss was paid. */
  retold(arm: Float64Array, reward: number): void {
    if (this.left !== null) this.left = retold(this.left, arm, reward);
  }

  /** A partner has answered, with these records. What to go on from; null where that is nothing new. */
  answered(peer: Peer, records: readonly PeerRecord[]): Regained | null {
    const { left } = this;
    if (left === null) return null;
    this.#asked += 1;
    const record = newestOf(records, peer.config.id);
    const now = peer.learner.heritage?.();
    const regained = record === null || now === undefined ? null : regain(left, now, record);
    if (regained === null && this.#asked >= MOST_ASKED) this.resume(peer, null, this.date);
    return regained;
  }

  take(peer: Peer, { heritage, left }: Regained): void {
    step(peer, { kind: "regain", heritage });
    this.left = left;
    if (left === null) peer.learner.recall?.(false);
  }
}

function newestOf(records: readonly PeerRecord[], origin: string): PeerRecord | null {
  let newest: PeerRecord | null = null;
  for (const record of records) {
    if (record.origin === origin && record.version > (newest?.version ?? 0)) newest = record;
  }
  return newest;
}
