import type { Peer, PeerId } from "@coterie/core";
import type { PeerRecord, ViolationReason } from "@coterie/core/internal";
import type { Exchange } from "../exchange/exchange.ts";
import type { ChoiceReport, ReportAnswer } from "../exchange/report.ts";
import type { Identity } from "../identity/identity.ts";
import type { Link } from "../link/link.ts";
import type { MeetingEffect, MeetingEvent, TickOutcome } from "../node/event.ts";
import type { Meetings } from "../node/meetings.ts";
import { Node } from "../node/node.ts";
import type { QueuedReport } from "../node/reportQueue.ts";
import { Runner } from "../node/runner.ts";
import type { Scores } from "../node/scores.ts";
import { isShared, type SharedStore } from "../store/shared/member.ts";
import type { Entry, Quarantine, Recovered } from "../store/store.ts";
import { type Ask, askToWrite, entriesOf } from "./asking.ts";
import { born } from "./birth.ts";
import type { Earlier, HostConfig } from "./config.ts";
import { FORMAT, type Format, formatEntry, isCurrent } from "./format.ts";
import { HostLink } from "./hostLink.ts";
import { HostState } from "./hostState.ts";
import { Keeper } from "./keeper.ts";
import { type OpenedStore, requireSame, startOf } from "./start.ts";

export type { HostEvent, TickOutcome } from "../node/event.ts";
export type { Admitted, Annex, Earlier, HostConfig, Upgrade, Written } from "./config.ts";

export interface TickSettings {
  /** False where the round is not to be closed first. */
  readonly close?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const DONE = Promise.resolve();

/**
 * One peer with a disk and a key: it drives the node's meetings. It writes down what must survive before anybody relies on
 * it, signs and checks, and speaks over the link. Nothing here decides anything.
 */
export class PeerHost {
  readonly runner: Runner;
  readonly #meetings: Meetings;
  readonly #config: HostConfig;
  /** Where other tabs may have the store open too. */
  readonly #shared: SharedStore | null;
  #keeper: Keeper;
  readonly #link = new HostLink((event) => this.feed(event));
  readonly #state: HostState;
  /** What ends the waiting for an answer of the tick under way, and what the last one came to. */
  #signal: AbortSignal | undefined;
  #outcome: TickOutcome = null;
  /** When the next tick is to come; who listens has a clock. */
  onTickIn: (ms: number) => void = () => {};
  /** When others are to be told what waits for them. */
  onReportIn: (ms: number) => void = () => {};
  /** What becomes of reports of choices of this peer; who has the choices decides, and answers when that is on the disk. */
  onReports: (reports: readonly ChoiceReport[]) => Promise<ReportAnswer[]> = async (reports) =>
    reports.map(() => "unknown");

  /** Opens the store and goes on where it left off, or begins. */
  static async open(config: HostConfig): Promise<PeerHost> {
    const recovered = await config.store.open({ signal: config.signal });
    try {
      const start = await startOf(config, recovered);
      const host = new PeerHost(config, start);
      if (host.follows) requireSame(start, config.peer.policy);
      else await host.#begin(start);
      if (config.link !== undefined) host.attach(config.link);
      return host;
    } catch (error) {
      await config.store.close();
      throw error;
    }
  }

  private constructor(config: HostConfig, start: OpenedStore) {
    this.#config = config;
    this.#shared = isShared(config.store) ? config.store : null;
    this.#keeper = this.#newKeeper();
    this.#state = new HostState(config, start);
    const { random, onFailure } = config;
    const node = new Node({ life: this.#state.saved, config: { random, admits: (peer) => this.admits(peer) } });
    this.runner = new Runner(node, (effect) => this.#perform(effect), onFailure);
    this.#meetings = node.meetings!;
  }

  #newKeeper(): Keeper {
    const { store, snapshotEvery = 256 } = this.#config;
    return new Keeper(store, snapshotEvery, () => this.#state.snapshot());
  }

  /** Writes down what a start has to. */
  async #begin({ recovered, format, known, birth, earlier }: OpenedStore): Promise<void> {
    const { policy } = this.#config.peer;
    // From the first moment on: what it is called when it begins, it is called for ever.
    if (!known) await this.#keeper.begin([formatEntry(policy), born(birth)]);
    else if (earlier !== null) await this.#carry(earlier, recovered.entries.length);
    else if (format !== null && !isCurrent(format, policy)) await this.#upgrade(format, recovered.entries.length);
    // Its disk may be a copy that was made long ago, and nothing shows that: no version may be told with two contents.
    else if (recovered.quarantined !== null || this.#config.now !== undefined) await this.#renew(0);
    // Whoever holds its last record is asked for it.
    if (known && recovered.quarantined !== null) {
      await this.feed({ kind: "lost", date: this.#now() });
    }
  }

  #now(): number {
    return this.#config.now?.() ?? 0;
  }

  get incarnation(): number {
    return this.#state.recovered.incarnation;
  }

  get quarantined(): Quarantine | null {
    return this.#state.recovered.quarantined;
  }

  /** Where other tabs may have the store open too: what they share. */
  get shared(): SharedStore | null {
    return this.#shared;
  }

  /** Whether another tab owns the store: this one chooses from a copy, and asks that one for every change. */
  get follows(): boolean {
    return this.#shared?.follows ?? false;
  }

  /** What partners sent that no correct peer sends, by reason. */
  get violations(): ReadonlyMap<ViolationReason, number> {
    return this.#meetings.exchanging.violations;
  }

  /** What that weighs against each of them. */
  get scores(): Scores {
    return this.runner.node.scores;
  }

  /** How many of those in view are in the neighbourhood. */
  get nearCount(): number {
    return this.#meetings.nearCount;
  }

  /** Who this peer is, where it has a key. Its name here may be younger than the state: see `adopt`. */
  get identity(): Identity | null {
    return this.#state.seal?.identity ?? null;
  }

  /** The name its records go by; null where it publishes none, because it has no key of that name or no records. */
  get origin(): PeerId | null {
    return this.#state.origin;
  }

  /** Talks over this link from now on. */
  attach(link: Link): void {
    this.#link.attach(link);
  }

  get peer(): Peer {
    return this.#state.saved.peer;
  }

  get exchange(): Exchange | null {
    return this.#state.saved.exchange;
  }

  /** How many others are in the room, as far as is known. */
  get others(): number {
    return this.runner.node.count - 1;
  }

  /** Whether to have anything to do with `peer`. */
  admits(peer: PeerId): boolean {
    return this.#config.admits?.(peer) ?? true;
  }

  /** Rises whenever the peer's state has changed. */
  get changes(): number {
    return this.#state.changes;
  }

  /**
   * Learns; when the promise resolves, the reward survives a crash, and so does what is noted `beside` it. `retold`: for a
   * choice of before `lostAt`.
   */
  observe(arm: Float64Array, reward: number, beside: readonly Entry[] = [], retold = false): Promise<void> {
    if (this.follows) return askToWrite(this.#shared!, { kind: "observe", arm, reward, beside, retold });
    return this.feed({ kind: "observe", arm, reward, beside, retold });
  }

  /** When it was found that own observations are lost, while others are asked for them; else null. */
  get lostAt(): number | null {
    const { left, date } = this.#state.saved.loss;
    return left === null ? null : date;
  }

  /** The peer's taste has changed: it starts anew. When the promise resolves, that survives a crash. */
  change(beside: readonly Entry[] = []): Promise<void> {
    if (this.follows) return askToWrite(this.#shared!, { kind: "change", beside });
    return this.feed({ kind: "change" });
  }

  /** Takes a report to the peer that chose. When the promise resolves, it survives a crash here. */
  report(report: QueuedReport): Promise<void> {
    if (this.follows) return askToWrite(this.#shared!, { kind: "report", report });
    return this.feed({ kind: "report", report });
  }

  /** Reports that wait for other peers. */
  get queued(): number {
    return this.#state.saved.queue.size;
  }

  /** Whether some of them are for this one. */
  queuesFor(chooser: PeerId): boolean {
    return this.#state.saved.queue.first(chooser, 1).length > 0;
  }

  /** Writes down entries of the annex. */
  async note(entries: readonly Entry[]): Promise<void> {
    if (this.follows) return askToWrite(this.#shared!, { kind: "note", entries });
    this.#keeper.requireWhole();
    await this.#write(entries, false);
  }

  /** Somebody joined, or left for good. Who is in already does not join again. */
  async member(kind: "join" | "leave", peer: PeerId): Promise<void> {
    await this.feed({ kind: kind === "join" ? "joined" : "left", peer });
    if (kind === "leave") await this.feed({ kind: "gone", peer });
  }

  /** One turn of the peer's own clock: closes the round and meets `partner`, if there is one. */
  tick(partner: PeerId | null, { close = true, signal }: TickSettings = {}): Promise<TickOutcome> {
    return this.turn({ kind: "tick", partner, close }, signal);
  }

  /** A tick, one at a time, and what came of it. */
  async turn(event: MeetingEvent, signal?: AbortSignal): Promise<TickOutcome> {
    this.#signal = signal;
    this.#outcome = null;
    await this.feed(event);
    return this.#outcome;
  }

  /** Something happens. Resolves when all that follows is done, and what was written down survives a crash. */
  async feed(event: MeetingEvent): Promise<void> {
    this.#keeper.requireWhole();
    await this.runner.feed(event);
  }

  /** Everything there is to know of this peer, as one piece of bytes for `adopt`; its key only where `secret` says so. */
  save(secret = false): Uint8Array {
    return this.#state.snapshot(secret);
  }

  /**
   * Goes on from what `save` gave, here or elsewhere, in place of the state so far. No tick may be under way. The state
   * keeps the name it was born with: what others hold under that name are the same observations, and they must not
   * count a second time under another. Whether it can still publish depends on whether its key came along.
   */
  async adopt(saved: Uint8Array): Promise<void> {
    this.#keeper.requireWhole();
    this.#state.adopt(await this.#state.read(saved));
    this.#meetings.adopt(this.#state.saved);
    await this.#keeper.replace(formatEntry(this.peer.config.policy));
    await this.#renew(0);
    this.#shared?.replaced();
    await this.feed({ kind: "gather" });
  }

  /** As owner of a shared store: does what another tab asks. What it settled before is not done again. */
  async serve(ask: Exclude<Ask, { kind: "tick" | "adopt" }>): Promise<{ settled: string | null }> {
    this.#keeper.requireWhole();
    const { fresh, settled } = this.#state.admit(entriesOf(ask));
    // An answer must not be ahead of the disk, not even that somebody else was first.
    if (settled !== null) await this.#keeper.caughtUp();
    else if (ask.kind === "observe") await this.observe(ask.arm, ask.reward, fresh, ask.retold);
    else if (ask.kind === "report") await this.report(ask.report);
    // In one turn, so that one write takes both.
    else if (ask.kind === "change") await Promise.all([this.change(), this.note(fresh)]);
    else await this.note(fresh);
    return { settled };
  }

  /** As follower: the owner has written these. */
  hear(entries: readonly Entry[]): void {
    this.#state.hear(entries);
  }

  /** As follower: an owner's state takes the place of this copy; what was asked and not answered comes on top of it. */
  async load(recovered: Recovered, unanswered: () => readonly Ask[]): Promise<void> {
    const start = await startOf(this.#config, recovered);
    requireSame(start, this.#config.peer.policy);
    this.#replace(start);
    for (const ask of unanswered()) this.#state.admit(entriesOf(ask));
  }

  /** The shared store is this tab's now: goes on from what is written there. `begin` is called in the same turn. */
  async own(recovered: Recovered, begin: () => void): Promise<void> {
    const start = await startOf(this.#config, recovered);
    this.#keeper = this.#newKeeper();
    this.#config.annex?.clear();
    this.#replace(start);
    // The first entries of a log, where there is none, come before what others ask for.
    const begun = this.#begin(start);
    begin();
    await begun;
  }

  #replace(start: OpenedStore): void {
    this.#state.replace(start);
    this.#meetings.adopt(this.#state.saved);
  }

  async close(): Promise<void> {
    await this.#link.close();
    await this.#config.store.close();
  }

  /** Closes, and leaves nothing on the disk. */
  async erase(): Promise<void> {
    await this.#link.close();
    await this.#config.store.erase();
  }

  /** Other terms: from now on the state is under ours, in both snapshots. */
  async #carry(earlier: Earlier, entries: number): Promise<void> {
    this.#state.carry(earlier);
    this.#meetings.adopt(this.#state.saved);
    earlier.adopt();
    await this.#renew(entries);
    await this.#keeper.replace(formatEntry(this.peer.config.policy));
  }

  /** Another version wrote this: from now on it is in our words, in both snapshots. */
  async #upgrade(from: Format, entries: number): Promise<void> {
    // No entry can have published more than one version.
    await this.#renew(entries);
    await this.#keeper.replace(formatEntry(this.peer.config.policy));
    const dropped = this.#state.saved.inherited ? "what it knew of others; they tell it again" : "";
    this.#config.onUpgraded?.({ from: from.format, to: FORMAT, dropped });
  }

  /** Publishes above all that was published before; `most`: by as many versions as may have been since. */
  #renew(most: number): Promise<void> {
    return this.feed({ kind: "renew", most, date: this.#now() });
  }

  async #perform(effect: MeetingEffect): Promise<void> {
    switch (effect.kind) {
      case "write":
        this.#keeper.requireWhole();
        await this.#write(effect.entries);
        if (effect.settled) await this.#keeper.caughtUp();
        await this.runner.perform(effect.then);
        return;
      case "propose":
        return this.feed(await this.#link.propose(effect, this.#signal));
      case "check":
        return this.feed({ kind: "checked", error: await this.#fault(effect.records) });
      case "seal": {
        const records = this.#state.seal === null ? effect.records : await this.#state.seal.outgoing(effect.records);
        return this.feed({ kind: "sealed", call: effect.call, records });
      }
      case "tell-reports":
        return this.feed(await this.#link.tellReports(effect.to, effect.message, this.#now()));
      case "judge":
        return this.feed({ kind: "judged", call: effect.call, answers: await this.onReports(effect.reports) });
      case "report-in":
        this.onReportIn(effect.ms);
        return;
      case "reply":
      case "reject":
        this.#link.reply(effect.call, effect);
        return;
      case "tell":
        this.#config.onEvent?.(effect.event);
        return;
      case "ticked":
        this.#outcome = effect.outcome;
        return;
      case "next":
        return this.feed(effect.event);
      case "tick-in":
        this.onTickIn(effect.ms);
    }
  }

  /** What is wrong with records that came; null where their origins signed them, or nothing is ever signed. */
  async #fault(records: readonly PeerRecord[]): Promise<unknown> {
    try {
      await this.#state.seal?.check(records);
      return null;
    } catch (error) {
      return error;
    }
  }

  #write(entries: readonly Entry[], changed = true): Promise<void> {
    if (entries.length === 0) return DONE;
    if (changed) this.#state.changed();
    return this.#keeper.write(entries);
  }
}
