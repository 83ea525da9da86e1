import { type Arms, type ChoiceEntry, ConfigError, check, type LogEntry } from "@coterie/core";
import { LOG_VERSION, type LoggedItem } from "@coterie/core/internal";
import type { ChoiceId, Settled } from "./choiceEntries.ts";

/** Takes one line of a decision log. It must not throw; what it throws is told as a `failure`, and the peer goes on. */
export type LogSink = (entry: LogEntry) => void;

/** How choices are logged. */
export interface LogOptions<in I> {
  /** The app's name for an item, such as its id in the catalogue: by it "always this item" can be judged. */
  readonly name?: (item: I) => string | undefined;
  /** This peer's side of an A/B test. */
  readonly variant?: string;
}

/** What a menu was, beside its arms. */
export interface Shown {
  readonly items: readonly unknown[];
  readonly unit?: string | undefined;
}

/** A choice to be logged. `places` maps the arms' places to those of the items. */
export interface Logged extends Shown {
  readonly id: ChoiceId;
  readonly at: number;
  readonly arms: Arms;
  readonly places: readonly number[] | null;
  readonly chosen: number;
  readonly propensities: readonly number[] | null;
  readonly slate?: ChoiceId | undefined;
  readonly would?: number | undefined;
}

interface Listener {
  readonly sink: LogSink;
  readonly options: LogOptions<never>;
}

/** Tells sinks of choices, and later of what each was worth. */
export class DecisionLog {
  readonly #listeners = new Set<Listener>();
  readonly #names: readonly string[];
  readonly #peer: () => string;
  readonly #onFailure: (error: unknown) => void;

  constructor(names: readonly string[], peer: () => string, onFailure: (error: unknown) => void) {
    this.#names = names;
    this.#peer = peer;
    this.#onFailure = onFailure;
  }

  /** Returns a way to stop. */
  add(sink: LogSink, options: LogOptions<never>): () => void {
    const { name, variant } = check.fields("log", options, ["name", "variant"]);
    for (const [field, value] of Object.entries({ sink, ...(name !== undefined && { name }) })) {
      if (typeof value !== "function") throw new ConfigError(`log.${field}`, value, "be a function");
    }
    if (variant !== undefined) check.text("log.variant", variant);
    const listener = { sink, options };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether anybody listens: else nothing need be copied. */
  get active(): boolean {
    return this.#listeners.size > 0;
  }

  chose(logged: Logged): void {
    const xs = this.#coordinates(logged.arms);
    for (const { sink, options } of this.#listeners) this.#tell(() => sink(this.#entry(logged, xs, options)));
  }

  settled(id: ChoiceId, how: Settled, reward: number | null, at: number): void {
    // Without a reward it is left out of every estimate, whatever the reason.
    const kind = how === "rewarded" ? "reward" : "expired";
    for (const { sink } of this.#listeners) this.#tell(() => sink({ version: LOG_VERSION, kind, id, at, reward }));
  }

  #entry(logged: Logged, xs: readonly LoggedItem["x"][], { name, variant }: LogOptions<never>): ChoiceEntry {
    const { id, at, items, places, unit, slate, chosen, propensities, would } = logged;
    const itemAt = (arm: number): never => items[places?.[arm] ?? arm] as never;
    return {
      version: LOG_VERSION,
      kind: "choice",
      id,
      at,
      peer: this.#peer(),
      ...(variant !== undefined && { variant }),
      ...(unit !== undefined && { unit }),
      ...(slate !== undefined && { slate }),
      items: xs.map((x, arm) => ({ ...named(name?.(itemAt(arm))), x })),
      chosen,
      propensity: propensities?.[chosen] ?? null,
      ...(propensities !== null && { propensities }),
      ...(would !== undefined && { would }),
    };
  }

  #coordinates({ count, values }: Arms): LoggedItem["x"][] {
    const names = this.#names;
    return Array.from({ length: count }, (_, arm) => {
      const x: Record<string, number> = {};
      for (const [i, name] of names.entries()) {
        const value = values[arm * names.length + i];
        if (value !== 0) x[name] = value;
      }
      return x;
    });
  }

  #tell(work: () => void): void {
    try {
      work();
    } catch (error) {
      // A log that fails must not keep an app from choosing.
      this.#onFailure(error);
    }
  }
}

const named = (name: string | undefined): { name?: string } =>
  name === undefined ? {} : { name: check.text("the name of an item", name) };
