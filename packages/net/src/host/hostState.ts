import type { PeerId } from "@coterie/core";
import { type Identity, identityFrom } from "../identity/identity.ts";
import type { Entry, Recovered } from "../store/store.ts";
import type { Admitted, Earlier, HostConfig } from "./config.ts";
import { carried, type Saved, writeSaved } from "./saved.ts";
import { Seal } from "./seal.ts";
import { type OpenedStore, readState, reliveAll, savedOf } from "./start.ts";

/** How much longer than the one before a snapshot may be before its memory has to grow. */
const ROOMY = 1.1;

/** A state that is to take the place of another, its key, and a way to take over what was kept beside it. */
interface Adoption {
  readonly saved: Saved;
  readonly load: () => void;
  readonly seal: Seal | null;
}

/** What a peer consists of: its state, its key, and what the app keeps beside it. A store has all of it, as a snapshot and entries. */
export class HostState {
  saved: Saved;
  /** Null where the peer has no key. */
  seal: Seal | null;
  recovered: Pick<Recovered, "incarnation" | "quarantined">;
  /** Rises whenever the peer's state has changed. */
  changes = 0;
  /** What the next snapshot may take; not known before the first. */
  #room: number | undefined;

  constructor(
    readonly config: HostConfig,
    start: OpenedStore,
  ) {
    this.recovered = start.recovered;
    this.seal = sealOf(start.identity);
    this.saved = this.#lived(start);
  }

  changed(): void {
    this.changes += 1;
  }

  /** The name its records go by; null where it publishes none, because it has no key of that name or no records. */
  get origin(): PeerId | null {
    const { id, policy } = this.saved.peer.config;
    const identity = this.seal?.identity ?? null;
    const mute = policy.delivery !== "newest" || (identity !== null && identity.id !== id);
    return mute ? null : id;
  }

  /** As one piece of bytes; its key only where `secret` says so. */
  snapshot(secret = true): Uint8Array {
    const bytes = writeSaved(this.saved, this.config.annex?.save() ?? null, secret, this.#room);
    // Memory that grows on the way is copied and touched several times over, and a page stands still meanwhile.
    this.#room = Math.ceil(ROOMY * bytes.length);
    return bytes;
  }

  /** What a store has takes the place of all. */
  replace(start: OpenedStore): void {
    this.recovered = start.recovered;
    this.seal = sealOf(start.identity);
    this.saved = this.#lived(start);
    this.changed();
  }

  /** Another tab has written these. */
  hear(entries: readonly Entry[]): void {
    reliveAll(this.config, this.saved, entries, null);
    this.changed();
  }

  /** What of these entries is news to what is kept beside the state. */
  admit(entries: readonly Entry[]): Admitted {
    return this.config.annex?.admit(entries) ?? { fresh: entries, settled: null };
  }

  /** From other terms to ours. */
  carry(earlier: Earlier): void {
    this.saved = carried(this.config, this.saved, earlier);
  }

  /** Reads what `snapshot` gave, here or elsewhere. */
  async read(bytes: Uint8Array): Promise<Adoption> {
    const { saved, load } = readState(this.config, bytes);
    const key = saved.birth.key ?? this.saved.birth.key;
    const identity = key === null ? null : await identityFrom(key, this.config.agreement);
    return { saved: { ...saved, birth: { id: saved.birth.id, key } }, load, seal: sealOf(identity) };
  }

  adopt({ saved, load, seal }: Adoption): void {
    load();
    // What others hold may be later than the state that is wanted here.
    saved.loss.resume(saved.peer, null, 0);
    // What waits here for others has nothing to do with the state.
    for (const report of this.saved.queue.all()) saved.queue.add(report);
    this.seal = seal;
    this.saved = saved;
    this.changed();
  }

  /** A state as its snapshot has it, and what came after. */
  #lived(start: OpenedStore): Saved {
    const saved = savedOf(this.config, start);
    reliveAll(this.config, saved, start.recovered.entries, start.earlier);
    return saved;
  }
}

const sealOf = (identity: Identity | null): Seal | null => (identity === null ? null : new Seal(identity));
