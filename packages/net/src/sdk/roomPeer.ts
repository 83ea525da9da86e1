import { ConfigError, check, checkPropensities, type PeerId } from "@coterie/core";
import type { Features } from "../features/features.ts";
import { ItemArms } from "../features/itemArms.ts";
import type { Declared, Item, Shares } from "../features/schema.ts";
import type { HostEvent, PeerHost, TickOutcome } from "../host/host.ts";
import type { Network } from "../link/network.ts";
import { unlessAborted, type Waiting } from "../link/wait.ts";
import { Choice, type Maker } from "./choice.ts";
import { Choices, type RewardAnswer } from "./choices.ts";
import { asyncDispose, dispose } from "./dispose.ts";
import type { Emitter, EventOf, PeerEventKind, PeerEvents } from "./events.ts";
import { Gossip, type TickRequest } from "./gossip.ts";
import type { ChoiceId, Ledger } from "./ledger.ts";
import { DecisionLog, type LogOptions, type LogSink } from "./log.ts";
import { Members } from "./members.ts";
import type { Settings } from "./options.ts";
import { pack, unpack } from "./portable.ts";
import { describeState, type PeerState } from "./state.ts";
import { Watched, type WatchOptions } from "./watched.ts";

/** What a peer is put together from; `createPeer` does that. */
export interface Parts<S extends Declared> {
  readonly settings: Settings<S>;
  /** A digest of what this peer's numbers mean. */
  readonly terms: string;
  readonly network: Network;
  readonly host: PeerHost;
  readonly ledger: Ledger;
  readonly emitter: Emitter;
}

/** What may be said of a choice. */
export interface ChooseOptions {
  /** For whom it is made, such as a visitor's key; only logged. Choices of one unit are not independent. */
  readonly unit?: string | undefined;
}

function unitIn(options: ChooseOptions): string | undefined {
  const { unit } = check.fields("options", options, ["unit"]);
  return unit === undefined ? undefined : check.text("unit", unit);
}

/** What shadow mode has to say about a choice of the app's. */
export interface Observed {
  /** The place of the item that this peer would have chosen. */
  readonly wouldChoose: number;
}

/** A peer in a room: chooses for its app, learns from what that pays, and learns with others of its kind. */
export class RoomPeer<S extends Declared> implements Disposable, AsyncDisposable {
  readonly features: Features<Item<S>, Shares<S>>;
  readonly #parts: Parts<S>;
  readonly #arms: ItemArms<Item<S>>;
  readonly #members: Members;
  readonly #choices: Choices;
  readonly #gossip: Gossip;
  readonly #maker: Maker;
  readonly #log: DecisionLog;
  readonly #exchanges: Partial<Record<PeerEvents["exchange"]["verdict"], number>> = {};
  #ending: Promise<void> | null = null;

  private constructor(parts: Parts<S>) {
    const { settings, host, network, ledger } = parts;
    const { features, policy, rewards, floor, clock, random, tick } = settings;
    this.#parts = parts;
    this.features = features;
    this.#arms = new ItemArms(features);
    const onFailure = (error: unknown): void => this.#fail(error);
    this.#members = new Members(host, network, () => this.#moved(), onFailure);
    const neighbours = (): number => this.#members.nearCount;
    const log = new DecisionLog(features.names, () => network.self, onFailure);
    this.#log = log;
    this.#choices = new Choices({ host, ledger, policy, rewards, floor, clock, random, log, neighbours, onFailure });
    const before = (): Promise<void> => this.#choices.expire();
    this.#gossip = new Gossip({ host, members: this.#members, clock, random, tick, before, onFailure });
    this.#maker = { features, unit: rewards.unit, reward: (id, value, waiting) => this.reward(id, value, waiting) };
  }

  /** @internal */
  static async start<S extends Declared>(parts: Parts<S>): Promise<RoomPeer<S>> {
    const peer = new RoomPeer(parts);
    await peer.#members.start();
    peer.#gossip.start();
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
  choose<T extends Item<S>>(items: readonly T[], options: ChooseOptions = {}): Choice<T, Shares<S>> {
    this.#mustDecide("choose");
    const decision = this.#choices.decide(this.#arms.fill(items), { items, unit: unitIn(options) });
    return new Choice(items[decision.index], decision, this.#maker);
  }

  /** The best `k` items, or all if there are fewer, best first. Each is a choice of its own and waits for its reward. */
  chooseTop<T extends Item<S>>(items: readonly T[], k: number, options: ChooseOptions = {}): Choice<T, Shares<S>>[] {
    this.#mustDecide("chooseTop");
    check.whole("k", k, 1);
    const decisions = this.#choices.decideTop(this.#arms.fill(items), k, { items, unit: unitIn(options) });
    return decisions.map((decision) => new Choice(items[decision.index], decision, this.#maker));
  }

  /** What a choice was worth, by its id: also after a restart. When the promise resolves, it survives a crash. */
  async reward(id: ChoiceId, value: number, { signal }: Waiting = {}): Promise<RewardAnswer> {
    this.#mustBeOpen();
    signal?.throwIfAborted();
    return unlessAborted(this.#choices.reward(id, value), signal);
  }

  /** Learns from what somebody else decided: items[index] paid `reward`. Decides nothing. */
  async observe<T extends Item<S>>(
    items: readonly T[],
    index: number,
    reward: number,
    { signal }: Waiting = {},
  ): Promise<Observed> {
    this.#mustBeOpen();
    signal?.throwIfAborted();
    const { host, settings } = this.#parts;
    const arms = this.#arms.fill(items);
    const at = check.whole("index", index, 0, items.length - 1) * this.features.dimension;
    const learnt = settings.rewards.learnt(settings.rewards.check("reward", reward));
    const wouldChoose = host.choose(arms, settings.random);
    const written = host.observe(arms.values.slice(at, at + this.features.dimension), learnt);
    await unlessAborted(written, signal);
    return { wouldChoose };
  }

  /**
   * Watches what somebody else decided, items[index], and says what this peer would have. The choice waits for its reward
   * as one of this peer's own does, also across a restart; then the peer learns from it.
   */
  watch<T extends Item<S>>(items: readonly T[], index: number, options: WatchOptions = {}): Watched {
    this.#mustBeOpen();
    const arms = this.#arms.fill(items);
    check.whole("index", index, 0, items.length - 1);
    const { propensities, unit } = check.fields("options", options, ["propensities", "unit"]) as WatchOptions;
    const known =
      propensities === undefined ? null : checkPropensities("propensities", propensities, items.length, index);
    const watching = this.#choices.watch(arms, index, known, { items, unit: unitIn({ unit }) });
    return new Watched(watching, (id, value, waiting) => this.reward(id, value, waiting));
  }

  /**
   * Writes down every choice from now on with its items and propensities, and every reward when it has come; returns a way to
   * stop. What `evaluate` reads; `logFile` (Node) keeps it in a file. `T` is the type of the items that are offered.
   */
  log<T extends Item<S>>(sink: LogSink, options: LogOptions<T> = {}): () => void {
    this.#mustBeOpen();
    return this.#log.add(sink, options);
  }

  /**
   * Whoever this peer chooses for likes other things from now on: what it has seen itself counts no more, what it knows of
   * others does. kindred finds that out by itself, after some rewards; policies of averages refuse it.
   */
  async startAnew({ signal }: Waiting = {}): Promise<void> {
    this.#mustBeOpen();
    signal?.throwIfAborted();
    await unlessAborted(this.#parts.host.change(), signal);
  }

  /** Closes the round and meets a partner now, apart from the peer's own clock. */
  async tick(request?: TickRequest): Promise<TickOutcome> {
    this.#mustBeOpen();
    return this.#gossip.tick(request);
  }

  /** Hears one kind of event; returns a way to stop. */
  on<K extends PeerEventKind>(kind: K, listener: (event: EventOf<K>) => void): () => void {
    return this.#parts.emitter.on(kind, listener);
  }

  state(): PeerState {
    const { settings, host, network, ledger } = this.#parts;
    return describeState(settings.room, host, network, ledger, this.#exchanges);
  }

  /**
   * Everything this peer knows, its pending choices too. To be moved, not copied: averages that two go on from count
   * twice. With `identity` its key goes along, and who imports it is this peer; keep those bytes as secret as a password.
   */
  export({ identity = false }: { readonly identity?: boolean } = {}): Uint8Array {
    this.#mustBeOpen();
    return pack(this.#parts.terms, this.#parts.host.save(identity));
  }

  /**
   * Goes on from what `export` gave, in place of all this peer knew. Without its key the state still serves this peer's
   * choices and learns, but publishes no records: those of its observations that others hold are under the old name, and
   * only whoever has that name's key can replace them. With the key it has that name in the room from the next start on.
   */
  async import(bytes: Uint8Array, { signal }: Waiting = {}): Promise<void> {
    this.#mustBeOpen();
    signal?.throwIfAborted();
    const state = unpack(this.#parts.terms, bytes);
    const done = this.#gossip.turn(async () => {
      this.#choices.flush();
      await this.#parts.host.adopt(state);
      await this.#members.restart();
    });
    await unlessAborted(done, signal);
  }

  /** Stops; what was acknowledged is on the disk. Closing twice is fine. */
  async close({ signal }: Waiting = {}): Promise<void> {
    this.#ending ??= this.#end(() => this.#parts.host.close());
    await unlessAborted(this.#ending, signal);
  }

  /** Closes and erases everything this peer ever wrote down. What others have learnt from it stays with them. */
  async forget({ signal }: Waiting = {}): Promise<void> {
    this.#mustBeOpen();
    this.#ending = this.#end(() => this.#parts.host.erase());
    await unlessAborted(this.#ending, signal);
  }

  [asyncDispose](): Promise<void> {
    return this.close();
  }

  /** `using` cannot wait: closing begins here, and finishes by itself. */
  [dispose](): void {
    this.close().catch((error) => this.#fail(error));
  }

  /** @internal What the host tells, as the app hears it. */
  heard(event: HostEvent): void {
    const { emitter, host } = this.#parts;
    if (event.kind === "violation") {
      emitter.emit(event);
      return;
    }
    const { partner, verdict, side } = event;
    if (verdict === "stranger" && side === "proposed") this.#members.rejected(partner);
    this.#exchanges[verdict] = (this.#exchanges[verdict] ?? 0) + 1;
    emitter.emit({ kind: "exchange", side, partner, verdict, round: host.peer.round });
    if (verdict !== "prune") return;
    emitter.emit({ kind: "prune", partner });
    this.#tellNeighbourhood();
  }

  async #end(way: () => Promise<void>): Promise<void> {
    this.#members.stop();
    this.#choices.flush();
    await this.#gossip.stop();
    try {
      await way();
    } finally {
      await this.#parts.network.close();
    }
  }

  #moved(): void {
    this.#gossip.hasten();
    this.#tellNeighbourhood();
  }

  #tellNeighbourhood(): void {
    const { count: members, nearCount: near } = this.#members;
    this.#parts.emitter.emit({ kind: "neighbourhood", members, near });
  }

  #fail(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    this.#parts.emitter.emit({ kind: "failure", error });
  }

  #mustDecide(what: string): void {
    this.#mustBeOpen();
    if (this.#parts.settings.shadow) {
      throw new ConfigError(what, "a peer in shadow mode", "be asked of one that decides; use watch or observe");
    }
  }

  #mustBeOpen(): void {
    if (this.#ending !== null) throw new ConfigError("peer", "closed", "be open");
  }
}
