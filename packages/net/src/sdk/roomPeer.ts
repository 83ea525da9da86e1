/// <reference lib="esnext.disposable" preserve="true" />
import { ConfigError, check, type PeerId } from "@coterie/core";
import { checkPropensities, chooseArm } from "@coterie/core/internal";
import type { ReportKind } from "../exchange/report.ts";
import type { Features } from "../features/features.ts";
import { type BadItem, Menu } from "../features/menu.ts";
import type { Context, Declared, Item, ScoreParts } from "../features/schema.ts";
import type { Warning } from "../features/warnings.ts";
import type { PeerHost, TickOutcome } from "../host/host.ts";
import type { Network } from "../link/network.ts";
import { unlessAborted, type Waiting } from "../link/wait.ts";
import type { Announcements } from "./announcements.ts";
import { Choice, type Maker } from "./choice.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import { Choices } from "./choices.ts";
import type { ChooseOptions, Last, Situation } from "./chooseOptions.ts";
import { asyncDispose, dispose } from "./dispose.ts";
import type { EventOf, PeerEventKind } from "./events.ts";
import { type PendingChoice, pendingOf, type Scored, scored, weightsOf } from "./inspect.ts";
import { Lifecycle } from "./lifecycle.ts";
import { DecisionLog, type LogOptions, type LogSink } from "./log.ts";
import type { Settings } from "./options.ts";
import type { Papers } from "./papers.ts";
import { pack, unpack } from "./portable.ts";
import { Reports, type TokenAnswer } from "./reports.ts";
import { type RewardAnswer, Settling } from "./settling.ts";
import { Slate, type SlateOptions } from "./slate.ts";
import { describeState, type PeerState } from "./state.ts";
import { Ticking, type TickRequest } from "./ticking.ts";
import { ofArms, Watched, type WatchOptions } from "./watched.ts";

/** What a peer is put together from; `createPeer` does that. */
export interface Parts<S extends Declared> {
  readonly settings: Settings<S>;
  /** A digest of what this peer's numbers mean. */
  readonly terms: string;
  readonly network: Network;
  readonly host: PeerHost;
  readonly papers: Papers;
  readonly announcements: Announcements;
}

/** What is known of somebody else's choice that is learnt from at once. */
export type ObserveOptions<X = undefined> = Situation<X> & Waiting;

/** What shadow mode has to say about a choice of the app's. */
export interface Observed {
  /** The place of the item that this peer would have chosen. */
  readonly wouldChoose: number;
}

/** A peer in a room: chooses for its app, learns from what that pays, and learns with others of its kind. */
export class RoomPeer<S extends Declared> implements Disposable, AsyncDisposable {
  readonly features: Features<Item<S>, ScoreParts<S>, Context<S>>;
  readonly #parts: Parts<S>;
  readonly #menu: Menu<Item<S>, Context<S>>;
  readonly #choices: Choices;
  readonly #settling: Settling;
  readonly #maker: Maker;
  readonly #log: DecisionLog;
  readonly #reports: Reports;
  readonly #lifecycle: Lifecycle;

  private constructor(parts: Parts<S>) {
    const { settings, host, network, papers, announcements } = parts;
    const { emitter } = announcements;
    const { ledger } = papers;
    const { features, onBadItem, policy, rewards, floor, clock, random, tick } = settings;
    this.#parts = parts;
    this.features = features;
    const onBad = (bad: BadItem): void => void emitter.emit({ kind: "bad-item", ...bad });
    const onWarning = (warning: Warning): void => emitter.warn(warning);
    this.#menu = new Menu(features, { onBadItem, onBad, onWarning });
    const onFailure = (error: unknown): void => announcements.failed(error);
    const neighbours = (): number => host.nearCount;
    const log = new DecisionLog(features.names, () => network.self, onFailure);
    this.#log = log;
    const onDropped = (count: number): void => announcements.dropped(count, ledger.most);
    const settling = new Settling({ host, ledger, rewards, clock, random, log, onDropped, onWarning, onFailure });
    this.#settling = settling;
    this.#choices = new Choices({ host, settling, policy, floor, clock, random, log, neighbours });
    const before = (): Promise<void> => settling.expire();
    const ticking = new Ticking({ host, clock, random, tick, before, onFailure });
    const self = (): PeerId => network.self;
    const { room } = settings;
    this.#reports = new Reports({ room, self, host, settling, ledger, rewards, clock, onFailure });
    const reports = this.#reports;
    this.#lifecycle = new Lifecycle({ host, network, papers, announcements, settling, reports, ticking });
    this.#maker = {
      features,
      unit: rewards.unit,
      reward: (id, value, waiting) => this.reward(id, value, waiting),
      token: (id, expires) => this.#reports.token(id, expires),
      saved: () => settling.saved(),
    };
  }

  /** @internal */
  static async start<S extends Declared>(parts: Parts<S>): Promise<RoomPeer<S>> {
    const peer = new RoomPeer(parts);
    await peer.#lifecycle.start();
    return peer;
  }

  /** @internal What lies below, for those who check it from outside. */
  get host(): PeerHost {
    return this.#parts.host;
  }

  /** This peer's name in the room. */
  get self(): PeerId {
    return this.#parts.network.self;
  }

  /** Picks one item: at once, offline too. The choice waits for its reward. */
  choose<T extends Item<S>>(
    items: readonly T[],
    ...[options]: Last<ChooseOptions<T, Context<S>>, Context<S>>
  ): Choice<T, ScoreParts<S>> {
    this.#mustDecide("choose");
    const decision = this.#choices.decide(this.#menu.read(items, options));
    return new Choice(items[decision.index], decision, this.#maker);
  }

  /** The best `k` items, or all if there are fewer, best first. Each is a choice of its own and waits for its reward. */
  chooseTop<T extends Item<S>>(
    items: readonly T[],
    k: number,
    ...[options]: Last<ChooseOptions<T, Context<S>>, Context<S>>
  ): Choice<T, ScoreParts<S>>[] {
    this.#mustDecide("chooseTop");
    check.whole("k", k, 1);
    const decisions = this.#choices.decideTop(this.#menu.read(items, options), k);
    return decisions.map((decision) => new Choice(items[decision.index], decision, this.#maker));
  }

  /**
   * A list of the best `k` items for somebody who may look at some of them. What nobody has seen teaches nothing: say with
   * `slate.shown(n)` how many were. The menu is scored once.
   */
  slate<T extends Item<S>>(items: readonly T[], options: SlateOptions<T, Context<S>>): Slate<T, ScoreParts<S>> {
    this.#mustDecide("slate");
    const menu = this.#menu.read(items, options, ["k"]);
    const decisions = this.#choices.decideTop(menu, check.whole("k", options.k, 1), true);
    return new Slate(
      decisions.map((decision) => new Choice<T, ScoreParts<S>>(items[decision.index], decision, this.#maker)),
      this,
    );
  }

  /** The first `places` of a slate were seen; by its id, also after a restart. */
  shown(slate: ChoiceId, places: number): void {
    this.#lifecycle.requireOpen();
    this.#settling.shown(check.text("slate", slate), check.whole("places", places, 0));
  }

  /** Whatever nobody has seen of a slate never will be; by its id, also after a restart. */
  cancel(slate: ChoiceId): void {
    this.#lifecycle.requireOpen();
    this.#settling
      .cancel(check.text("slate", slate))
      .catch((error: unknown) => this.#parts.announcements.failed(error));
  }

  /** What this peer thinks of each item, in the order of the list. Decides nothing, and nothing waits because of it. */
  score<T extends Item<S>>(
    items: readonly T[],
    ...[options]: Last<ChooseOptions<T, Context<S>>, Context<S>>
  ): Scored<T, ScoreParts<S>>[] {
    this.#lifecycle.requireOpen();
    const { unit } = this.#parts.settings.rewards;
    const found = this.#choices.score(this.#menu.read(items, options));
    return found.map((arm) => scored(items[arm.index], arm, this.features, unit));
  }

  /** Choices that wait for a reward, the oldest first; all, or the first `most`. */
  pending({ most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {}): PendingChoice[] {
    return pendingOf(this.#parts.papers.ledger, this.features, most);
  }

  /**
   * What each coordinate adds to the expected reward where its value is 1, by its name: `genre=news`, `device×genre=phone×news`.
   * In the app's unit of reward, as choices see it now.
   */
  weights(): Readonly<Record<string, number>> {
    const { settings, host } = this.#parts;
    return weightsOf(host.peer.learner.view.estimate, this.features, settings.rewards.unit);
  }

  /** What a choice was worth, by its id: also after a restart. When the promise resolves, it survives a crash. */
  async reward(id: ChoiceId, value: number, { signal }: Waiting = {}): Promise<RewardAnswer> {
    this.#lifecycle.requireOpen();
    signal?.throwIfAborted();
    return unlessAborted(this.#settling.reward(id, value), signal);
  }

  /**
   * What a choice was worth, by its token, whichever worker of the app made it. At the worker that did, as `reward`; at any
   * other `queued`: it is in this one's store then, the chooser is told as soon as it can be reached, and a `reported` event says
   * what became of it. Throws a `TokenError` for what is no good token.
   */
  async rewardToken(token: string, value: number, { signal }: Waiting = {}): Promise<TokenAnswer> {
    this.#parts.settings.rewards.check("reward", value);
    return (await this.#report("reward", token, value, signal)) as TokenAnswer;
  }

  /** The first `places` of a slate were seen; by its token, at any worker. `queued` where another one made it. */
  async shownToken(token: string, places: number, { signal }: Waiting = {}): Promise<"noted" | "expired" | "queued"> {
    const answer = await this.#report("shown", token, check.whole("places", places, 0), signal);
    return answer as "noted" | "expired" | "queued";
  }

  /** Whatever nobody has seen of a slate never will be; by its token, at any worker. */
  async cancelToken(token: string, { signal }: Waiting = {}): Promise<"noted" | "expired" | "queued"> {
    return (await this.#report("cancel", token, 0, signal)) as "noted" | "expired" | "queued";
  }

  #report(...[kind, token, value, signal]: [ReportKind, string, number, AbortSignal | undefined]) {
    this.#lifecycle.requireOpen();
    signal?.throwIfAborted();
    return unlessAborted(this.#reports.take(kind, check.text("token", token), value), signal);
  }

  /** Learns from what somebody else decided: items[index] paid `reward`. Decides nothing. */
  async observe<T extends Item<S>>(
    items: readonly T[],
    index: number,
    reward: number,
    ...[options]: Last<ObserveOptions<Context<S>>, Context<S>>
  ): Promise<Observed> {
    this.#lifecycle.requireOpen();
    const signal: AbortSignal | undefined = options?.signal;
    signal?.throwIfAborted();
    const { host, settings } = this.#parts;
    const menu = this.#menu.read(items, options, ["signal"]);
    const { arms, places } = menu;
    const at = this.#menu.armOf(index, items) * this.features.dimension;
    const learnt = settings.rewards.learnt(settings.rewards.check("reward", reward));
    const would = chooseArm(host.peer, arms, settings.random);
    const arm = arms.values.slice(at, at + this.features.dimension);
    const written = host.observe(arm, learnt, this.#settling.request());
    await unlessAborted(written, signal);
    return { wouldChoose: places?.[would] ?? would };
  }

  /**
   * Watches what somebody else decided, items[index], and says what this peer would have. The choice waits for its reward
   * as one of this peer's own does, also across a restart; then the peer learns from it.
   */
  watch<T extends Item<S>>(
    items: readonly T[],
    index: number,
    ...[options]: Last<WatchOptions<Context<S>>, Context<S>>
  ): Watched {
    this.#lifecycle.requireOpen();
    const menu = this.#menu.read(items, options, ["propensities"]);
    const chosen = this.#menu.armOf(index, items);
    const given: readonly number[] | undefined = options?.propensities;
    const known = given === undefined ? null : checkPropensities("propensities", given, items.length, index);
    const watching = this.#choices.watch(menu, chosen, known === null ? null : ofArms(known, menu.places));
    return new Watched(watching, this.#maker);
  }

  /**
   * Writes down every choice from now on with its items and propensities, and every reward when it has come; returns a way to
   * stop. What `evaluate` reads; `logFile` (Node) keeps it in a file. `T` is the type of the items that are offered.
   */
  log<T extends Item<S>>(sink: LogSink, options: LogOptions<T> = {}): () => void {
    this.#lifecycle.requireOpen();
    return this.#log.add(sink, options);
  }

  /**
   * Whoever this peer chooses for likes other things from now on: what it has seen itself counts no more, what it knows of
   * others does. kindred finds that out by itself, after some rewards; policies of averages refuse it.
   */
  async startAnew({ signal }: Waiting = {}): Promise<void> {
    this.#lifecycle.requireOpen();
    signal?.throwIfAborted();
    await unlessAborted(this.#parts.host.change(this.#settling.request()), signal);
  }

  /** Closes the round and meets a partner now, apart from the peer's own clock. */
  async tick(request?: TickRequest): Promise<TickOutcome> {
    this.#lifecycle.requireOpen();
    return this.#lifecycle.tick(request);
  }

  /** Hears one kind of event; returns a way to stop. */
  on<K extends PeerEventKind>(kind: K, listener: (event: EventOf<K>) => void): () => void {
    return this.#parts.announcements.emitter.on(kind, listener);
  }

  state(): PeerState {
    const { settings, host, network, papers, announcements } = this.#parts;
    return describeState(settings.room, host, network, papers.ledger, announcements);
  }

  /**
   * Everything this peer knows, its pending choices too. To be moved, not copied: averages that two go on from count
   * twice. With `identity` its key goes along, and who imports it is this peer; keep those bytes as secret as a password.
   */
  export({ identity = false }: { readonly identity?: boolean } = {}): Uint8Array {
    this.#lifecycle.requireOpen();
    return pack(this.#parts.terms, this.#parts.host.save(identity));
  }

  /**
   * Goes on from what `export` gave, in place of all this peer knew. Without its key the state still serves this peer's
   * choices and learns, but publishes no records: those of its observations that others hold are under the old name, and
   * only whoever has that name's key can replace them. With the key it has that name in the room from the next start on.
   */
  async import(bytes: Uint8Array, { signal }: Waiting = {}): Promise<void> {
    this.#lifecycle.requireOpen();
    signal?.throwIfAborted();
    const state = unpack(this.#parts.terms, bytes);
    await unlessAborted(this.#lifecycle.adopt(state), signal);
  }

  /** Stops; what was acknowledged is on the disk. Closing twice is fine. */
  async close({ signal }: Waiting = {}): Promise<void> {
    await unlessAborted(this.#lifecycle.close(), signal);
  }

  /** Closes and erases everything this peer ever wrote down. What others have learnt from it stays with them. */
  async forget({ signal }: Waiting = {}): Promise<void> {
    await unlessAborted(this.#lifecycle.forget(), signal);
  }

  [asyncDispose](): Promise<void> {
    return this.close();
  }

  /** `using` cannot wait: closing begins here, and finishes by itself. */
  [dispose](): void {
    this.close().catch((error) => this.#parts.announcements.failed(error));
  }

  #mustDecide(what: string): void {
    this.#lifecycle.requireOpen();
    if (this.#parts.settings.shadow) {
      throw new ConfigError(what, "a peer in shadow mode", "not be used in shadow mode; use watch or observe");
    }
  }
}
