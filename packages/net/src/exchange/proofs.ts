import { type PeerId, ProtocolViolation, type Reader, type WireLimits, type Writer } from "@coterie/core";
import { decodeRecords, encodeRecords, type PeerRecord } from "@coterie/core/internal";

/** Two records that one origin signed with the same version: it told some this and others that. */
export type Proof = readonly [PeerRecord, PeerRecord];

/** Proofs kept; the oldest goes first. */
const MOST_PROOFS = 256;
/** Proofs in one answer. */
const MOST_TOLD = 4;

/** Whether these two show that their origin told different things under one version. Signatures are the caller's to check. */
export const contradict = (one: PeerRecord, other: PeerRecord): boolean =>
  one.origin === other.origin && one.version === other.version && !sameBytes(one.body, other.body);

/**
 * Origins that were caught: a proof of each, for whoever still holds a record of it. An honest peer never gives one: its
 * versions are on the disk before they leave, and a store that may have lost some first skips past them.
 */
export class Proofs {
  readonly #proofs = new Map<PeerId, Proof>();

  has(origin: PeerId): boolean {
    return this.#proofs.has(origin);
  }

  add(proof: Proof): void {
    this.#proofs.set(proof[0].origin, proof);
    if (this.#proofs.size <= MOST_PROOFS) return;
    for (const oldest of this.#proofs.keys()) {
      this.#proofs.delete(oldest);
      break;
    }
  }

  /** Those that concern whoever holds a record that `holds` names. */
  for(holds: (record: PeerRecord) => boolean): Proof[] {
    return [...this.#proofs.values()].filter((proof) => proof.some(holds)).slice(0, MOST_TOLD);
  }

  write(out: Writer, dimension: number): void {
    const frame = this.#proofs.size === 0 ? new Uint8Array() : encodeProofs([...this.#proofs.values()], dimension);
    out.u32(frame.length);
    out.raw(frame);
  }

  read(from: Reader, limits: WireLimits): void {
    const frame = from.raw("proofs", from.u32("proofs"));
    if (frame.length > 0) for (const proof of decodeProofs(frame, limits, MOST_PROOFS)) this.add(proof);
  }
}

/** A frame of records, the two of each proof side by side. */
export const encodeProofs = (proofs: readonly Proof[], dimension: number): Uint8Array =>
  encodeRecords(proofs.flat(), dimension);

export function decodeProofs(frame: Uint8Array, limits: WireLimits, most = MOST_TOLD): Proof[] {
  const records = decodeRecords(frame, { ...limits, most: 2 * most });
  return Array.from({ length: Math.ceil(records.length / 2) }, (_, k) => {
    const [one, other] = [records[2 * k]!, records[2 * k + 1]];
    if (other !== undefined && contradict(one, other)) return [one, other];
    throw new ProtocolViolation("mismatch", `proofs[${k}]`, one.version, "be two records of one origin and version");
  });
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, k) => byte === other[k]);
}
