import { type Arms, ConfigError, type Peer, type PeerId, type Policy, type Random, step } from "@coterie/core";
import { type Record, scoreArms, type ViolationReason } from "@coterie/core/internal";
import type { Exchange } from "../exchange/exchange.ts";
import { isOfReports, type Report, type ReportAnswer } from "../exchange/report.ts";
import { type Identity, identityFrom } from "../identity/identity.ts";
import { type Link, LinkError } from "../link/link.ts";
import { unlessAborted } from "../link/wait.ts";
import type { MeetingEffect, MeetingEvent, TickOutcome } from "../node/event.ts";
import { relive } from "../node/journal.ts";
import type { Meetings } from "../node/meetings.ts";
import { Node } from "../node/node.ts";
import type { QueuedReport } from "../node/reportQueue.ts";
import { Runner } from "../node/runner.ts";
import type { Scores } from "../node/scores.ts";
import { StoreError } from "../store/errors.ts";
import { isShared, type SharedStore } from "../store/shared/member.ts";
import type { Entry, Quarantine, Recovered } from "../store/store.ts";
import { type Ask, askToWrite, entriesOf } from "./asking.ts";
import { type Birth, BORN, birthOf, born } from "./birth.ts";
import type { Admitted, Earlier, HostConfig } from "./config.ts";
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
import { Keeper } from "./keeper.ts";
import { annexOf, carried, freshSaved, readSaved, type Saved, writeSaved } from "./saved.ts";
import { Seal } from "./seal.ts";

export type { HostEvent, TickOutcome } from "../node/event.ts";
export type { Admitted, Annex, Earlier, HostConfig, Upgrade, Written } from "./config.ts";

export interface TickSettings {
  /** False where the round is not to be closed first. */
  readonly close?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const DONE = Promise.resolve();

/** What a store has, and who that is. */
interface Start {
  readonly recovered: Recovered;
  readonly format: Format | null;
  /** False where nothing was ever written. */
  readonly known: boolean;
  readonly birth: Birth;
  readonly identity: Identity | null;
  /** Other terms that it was written under; null under ours. */
  readonly earlier: Earlier | null;
}

async function startOf(config: HostConfig, recovered: Recovered): Promise<Start> {
  if (recovered.quarantined !== null) config.onRepaired?.(recovered.quarantined);
  const format = formatOf(recovered);
  const earlier = earlierOf(config, recovered, "store");
  if (format !== null) requireFormat(format, config.peer.policy);
  const known = birthOf(recovered);
  const secret = known?.key ?? config.drawSeed?.() ?? null;
  const identity = secret === null ? null : await identityFrom(secret, config.agreement);
  const birth = { id: known?.id ?? identity?.id ?? config.peer.id, key: identity?.key ?? null };
  return { recovered, format, known: known !== null, birth, identity, earlier };
}

function savedOf(config: HostConfig, { recovered: { snapshot }, format, birth, earlier }: Start): Saved {
  const was = asWritten(config, earlier);
  const anew = earlier?.samePolicy === false;
  const load = (annex: Uint8Array, version: number): void => was.annex?.load(annex, version);
  if (snapshot !== null) return { ...readSaved(was, snapshot, load, anew), birth };
  return freshSaved(was, birth, anew || (format !== null && format.layout !== layoutOf(config.peer.policy)));
}

/** An owner that runs another version of the page writes entries that this one may misread. */
function requireSame({ format, earlier }: Start, policy: Policy): void {
  if (format !== null && isCurrent(format, policy) && earlier === null) return;
  throw new StoreError(
    "version",
    "the tab that owns the store runs another version of this page: reload that tab, or close it",
  );
}

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
  #recovered: Pick<Recovered, "incarnation" | "quarantined">;
  #link: Link | null = null;
  #saved: Saved;
  /** Where the peer has a key. */
  #seal: Seal | null;
  #changes = 0;
  /** What ends the waiting for an answer of the tick under way, and what the last one came to. */
  #signal: AbortSignal | undefined;
  #outcome: TickOutcome = null;
  /** When the next tick is to come; who listens has a clock. */
  onTickIn: (ms: number) => void = () => {};
  /** When others are to be told what waits for them. */
  onReportIn: (ms: number) => void = () => {};
  /** What becomes of reports of choices of this peer; who has the choices decides, and answers when that is on the disk. */
  onReports: (reports: readonly Report[]) => Promise<ReportAnswer[]> = async (reports) => reports.map(() => "unknown");
  #calls = 0;
  readonly #replies = new Map<number, { readonly answer: Uint8Array } | { readonly error: unknown }>();

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

  private constructor(config: HostConfig, start: Start) {
    this.#config = config;
    this.#shared = isShared(config.store) ? config.store : null;
    this.#keeper = this.#newKeeper();
    this.#recovered = start.recovered;
    this.#seal = start.identity === null ? null : new Seal(start.identity);
    this.#saved = savedOf(config, start);
    this.#relive(start.recovered.entries, start.earlier);
    const { random, onFailure } = config;
    const node = new Node({ life: this.#saved, config: { random, admits: (peer) => this.admits(peer) } });
    this.runner = new Runner(node, (effect) => this.#perform(effect), onFailure);
    this.#meetings = node.meetings!;
  }

  #newKeeper(): Keeper {
    const { store, snapshotEvery = 256 } = this.#config;
    return new Keeper(store, snapshotEvery, () => this.#snapshot());
  }

  /** Writes down what a start has to. */
  async #begin({ recovered, format, known, birth, earlier }: Start): Promise<void> {
    const { policy } = this.#config.peer;
    // From the first moment on: what it is called when it begins, it is called for ever.
    if (!known) await this.#keeper.begin([formatEntry(policy), born(birth)]);
    else if (earlier !== null) await this.#carry(earlier, recovered.entries.length);
    else if (format !== null && !isCurrent(format, policy)) await this.#upgrade(format, recovered.entries.length);
    // Its disk may be a copy that was made long ago, and nothing shows that: no version may be told with two contents.
    else if (recovered.quarantined !== null || this.#config.now !== undefined) await this.#renew(0);
    // Whoever holds its last record is asked for it.
    if (known && recovered.quarantined !== null) {
      await this.feed({ kind: "lost", date: this.#config.now?.() ?? 0 });
    }
  }

  get incarnation(): number {
    return this.#recovered.incarnation;
  }

  get quarantined(): Quarantine | null {
    return this.#recovered.quarantined;
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
    return this.#meetings.exchanging.scores;
  }

  /** How many of those in view are in the neighbourhood. */
  get nearCount(): number {
    return this.#meetings.nearCount;
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
    return this.#changes;
  }

  /** Picks an arm, at once and offline. */
  choose(arms: Arms, random?: Random): number {
    const effect = step(this.peer, { kind: "choose", arms, random })[0];
    if (effect?.kind !== "chosen") throw new ConfigError("arms", arms.count, "lead to a choice");
    return effect.arm;
  }

  /** The scores by which `choose` picks; null where the policy has none. */
  score(arms: Arms, random?: Random): Float64Array | null {
    return scoreArms(this.peer, arms, random);
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
    const { left, date } = this.#saved.loss;
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
    return this.#saved.queue.size;
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
    return this.#snapshot(secret);
  }

  /**
   * Goes on from what `save` gave, here or elsewhere, in place of the state so far. No tick may be under way. The state
   * keeps the name it was born with: what others hold under that name are the same observations, and they must not
   * count a second time under another. Whether it can still publish depends on whether its key came along.
   */
  async adopt(saved: Uint8Array): Promise<void> {
    this.#keeper.requireWhole();
    const read = this.#read(saved);
    const key = read.saved.birth.key ?? this.#saved.birth.key;
    const identity = key === null ? null : await identityFrom(key, this.#config.agreement);
    read.load();
    this.#seal = identity === null ? null : new Seal(identity);
    // What others hold may be later than the state that is wanted here.
    read.saved.loss.resume(read.saved.peer, null, 0);
    // What waits here for others has nothing to do with the state.
    for (const report of this.#saved.queue.all()) read.saved.queue.add(report);
    this.#saved = { ...read.saved, birth: { id: read.saved.birth.id, key } };
    this.#meetings.adopt(this.#saved);
    this.#changes += 1;
    await this.#keeper.replace(formatEntry(this.peer.config.policy));
    await this.#renew(0);
    this.#shared?.replaced();
    await this.feed({ kind: "gather" });
  }

  /** As owner of a shared store: does what another tab asks. What it settled before is not done again. */
  async serve(ask: Exclude<Ask, { kind: "tick" | "adopt" }>): Promise<{ settled: string | null }> {
    this.#keeper.requireWhole();
    const { fresh, settled } = this.#admit(entriesOf(ask));
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
    this.#relive(entries);
    this.#changes += 1;
  }

  /** As follower: an owner's state takes the place of this copy; what was asked and not answered comes on top of it. */
  async load(recovered: Recovered, unanswered: () => readonly Ask[]): Promise<void> {
    const start = await startOf(this.#config, recovered);
    requireSame(start, this.#config.peer.policy);
    this.#replace(start);
    for (const ask of unanswered()) this.#admit(entriesOf(ask));
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

  #replace(start: Start): void {
    this.#saved = savedOf(this.#config, start);
    this.#recovered = start.recovered;
    this.#seal = start.identity === null ? null : new Seal(start.identity);
    this.#relive(start.recovered.entries, start.earlier);
    this.#meetings.adopt(this.#saved);
    this.#changes += 1;
  }

  #admit(entries: readonly Entry[]): Admitted {
    return this.#config.annex?.admit(entries) ?? { fresh: entries, settled: null };
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

  /** A state to be adopted, and a way to take over what was kept beside it. */
  #read(bytes: Uint8Array): { readonly saved: Saved; readonly load: () => void } {
    const config = this.#config;
    const earlier = earlierOf(config, { snapshot: bytes, entries: [] }, "import");
    const { annex } = asWritten(config, earlier);
    const version = formatOf({ snapshot: bytes, entries: [] })?.format ?? FORMAT;
    const saved = readSaved(asWritten(config, earlier), bytes, () => {}, earlier?.samePolicy === false);
    const load = (): void => {
      if (saved.annex !== null) annex?.load(saved.annex, version);
      earlier?.adopt();
    };
    return { saved: earlier === null ? saved : carried(config, saved, earlier), load };
  }

  /** Other terms: from now on the state is under ours, in both snapshots. */
  async #carry(earlier: Earlier, entries: number): Promise<void> {
    this.#saved = carried(this.#config, this.#saved, earlier);
    this.#meetings.adopt(this.#saved);
    earlier.adopt();
    await this.#renew(entries);
    await this.#keeper.replace(formatEntry(this.peer.config.policy));
  }

  #relive(entries: readonly Entry[], earlier: Earlier | null = null): void {
    const { annex } = asWritten(this.#config, earlier);
    for (const entry of entries) {
      if (entry.kind === BORN || entry.kind === FORMAT_ENTRY || annex?.relive(entry)) continue;
      // What others said then was in the words of another version; they say it again.
      if (this.#saved.inherited && entry.kind.startsWith("exchange-")) continue;
      relive(entry, this.#saved);
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

  /** Publishes above all that was published before; `most`: by as many versions as may have been since. */
  #renew(most: number): Promise<void> {
    return this.feed({ kind: "renew", most, date: this.#config.now?.() ?? 0 });
  }

  async #perform(effect: MeetingEffect): Promise<void> {
    switch (effect.kind) {
      case "write":
        this.#keeper.requireWhole();
        await this.#write(effect.entries);
        if (effect.settled) await this.#keeper.caughtUp();
        return this.runner.perform(effect.then);
      case "propose":
        return this.feed(await this.#ask(effect.to, effect.proposal));
      case "check":
        return this.feed({ kind: "checked", error: await this.#fault(effect.records) });
      case "seal": {
        const records = this.#seal === null ? effect.records : await this.#seal.outgoing(effect.records);
        return this.feed({ kind: "sealed", call: effect.call, records });
      }
      case "tell-reports":
        return this.feed(await this.#tellReports(effect.to, effect.message));
      case "judge":
        return this.feed({ kind: "judged", call: effect.call, answers: await this.onReports(effect.reports) });
      case "report-in":
        this.onReportIn(effect.ms);
        return;
      case "reply":
      case "reject":
        this.#replies.set(effect.call, effect);
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

  async #ask(to: PeerId, proposal: Uint8Array): Promise<MeetingEvent> {
    const signal = this.#signal;
    try {
      if (this.#link === null) throw new LinkError(`no way to ${to}: no link yet`, true);
      // Not every link lets go when it is told to.
      const answer = await unlessAborted(this.#link.request(to, proposal, { signal }), signal);
      return { kind: "replied", answer };
    } catch (error) {
      return { kind: "unanswered", unsent: error instanceof LinkError && error.unsent };
    }
  }

  async #tellReports(to: PeerId, message: Uint8Array): Promise<MeetingEvent> {
    const answer = await this.#link?.request(to, message).catch(() => null);
    return { kind: "report-answered", to, answer: answer ?? null, date: this.#config.now?.() ?? 0 };
  }

  /** What is wrong with records that came; null where their origins signed them, or nothing is ever signed. */
  async #fault(records: readonly Record[]): Promise<unknown> {
    try {
      await this.#seal?.check(records);
      return null;
    } catch (error) {
      return error;
    }
  }

  async #answer(from: PeerId, message: Uint8Array): Promise<Uint8Array> {
    const call = this.#calls++;
    await this.feed(
      isOfReports(message)
        ? { kind: "reports", call, from, message }
        : { kind: "proposal", call, from, proposal: message },
    );
    const reply = this.#replies.get(call);
    this.#replies.delete(call);
    if (reply !== undefined && "answer" in reply) return reply.answer;
    throw reply?.error;
  }

  #write(entries: readonly Entry[], changed = true): Promise<void> {
    if (entries.length === 0) return DONE;
    if (changed) this.#changes += 1;
    return this.#keeper.write(entries);
  }

  #snapshot(secret = true): Uint8Array {
    return writeSaved(this.#saved, this.#config.annex?.save() ?? null, secret);
  }
}

/** Under which other terms a state was written; null under ours. */
function earlierOf(
  { annex, peer }: HostConfig,
  { snapshot, entries }: Pick<Recovered, "snapshot" | "entries">,
  field: "store" | "import",
): Earlier | null {
  const format = formatOf({ snapshot, entries });
  if (format === null || annex?.earlier === undefined) return null;
  // Of another policy another layout says nothing.
  if (format.format > FORMAT) requireFormat(format, peer.policy);
  return annex.earlier({ annex: snapshot === null ? null : annexOf(snapshot), entries, format: format.format }, field);
}

/** What reads a state as it was written. */
function asWritten(config: HostConfig, earlier: Earlier | null): HostConfig {
  if (earlier === null) return config;
  const { dimension, annex } = earlier;
  return { ...config, peer: { ...config.peer, dimension }, limits: { ...config.limits, dimension }, annex };
}
