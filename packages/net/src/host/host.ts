import {
  type Arms,
  ConfigError,
  type Peer,
  type PeerId,
  ProtocolViolation,
  type Random,
  step,
  type ViolationReason,
} from "@coterie/core";
import type { Exchange, ExchangeRecord } from "../exchange/exchange.ts";
import type { Verdict } from "../exchange/message.ts";
import { unlessAborted } from "../link/wait.ts";
import { StoreError } from "../store/errors.ts";
import type { Entry, Quarantine } from "../store/store.ts";
import type { HostConfig, HostEvent } from "./config.ts";
import { CLOSED, exchanged, moved, observed, relive } from "./journal.ts";
import { readSaved, type Saved, writeSaved } from "./saved.ts";

export type { Annex, HostConfig, HostEvent } from "./config.ts";

/** What a tick came to: the verdict of the exchange, `in-doubt` where nobody answered, null where nobody was met. */
export type TickOutcome = Verdict | "in-doubt" | null;

export interface TickSettings {
  /** False where the round has closed since the last tick already, because a partner was further. */
  readonly close?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One peer with a disk and a network: it holds the state machine, writes down what must survive before anybody relies on
 * it, and lets the exchange speak over the link. Nothing here decides anything.
 */
export class PeerHost {
  readonly incarnation: number;
  readonly quarantined: Quarantine | null;
  /** What partners sent that no correct peer sends, by reason. */
  readonly violations = new Map<ViolationReason, number>();
  readonly #config: HostConfig;
  #saved: Saved;
  #changes = 0;
  #unanswered = 0;
  #saving = false;
  /** Why the disk can no longer follow. Memory is ahead of it then, and only opening anew brings them together. */
  #broken: Error | null = null;

  /** Opens the store and goes on where it left off, or begins. */
  static async open(config: HostConfig): Promise<PeerHost> {
    const recovered = await config.store.open({ signal: config.signal });
    try {
      const host = new PeerHost(config, recovered.snapshot, recovered.incarnation, recovered.quarantined);
      const { peer, exchange, members } = host.#saved;
      for (const entry of recovered.entries) {
        if (!config.annex?.relive(entry)) relive(entry, peer, exchange, members);
      }
      // From the first moment on: what it is called when it begins, it is called for ever.
      if (recovered.snapshot === null && recovered.entries.length === 0) {
        await host.#durably(config.store.checkpoint(host.#snapshot()));
      }
      config.link.serve((from, message) => host.#answer(from, message));
      return host;
    } catch (error) {
      await config.store.close();
      throw error;
    }
  }

  private constructor(
    config: HostConfig,
    saved: Uint8Array | null,
    incarnation: number,
    quarantined: Quarantine | null,
  ) {
    this.#config = config;
    this.incarnation = incarnation;
    this.quarantined = quarantined;
    this.#saved = readSaved(config, saved);
    if (this.#saved.annex !== null) config.annex?.load(this.#saved.annex);
  }

  get peer(): Peer {
    return this.#saved.peer;
  }

  get exchange(): Exchange | null {
    return this.#saved.exchange;
  }

  /** Those that joined and have not left, as far as was written down. */
  get members(): ReadonlySet<PeerId> {
    return this.#saved.members;
  }

  /** Rises whenever the peer's state has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Picks an arm, at once and offline. */
  choose(arms: Arms, random?: Random): number {
    const effect = step(this.peer, { kind: "choose", arms, random })[0];
    if (effect?.kind !== "chosen") throw new ConfigError("arms", arms.count, "lead to a choice");
    return effect.arm;
  }

  /** Learns; when the promise resolves, the reward survives a crash, and so does what is noted `beside` it. */
  async observe(arm: Float64Array, reward: number, beside: readonly Entry[] = []): Promise<void> {
    this.#requireWhole();
    step(this.peer, { kind: "observe", arm, reward });
    await this.#write([observed(arm, reward), ...beside]);
  }

  /** Writes down entries of the annex. */
  async note(entries: readonly Entry[]): Promise<void> {
    this.#requireWhole();
    await this.#write(entries, false);
  }

  /** Somebody joined, or left for good. Who is in already does not join again. */
  async member(kind: "join" | "leave", partner: PeerId): Promise<void> {
    this.#requireWhole();
    const { members } = this.#saved;
    if (members.has(partner) === (kind === "join")) return;
    step(this.peer, { kind, partner });
    if (kind === "join") members.add(partner);
    else members.delete(partner);
    await this.#write([moved(kind, partner)]);
  }

  /**
   * One turn of the peer's own clock: closes the round and meets `partner`, if there is one. While an exchange is in
   * doubt the round stays open, and its partner is asked again instead.
   */
  async tick(partner: PeerId | null, { close = true, signal }: TickSettings = {}): Promise<TickOutcome> {
    this.#requireWhole();
    const { exchange } = this;
    if (exchange !== null && exchange.flight !== null)
      return this.#ask(exchange, exchange.flight.partner, exchange.again(), signal);
    if (close) {
      step(this.peer, { kind: "close" });
      await this.#write([CLOSED]);
    }
    if (exchange === null || partner === null) return null;
    const { records, proposal } = exchange.propose(partner, this.#newId());
    await this.#write(records.map(exchanged));
    return this.#ask(exchange, partner, proposal, signal);
  }

  /** Everything there is to know of this peer, as one piece of bytes for `adopt`. */
  save(): Uint8Array {
    return this.#snapshot();
  }

  /** Goes on from what `save` gave, here or elsewhere, in place of the state so far. No tick may be under way. */
  async adopt(saved: Uint8Array): Promise<void> {
    this.#requireWhole();
    const read = readSaved(this.#config, saved);
    if (read.annex !== null) this.#config.annex?.load(read.annex);
    this.#saved = read;
    this.#unanswered = 0;
    this.#changes += 1;
    const bytes = this.#snapshot();
    // Twice: recovery may fall back on the snapshot before the last one, and must not find the old state there.
    await this.#durably(this.#config.store.checkpoint(bytes), this.#config.store.checkpoint(bytes));
  }

  async close(): Promise<void> {
    await this.#config.link.close();
    await this.#config.store.close();
  }

  /** Closes, and leaves nothing on the disk. */
  async erase(): Promise<void> {
    await this.#config.link.close();
    await this.#config.store.erase();
  }

  async #ask(
    exchange: Exchange,
    partner: PeerId,
    proposal: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<TickOutcome> {
    try {
      // Not every link lets go when it is told to.
      const answer = await unlessAborted(this.#config.link.request(partner, proposal, { signal }), signal);
      const { records, verdict } = exchange.conclude(answer);
      this.#unanswered = 0;
      await this.#write(records.map(exchanged));
      if (verdict !== null) this.#tell({ kind: "exchange", side: "proposed", partner, verdict });
      return verdict;
    } catch (error) {
      this.#requireWhole();
      if (error instanceof ProtocolViolation) this.#count(error, partner);
      return this.#doubt(exchange, partner);
    }
  }

  async #doubt(exchange: Exchange, partner: PeerId): Promise<TickOutcome> {
    this.#unanswered += 1;
    const patient = exchange.once && this.#unanswered < (this.#config.patience ?? 20);
    if (!patient) {
      this.#unanswered = 0;
      await this.#write(exchange.giveUp().map(exchanged));
    }
    this.#tell({ kind: "exchange", side: "proposed", partner, verdict: patient ? "in-doubt" : "given-up" });
    return patient ? "in-doubt" : null;
  }

  async #answer(from: PeerId, message: Uint8Array): Promise<Uint8Array> {
    this.#requireWhole();
    if (this.exchange === null) throw new ConfigError("policy", this.peer.config.policy.kind, "be one that exchanges");
    let records: ExchangeRecord[];
    let answer: Uint8Array;
    let verdict: Verdict;
    try {
      ({ records, answer, verdict } = this.exchange.answer(from, message));
    } catch (error) {
      if (error instanceof ProtocolViolation) this.#count(error, from);
      throw error;
    }
    await this.#write(records.map(exchanged));
    // No record: a proposal that came again.
    if (records.length > 0) this.#tell({ kind: "exchange", side: "answered", partner: from, verdict });
    return answer;
  }

  async #write(entries: readonly Entry[], changed = true): Promise<void> {
    if (entries.length === 0) return;
    if (changed) this.#changes += 1;
    const { store, snapshotEvery = 256 } = this.#config;
    const written = store.append(entries);
    // Taken in the same breath as the append above, so it stands for it too.
    const saved = !this.#saving && store.size.entries >= snapshotEvery ? this.#checkpoint() : null;
    await this.#durably(written, saved);
  }

  async #durably(...writes: (Promise<void> | null)[]): Promise<void> {
    try {
      await Promise.all(writes);
    } catch (error) {
      this.#broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  /** One at a time: until it is on the disk the log stays long, and every write would ask for another. */
  async #checkpoint(): Promise<void> {
    this.#saving = true;
    try {
      await this.#config.store.checkpoint(this.#snapshot());
    } finally {
      this.#saving = false;
    }
  }

  #requireWhole(): void {
    if (this.#broken !== null) throw new StoreError("closed", `open the store again: ${this.#broken.message}`);
  }

  #snapshot(): Uint8Array {
    return writeSaved(this.#saved, this.#config.annex?.save() ?? null);
  }

  #newId(): string {
    let id = "";
    for (let k = 0; k < 4; k++) id += this.#config.random.uint32().toString(16).padStart(8, "0");
    return id;
  }

  #count({ reason, message }: ProtocolViolation, partner: PeerId): void {
    this.violations.set(reason, (this.violations.get(reason) ?? 0) + 1);
    this.#tell({ kind: "violation", partner, reason, message });
  }

  #tell(event: HostEvent): void {
    this.#config.onEvent?.(event);
  }
}
