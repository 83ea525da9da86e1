import { ConfigError } from "@coterie/core";
import { describeSchema, fingerprintOf } from "./canonical.ts";
import { type CrossPart, writeCross } from "./cross.ts";
import { checkRoom, refuse } from "./door.ts";
import { type Feature, type FeatureColumn, type Holding, misfit } from "./feature.ts";
import type { Contributions, Features, Span } from "./features.ts";
import { BIAS } from "./schema.ts";

/** A feature at its coordinates. It checks the values it is given, so they may be anything. */
export interface Part extends FeatureColumn {
  readonly of: "item" | "context";
  readonly feature: Feature<unknown>;
  readonly end: number;
}

/** Where everything is in an arm: the bias, features of the item, of the context, crosses. */
export interface ArmLayout {
  readonly parts: readonly Part[];
  readonly crosses: readonly CrossPart[];
  readonly dimension: number;
}

/** An item or a context of which nothing is known yet but that it is an object. */
type Given = Holding<unknown>;

const NOBODY: Given = Object.freeze({});

/**
 * x = (1, f₁, …, f_n) / √(n + 1), each f within the unit ball.
 *
 * Written feature by feature over all items, see `Feature.write`; the context once, and copied; crosses arm by arm; and
 * scaled at the end.
 */
export class SchemaFeatures implements Features<object, Contributions, object> {
  readonly dimension: number;
  readonly names: readonly string[];
  readonly spans: readonly Span[];
  readonly scale: number;
  readonly fingerprint: string;
  readonly #parts: readonly Part[];
  readonly #context: readonly Part[];
  readonly #crosses: readonly CrossPart[];
  readonly #description: string;
  /** As the end of "must …". */
  readonly #bounds: { readonly item: string; readonly context: string };
  /** Lists for one item and one context, kept so that none has to be made. */
  readonly #one: Given[] = [NOBODY];
  readonly #situation: Given[] = [NOBODY];

  constructor({ parts, crosses, dimension }: ArmLayout) {
    this.dimension = dimension;
    const labels = (name: string, all: readonly string[]): string[] => all.map((label) => name + label);
    this.names = distinct([
      BIAS,
      ...parts.flatMap(({ name, feature }) => labels(name, feature.labels)),
      ...crosses.flatMap((cross) => labels(cross.name, cross.labels)),
    ]);
    this.#parts = parts.filter(({ of }) => of === "item");
    this.#context = parts.filter(({ of }) => of === "context");
    this.#crosses = crosses;
    this.spans = [
      ...parts.map(({ name, of, from, end }): Span => ({ name, of, from, end })),
      ...crosses.map(
        ({ name, one, other, from, end }): Span => ({ name, of: "cross", factors: [one.name, other.name], from, end }),
      ),
    ];
    this.scale = 1 / Math.sqrt(this.spans.length + 1);
    this.#bounds = { item: boundOf(this.#parts), context: boundOf(this.#context) };
    this.#description = describeSchema({
      item: this.#parts,
      context: this.#context,
      cross: crosses.map(({ one, other }) => [one.name, other.name] as const),
    });
    this.fingerprint = fingerprintOf(this.#description);
  }

  describe(): string {
    return this.#description;
  }

  encode(item: object, out: Float64Array, offset = 0, context?: object): void {
    this.#one[0] = item as Given;
    try {
      this.#write(this.#one, out, offset, context);
    } finally {
      this.#one[0] = NOBODY;
    }
  }

  encodeAll(items: readonly object[], out: Float64Array, offset = 0, context?: object): void {
    this.#write(items as readonly Given[], out, offset, context);
  }

  #write(items: readonly Given[], out: Float64Array, offset: number, context: object | undefined): void {
    const { dimension, scale } = this;
    const parts = this.#parts;
    const crosses = this.#crosses;
    const end = offset + items.length * dimension;
    checkRoom("out", out, offset, items.length * dimension);
    for (let k = 0, at = offset; k < items.length; k++, at += dimension) {
      const item = items[k];
      if (typeof item !== "object" || item === null) refuse(this.#place(items, k), misfit(item, this.#bounds.item));
      out[at] = 1;
    }
    for (let p = 0; p < parts.length; p++) {
      const found = parts[p].feature.write(items, out, offset, parts[p]);
      if (found !== undefined) refuse(`${this.#place(items, found.index)}.${parts[p].name}`, found);
    }
    this.#situate(items.length, out, offset, context);
    for (let c = 0; c < crosses.length; c++) {
      for (let at = offset; at < end; at += dimension) writeCross(out, at, crosses[c]);
    }
    for (let i = offset; i < end; i++) out[i] *= scale;
  }

  /** The context's coordinates, the same in every arm. */
  #situate(count: number, out: Float64Array, offset: number, context: object | undefined): void {
    const parts = this.#context;
    if (parts.length === 0) {
      if (context !== undefined) throw new ConfigError("context", context, "not be given: features declares none");
      return;
    }
    if (typeof context !== "object" || context === null) refuse("context", misfit(context, this.#bounds.context));
    if (count === 0) return;
    const { dimension } = this;
    this.#situation[0] = context as Given;
    for (let p = 0; p < parts.length; p++) {
      const found = parts[p].feature.write(this.#situation, out, offset, parts[p]);
      if (found !== undefined) refuse(`context.${parts[p].name}`, found);
    }
    this.#situation[0] = NOBODY;
    const [from, end] = [offset + parts[0].from, offset + parts[parts.length - 1].end];
    for (let k = 1; k < count; k++) out.copyWithin(from + k * dimension, from, end);
  }

  #place(items: readonly Given[], index: number): string {
    return items === this.#one ? "item" : `items[${index}]`;
  }

  contributions(estimate: ArrayLike<number>, arm: ArrayLike<number>, offset = 0): Contributions {
    checkRoom("estimate", estimate, 0, this.dimension);
    checkRoom("arm", arm, offset, this.dimension);
    const sum = (from: number, end: number): number => {
      let total = 0;
      for (let i = from; i < end; i++) total += estimate[i] * arm[offset + i];
      return total;
    };
    return Object.fromEntries([[BIAS, sum(0, 1)], ...this.spans.map(({ name, from, end }) => [name, sum(from, end)])]);
  }
}

const boundOf = (parts: readonly Part[]): string => `be an object with ${parts.map(({ name }) => name).join(", ")}`;

/** Weights, logs and what is kept across a deploy go by these names. */
function distinct(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new ConfigError("features", name, "name each coordinate differently; call a feature otherwise");
    seen.add(name);
  }
  return names;
}
