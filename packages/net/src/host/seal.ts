import { type PeerId, ProtocolViolation } from "@coterie/core";
import { type PeerRecord, recordBody } from "@coterie/core/internal";
import type { Identity } from "../identity/identity.ts";

/**
 * Records travel through many hands, so each is signed by its origin, whose name is the key to check it with. A peer's own
 * record is signed when it first leaves; one of others is checked when it arrives, and again after a restart before it
 * is passed on. So whoever sends a bad one has made it, or has not looked.
 */
export class Seal {
  readonly identity: Identity;
  /** Found good. Records are never changed once made, so they stand for themselves. */
  readonly #good = new WeakSet<PeerRecord>();
  /** Own ones with their signature. */
  readonly #signed = new WeakMap<PeerRecord, PeerRecord>();

  constructor(identity: Identity) {
    this.identity = identity;
  }

  /** Those that may leave: own ones, signed, and those of others that were signed by their origin. */
  async outgoing(records: readonly PeerRecord[]): Promise<PeerRecord[]> {
    const out: PeerRecord[] = [];
    for (const record of records) {
      if (record.origin === this.identity.id) {
        out.push(this.#signed.get(record) ?? (await this.#sign(record)));
        continue;
      }
      const good = this.#isGood(record);
      // Nobody waits for what is known.
      if (good === true || (await good)) out.push(record);
    }
    return out;
  }

  /** Throws at the first that its origin did not sign: no correct peer sends one, so nothing else it says is needed. */
  async check(records: readonly PeerRecord[]): Promise<void> {
    for (let k = 0; k < records.length; k++) {
      const record = records[k]!;
      const good = this.#isGood(record);
      // Nobody waits for what is known.
      if (good === true || (await good)) continue;
      const value = `version ${record.version} of ${shortened(record.origin)}`;
      throw new ProtocolViolation("forged", `records[${k}] signature`, value, "be its origin's");
    }
  }

  #isGood(record: PeerRecord): boolean | Promise<boolean> {
    if (this.#good.has(record)) return true;
    const { origin, signature } = record;
    if (signature === null) return false;
    const good = this.identity.notary.verify(origin, recordBody(record), signature);
    if (good === true) this.#good.add(record);
    return typeof good === "boolean" ? good : this.#found(record, good);
  }

  async #found(record: PeerRecord, found: Promise<boolean>): Promise<boolean> {
    const good = await found;
    if (good) this.#good.add(record);
    return good;
  }

  async #sign(record: PeerRecord): Promise<PeerRecord> {
    const signed = { ...record, slot: record.slot, signature: await this.identity.notary.sign(recordBody(record)) };
    this.#signed.set(record, signed);
    return signed;
  }
}

/** A stranger chose the name; a message shows no more of it than it takes to tell two apart. */
const shortened = (origin: PeerId): string => (origin.length > 20 ? `${origin.slice(-12)}` : origin);
