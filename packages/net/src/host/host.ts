import {
  type Arms,
  ConfigError,
  MOST_RENEWED,
  type Peer,
  type PeerId,
  ProtocolViolation,
  type Random,
  step,
  type ViolationReason,
} from "@coterie/core";
import type { Arrival, Exchange } from "../exchange/exchange.ts";
import type { Verdict } from "../exchange/message.ts";
import { digitsOf } from "../hex.ts";
import { type Identity, identityFrom } from "../identity/identity.ts";
import { type Link, LinkError } from "../link/link.ts";
import { unlessAborted } from "../link/wait.ts";
import type { Entry, Quarantine, Recovered } from "../store/store.ts";
import { type Birth, BORN, birthOf, born } from "./birth.ts";
import type { HostConfig, HostEvent } from "./config.ts";
import {
  FORMAT,
  FORMAT_ENTRY,
  type Format,
  formatEntry,
  formatOf,
  isCurrent,
  layoutOf,
  requireFormat,
} from "./format.ts";
import { CHANGED, CLOSED, exchanged, moved, observed, relive, renewed } from "./journal.ts";
import { Keeper } from "./keeper.ts";
import { freshSaved, readSaved, type Saved, writeSaved } from "./saved.ts";
import { Scores } from "./scores.ts";
import { Seal } from "./seal.ts";

export type { Annex, HostConfig, HostEvent, Upgrade } from "./config.ts";

/** What a tick came to: the verdict of the exchange, `in-doubt` where nobody answered, null where nobody was met. */
export type TickOutcome = Verdict | "in-doubt" | null;

export interface TickSettings {
  /** False where the round has closed since the last tick already, because a partner was further. */
  readonly close?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const DONE = Promise.resolve();
/** 1 January 2026. */
const EPOCH_MS = 1_767_225_600_000;

/**
 * One peer with a disk and a network: it holds the state machine, writes down what must survive before anybody relies on
 * it, and lets the exchange speak over the link. Nothing here decides anything.
 */
export class PeerHost {
  readonly incarnation: number;
  readonly quarantined: Quarantine | null;
  /** What partners sent that no correct peer sends, by reason. */
  readonly violations = new Map<ViolationReason, number>();
  /** What that weighs against each of them. */
  readonly scores = new Scores();
  readonly #config: HostConfig;
  readonly #keeper: Keeper;
  #link: Link | null = null;
  #saved: Saved;
  /** Where the peer has a key. */
  #seal: Seal | null;
  #changes = 0;
  #unanswered = 0;

  /** Opens the store and goes on where it left off, or begins. */
  static async open(config: HostConfig): Promise<PeerHost> {
    const recovered = await config.store.open({ signal: config.signal });
    if (recovered.quarantined !== null) config.onRepaired?.(recovered.quarantined);
    try {
      const format = formatOf(recovered);
      if (format !== null) requireFormat(format, config.peer.policy);
      const known = birthOf(recovered);
      const secret = known?.key ?? config.drawSeed?.() ?? null;
      const identity = secret === null ? null : await identityFrom(secret, config.agreement);
      const birth = { id: known?.id ?? identity?.id ?? config.peer.id, key: identity?.key ?? null };
      const host = new PeerHost(config, recovered, birth, identity);
      host.#relive(recovered.entries);
      // From the first moment on: what it is called when it begins, it is called for ever.
      if (known === null) await host.#keeper.begin([formatEntry(config.peer.policy), born(birth)]);
      else if (format !== null && !isCurrent(format, config.peer.policy))
        await host.#upgrade(format, recovered.entries.length);
      else if (recovered.quarantined !== null) await host.#renew(0);
      if (config.link !== undefined) host.attach(config.link);
      return host;
    } catch (error) {
      await config.store.close();
      throw error;
    }
  }

  private constructor(config: HostConfig, recovered: Recovered, birth: Birth, identity: Identity | null) {
    this.#config = config;
    this.#keeper = new Keeper(config.store, config.snapshotEvery ?? 256, () => this.#snapshot());
    this.incarnation = recovered.incarnation;
    this.quarantined = recovered.quarantined;
    this.#seal = identity === null ? null : new Seal(identity);
    const { snapshot } = recovered;
    const format = formatOf(recovered);
    const inherited = format !== null && format.layout !== layoutOf(config.peer.policy);
    this.#saved =
      snapshot === null
        ? freshSaved(config, birth, inherited)
        : { ...readSaved(config, snapshot, (annex) => config.annex?.load(annex)), birth };
  }

  /** Who this peer is, where it has a key. Its name here may be younger than the state: see `adopt`. */
  get identity(): Identity | null {
    return this.#seal?.identity ?? null;
  }

  /** The name its records go by; null where it publishes none, because it has no key of that name or no records. */
  get origin(): PeerId | null {
    const { id, policy } = this.peer.config;
    const mute = policy.delivery !== "newest" || (this.identity !== null && this.identity.id !== id);
    return mute ? null : id;
  }

  /** Talks over this link from now on. */
  attach(link: Link): void {
    this.#link = link;
    link.serve((from, message) => this.#answer(from, message));
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

  /** Whether to have anything to do with `peer`. */
  admits(peer: PeerId): boolean {
    return this.#config.admits?.(peer) ?? true;
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
    this.#keeper.requireWhole();
    step(this.peer, { kind: "observe", arm, reward });
    await this.#write([observed(arm, reward), ...beside]);
  }

  /** The peer's taste has changed: it starts anew. When the promise resolves, that survives a crash. */
  async change(): Promise<void> {
    this.#keeper.requireWhole();
    step(this.peer, { kind: "change" });
    await this.#write([CHANGED]);
  }

  /** Writes down entries of the annex. */
  async note(entries: readonly Entry[]): Promise<void> {
    this.#keeper.requireWhole();
    await this.#write(entries, false);
  }

  /** Somebody joined, or left for good. Who is in already does not join again. */
  async member(kind: "join" | "leave", partner: PeerId): Promise<void> {
    this.#keeper.requireWhole();
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
    this.#keeper.requireWhole();
    this.scores.fade();
    const { exchange } = this;
    if (exchange !== null && exchange.flight !== null)
      return this.#ask(exchange, exchange.flight.partner, exchange.again(), signal);
    if (close) step(this.peer, { kind: "close" });
    const entries = close ? [CLOSED] : [];
    if (exchange === null || partner === null) {
      await this.#write(entries);
      return null;
    }
    // One write for both: a synced one costs the same for two entries as for one.
    const { records, proposal } = exchange.propose(partner, this.#newId());
    await this.#write([...entries, ...records.map(exchanged)]);
    return this.#ask(exchange, partner, proposal, signal);
  }

  /** Everything there is to know of this peer, as one piece of bytes for `adopt`; its key only where `secret` says so. */
  save(secret = false): Uint8Array {
    return this.#snapshot(secret);
  }

  /**
   * Goes on from what `save` gave, here or elsewhere, in place of the state so far. No tick may be under way. The state
   * keeps the name it was born with: what others hold under that name are the same observations, and they must not
   * count a second time under another. Whether it can still publish depends on whether its key came along.
   */
  async adopt(saved: Uint8Array): Promise<void> {
    this.#keeper.requireWhole();
    const read = readSaved(this.#config, saved);
    const key = read.birth.key ?? this.#saved.birth.key;
    const identity = key === null ? null : await identityFrom(key, this.#config.agreement);
    if (read.annex !== null) this.#config.annex?.load(read.annex);
    this.#seal = identity === null ? null : new Seal(identity);
    this.#saved = { ...read, birth: { id: read.birth.id, key } };
    this.#unanswered = 0;
    this.#changes += 1;
    await this.#keeper.replace(formatEntry(this.peer.config.policy));
    await this.#renew(0);
  }

  async close(): Promise<void> {
    await this.#link?.close();
    await this.#config.store.close();
  }

  /** Closes, and leaves nothing on the disk. */
  async erase(): Promise<void> {
    await this.#link?.close();
    await this.#config.store.erase();
  }

  #relive(entries: readonly Entry[]): void {
    const { peer, exchange, members, inherited } = this.#saved;
    for (const entry of entries) {
      if (entry.kind === BORN || entry.kind === FORMAT_ENTRY || this.#config.annex?.relive(entry)) continue;
      // What others said then was in the words of another version; they say it again.
      if (inherited && entry.kind.startsWith("exchange-")) continue;
      relive(entry, peer, exchange, members);
    }
  }

  /** Another version wrote this: from now on it is in our words, in both snapshots. */
  async #upgrade(from: Format, entries: number): Promise<void> {
    // No entry can have published more than one version.
    await this.#renew(entries);
    await this.#keeper.replace(formatEntry(this.peer.config.policy));
    const dropped = this.#saved.inherited ? "what it knew of others; they tell it again" : "";
    this.#config.onUpgraded?.({ from: from.format, to: FORMAT, dropped });
  }

  /**
   * Others may hold records of this peer that it does not know of any more, or other records than it would publish next
   * under the same version. Sixteenths of a second since 2026 are above them all: a peer publishes when it has seen a tenth
   * more than before, so never so often for long.
   */
  async #renew(most: number): Promise<void> {
    const { learner } = this.peer;
    if (learner.renew === undefined) return;
    const clock = Math.floor(((this.#config.now?.() ?? 0) - EPOCH_MS) / 62.5);
    const version = Math.min(MOST_RENEWED, Math.max((learner.heritage?.().version ?? 0) + most, clock));
    step(this.peer, { kind: "renew", version });
    await this.#write([renewed(version)]);
  }

  async #ask(
    exchange: Exchange,
    partner: PeerId,
    proposal: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<TickOutcome> {
    try {
      if (this.#link === null) throw new LinkError(`no way to ${partner}: no link yet`);
      // Not every link lets go when it is told to.
      const answer = await unlessAborted(this.#link.request(partner, proposal, { signal }), signal);
      const arrival = exchange.arrive(answer);
      const checked = arrival.records.length === 0 ? arrival : await this.#checked(exchange, arrival);
      const { records, verdict, complaint } = exchange.conclude(checked);
      this.#unanswered = 0;
      await this.#write(records.map(exchanged));
      if (complaint !== null) this.#count(complaint, partner);
      if (verdict !== null) this.#tell({ kind: "exchange", side: "proposed", partner, verdict });
      return verdict;
    } catch (error) {
      this.#keeper.requireWhole();
      if (error instanceof ProtocolViolation) this.#count(error, partner);
      return this.#doubt(exchange, partner);
    }
  }

  /** What came, once it is known to be what its origins said. Averages have no origin, and nothing to sign. */
  async #checked(exchange: Exchange, arrival: Arrival): Promise<Arrival> {
    await this.#seal?.check(arrival.records);
    return exchange.without(arrival, new Set(arrival.records.filter(({ origin }) => !this.admits(origin))));
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
    this.#keeper.requireWhole();
    const { exchange } = this;
    if (exchange === null) throw new ConfigError("policy", this.peer.config.policy.kind, "be one that exchanges");
    try {
      if (!this.admits(from)) return exchange.refuse(message, "not admitted");
      return exchange.once
        ? await this.#mix(exchange, from, message)
        : await this.#tellRecords(exchange, from, message);
    } catch (error) {
      if (error instanceof ProtocolViolation) this.#count(error, from);
      throw error;
    }
  }

  async #mix(exchange: Exchange, from: PeerId, message: Uint8Array): Promise<Uint8Array> {
    const { records, answer, verdict, complaint } = exchange.answer(from, message);
    if (records.length === 0) {
      // A proposal that came again. What was answered the first time may still be on its way to the disk.
      await this.#keeper.caughtUp();
      return answer;
    }
    await this.#write(records.map(exchanged));
    if (complaint !== null) this.#count(complaint, from);
    this.#tell({ kind: "exchange", side: "answered", partner: from, verdict });
    return answer;
  }

  async #tellRecords(exchange: Exchange, from: PeerId, message: Uint8Array): Promise<Uint8Array> {
    const draft = exchange.draft(from, message);
    // Others may hear of a version only once a crash cannot undo it: else the next one would have the same number.
    if (draft.records.some(({ origin }) => origin === this.peer.config.id)) await this.#keeper.caughtUp();
    const records = this.#seal === null ? draft.records : await this.#seal.outgoing(draft.records);
    const answer = exchange.finish(draft, records);
    this.#tell({ kind: "exchange", side: "answered", partner: from, verdict: draft.verdict });
    return answer;
  }

  #write(entries: readonly Entry[], changed = true): Promise<void> {
    if (entries.length === 0) return DONE;
    if (changed) this.#changes += 1;
    return this.#keeper.write(entries);
  }

  #snapshot(secret = true): Uint8Array {
    return writeSaved(this.#saved, this.#config.annex?.save() ?? null, secret);
  }

  #newId(): string {
    let id = "";
    for (let k = 0; k < 4; k++) id += digitsOf(this.#config.random.uint32());
    return id;
  }

  #count({ reason, message }: ProtocolViolation, partner: PeerId): void {
    this.violations.set(reason, (this.violations.get(reason) ?? 0) + 1);
    this.scores.add(partner, reason);
    this.#tell({ kind: "violation", partner, reason, message });
  }

  #tell(event: HostEvent): void {
    this.#config.onEvent?.(event);
  }
}
