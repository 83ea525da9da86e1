import { type Peer, type PeerId, step } from "@coterie/core";
import { begin, type ViolationReason, work } from "@coterie/core/internal";
import type { Exchange } from "../exchange/exchange.ts";
import type { Identity } from "../identity/identity.ts";
import type { TickOutcome } from "../node/event.ts";
import { CHANGED, type Life, lost, observed } from "../node/journal.ts";
import { renew } from "../node/renew.ts";
import type { QueuedReport } from "../node/reportQueue.ts";
import { isShared, type SharedStore } from "../store/shared/member.ts";
import type { Entry, Quarantine, Recovered } from "../store/store.ts";
import { type Ask, askToWrite, entriesOf } from "./asking.ts";
import { born } from "./birth.ts";
import type { Earlier, HostConfig } from "./config.ts";
import { FORMAT, type Format, formatEntry, isCurrent } from "./format.ts";
import { HostState } from "./hostState.ts";
import { MeetingDriver } from "./meetingDriver.ts";
import { type OpenedStore, requireSame, startOf } from "./start.ts";

export type { HostEvent, TickOutcome } from "../node/event.ts";
export type { Admitted, Annex, Earlier, HostConfig, Upgrade, Written } from "./config.ts";

export interface TickSettings {
  /** False where the round is not to be closed first. */
  readonly close?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** One peer with a disk and a key: it opens its store, takes in what the app tells it, and shares the store with other tabs. */
export class PeerHost {
  /** Meets others for it. */
  readonly driver: MeetingDriver;
  readonly #config: HostConfig;
  /** Where other tabs may have the store open too: what they share. */
  readonly shared: SharedStore | null;
  readonly #state: HostState;

  /** Opens the store and goes on where it left off, or begins. */
  static async open(config: HostConfig): Promise<PeerHost> {
    const recovered = await config.store.open({ signal: config.signal });
    try {
      const start = await startOf(config, recovered);
      await config.pause?.();
      const host = new PeerHost(config, start);
      await config.pause?.();
      if (host.follows) requireSame(start, config.peer.policy);
      else await host.#begin(start);
      if (config.link !== undefined) host.driver.attach(config.link);
      return host;
    } catch (error) {
      await config.store.close();
      throw error;
    }
  }

  private constructor(config: HostConfig, start: OpenedStore) {
    this.#config = config;
    this.shared = isShared(config.store) ? config.store : null;
    this.#state = new HostState(config, start);
    this.driver = new MeetingDriver(config, this.#state);
  }

  /** Writes down what a start has to. */
  async #begin({ recovered, format, known, birth, earlier }: OpenedStore): Promise<void> {
    const { policy } = this.#config.peer;
    // From the first moment on: what it is called when it begins, it is called for ever.
    if (!known) await this.driver.keeper.begin([formatEntry(policy), born(birth)]);
    else if (earlier !== null) await this.#carry(earlier, recovered.entries.length);
    else if (format !== null && !isCurrent(format, policy)) await this.#upgrade(format, recovered.entries.length);
    // Its disk may be a copy that was made long ago, and nothing shows that: no version may be told with two contents.
    else if (recovered.quarantined !== null || this.#config.now !== undefined) await this.renew(0);
    if (known && recovered.quarantined !== null) await this.lost();
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

  /** Whether another tab owns the store: this one chooses from a copy, and asks that one for every change. */
  get follows(): boolean {
    return this.shared?.follows ?? false;
  }

  /** What partners sent that no correct peer sends, by reason. */
  get violations(): ReadonlyMap<ViolationReason, number> {
    return this.driver.node.meetings!.exchanging.violations;
  }

  /** How many of those in view are in the neighbourhood. */
  get nearCount(): number {
    return this.driver.node.meetings!.nearCount;
  }

  /** Who this peer is, where it has a key. Its name here may be younger than the state: see `adopt`. */
  get identity(): Identity | null {
    return this.#state.seal?.identity ?? null;
  }

  /** The name its records go by; null where it publishes none, because it has no key of that name or no records. */
  get origin(): PeerId | null {
    return this.#state.origin;
  }

  get peer(): Peer {
    return this.#state.saved.peer;
  }

  get exchange(): Exchange | null {
    return this.#state.saved.exchange;
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
    if (this.follows) return askToWrite(this.shared!, { kind: "observe", arm, reward, beside, retold });
    return this.#live(({ peer, loss }) => {
      begin(peer, { kind: "observe", arm, reward });
      if (retold) loss.retold(arm, reward);
      return [observed(arm, reward, retold), ...beside];
    });
  }

  /** When it was found that own observations are lost, while others are asked for them; else null. */
  get lostAt(): number | null {
    const { left, date } = this.#state.saved.loss;
    return left === null ? null : date;
  }

  /** The peer's taste has changed: it starts anew. When the promise resolves, that survives a crash. */
  change(beside: readonly Entry[] = []): Promise<void> {
    if (this.follows) return askToWrite(this.shared!, { kind: "change", beside });
    return this.#live(({ peer }) => {
      step(peer, { kind: "change" });
      return [CHANGED];
    });
  }

  /** Takes a report to the peer that chose. When the promise resolves, it survives a crash here. */
  report(report: QueuedReport): Promise<void> {
    if (this.follows) return askToWrite(this.shared!, { kind: "report", report });
    return this.driver.feed({ kind: "report", report });
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
    if (this.follows) return askToWrite(this.shared!, { kind: "note", entries });
    this.driver.keeper.requireWhole();
    if (entries.length > 0) await this.driver.keeper.write(entries);
  }

  /** Somebody joined, or left for good. Who is in already does not join again. */
  async member(kind: "join" | "leave", peer: PeerId): Promise<void> {
    await this.driver.feed({ kind: kind === "join" ? "joined" : "left", peer });
    if (kind === "leave") await this.driver.feed({ kind: "gone", peer });
  }

  /** One turn of the peer's own clock: closes the round and meets `partner`, if there is one. */
  tick(partner: PeerId | null, { close = true, signal }: TickSettings = {}): Promise<TickOutcome> {
    return this.driver.turn({ kind: "tick", partner, close }, signal);
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
    this.driver.keeper.requireWhole();
    this.#state.adopt(await this.#state.read(saved));
    this.driver.adopt();
    await this.driver.keeper.replace(formatEntry(this.peer.config.policy));
    await this.renew(0);
    this.shared?.replaced();
    await this.driver.feed({ kind: "gather" });
  }

  /** As owner of a shared store: does what another tab asks. What it settled before is not done again. */
  async serve(ask: Exclude<Ask, { kind: "tick" | "adopt" }>): Promise<{ settled: string | null }> {
    this.driver.keeper.requireWhole();
    const { fresh, settled } = this.#state.admit(entriesOf(ask));
    // An answer must not be ahead of the disk, not even that somebody else was first.
    if (settled !== null) await this.driver.keeper.caughtUp();
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
    this.driver.keeper = this.driver.newKeeper();
    this.#config.annex?.clear();
    this.#replace(start);
    // The first entries of a log, where there is none, come before what others ask for.
    const begun = this.#begin(start);
    begin();
    await begun;
  }

  #replace(start: OpenedStore): void {
    this.#state.replace(start);
    this.driver.adopt();
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.#config.store.close();
  }

  /** Closes, and leaves nothing on the disk. */
  async erase(): Promise<void> {
    await this.driver.close();
    await this.#config.store.erase();
  }

  /** Other terms: from now on the state is under ours, in both snapshots. */
  async #carry(earlier: Earlier, entries: number): Promise<void> {
    this.#state.carry(earlier);
    this.driver.adopt();
    earlier.adopt();
    await this.renew(entries);
    await this.driver.keeper.replace(formatEntry(this.peer.config.policy));
  }

  /** Another version wrote this: from now on it is in our words, in both snapshots. */
  async #upgrade(from: Format, entries: number): Promise<void> {
    // No entry can have published more than one version.
    await this.renew(entries);
    await this.driver.keeper.replace(formatEntry(this.peer.config.policy));
    const dropped = this.#state.saved.inherited ? "what it knew of others; they tell it again" : "";
    this.#config.onUpgraded?.({ from: from.format, to: FORMAT, dropped });
  }

  /** Publishes above all that was published before; `most`: by as many versions as may have been since. */
  renew(most: number): Promise<void> {
    return this.#live(({ peer }) => renew(peer, most, this.#now()));
  }

  /** Own observations were lost: whoever holds its last record is asked for it. */
  lost(): Promise<void> {
    const date = this.#now();
    return this.#live(({ peer, loss }) => {
      loss.begin(peer, date);
      return loss.left === null ? [] : [lost(date)];
    });
  }

  /** Something happens to the peer that has nothing to do with others. When it resolves, it survives a crash. */
  async #live(change: (life: Life) => readonly Entry[]): Promise<void> {
    const { keeper } = this.driver;
    keeper.requireWhole();
    const entries = change(this.#state.saved);
    if (entries.length === 0) return;
    this.#state.changed();
    if (!work(this.#state.saved.peer)) return keeper.write(entries);
    const written = keeper.write(entries, true);
    // What goes wrong is told when the work is done.
    written.catch(() => {});
    await this.driver.work();
    await Promise.all([written, keeper.caughtUp()]);
  }
}
