import { describe, expect, expectTypeOf, it } from "vitest";
import type { Crossed, Declared, Vector } from "./index.ts";
import {
  defineFeatures,
  type Features,
  flag,
  type Item,
  Menu,
  multiHot,
  number,
  oneHot,
  vector,
  vectors,
} from "./index.ts";

/** Checked by the compiler: a line marked as an error that is none fails the type check. */

const schema = { topic: oneHot(["sport", "arts", "tech"]), words: number(0, 3000), fresh: flag() };
type Article = { topic: "sport" | "arts" | "tech"; words: number; fresh: boolean };

/** The shape of the SDK's door: what is declared decides what may be offered, and the caller's own type comes back. */
function createChooser<const S extends Declared>(options: { readonly features: S & Crossed<S> }) {
  const arms = new Menu(defineFeatures<S>(options.features));
  return { choose: <T extends Item<S>>(items: readonly T[]): T => items[arms.read(items).arms.count - 1] };
}

describe("an item's type", () => {
  it("is inferred from the schema", () => {
    expectTypeOf<Item<typeof schema>>().toEqualTypeOf<Article>();
    expectTypeOf(defineFeatures(schema)).toExtend<Features<Article>>();
    const inline = defineFeatures({ tags: multiHot(["red", "new"]), e: vector(3) });
    expectTypeOf<Item<typeof inline>>().toEqualTypeOf<{ tags: readonly ("red" | "new")[]; e: Vector }>();
    expectTypeOf<Item<ReturnType<typeof vectors>>>().toEqualTypeOf<Vector>();
  });

  it("names the shares of a score", () => {
    const shares = defineFeatures(schema).contributions(new Float64Array(6), new Float64Array(6));
    expectTypeOf(shares).toEqualTypeOf<Readonly<Record<"topic" | "words" | "fresh" | "bias", number>>>();
    expectTypeOf(defineFeatures(vectors(2)).contributions([0, 0], [0, 0])).toEqualTypeOf<
      Readonly<Record<string, number>>
    >();
  });
});

describe("choosing", () => {
  const { choose } = createChooser({
    features: { topic: oneHot(["sport", "arts", "tech"]), words: number(0, 3000), fresh: flag() },
  });

  it("returns the caller's own item, and keeps what the schema does not know", () => {
    const articles: (Article & { id: bigint; title: string })[] = [
      { topic: "arts", words: 3, fresh: true, id: 5n, title: "On arms" },
    ];
    const chosen = choose(articles);
    expectTypeOf(chosen).toEqualTypeOf<Article & { id: bigint; title: string }>();
    expect(chosen).toBe(articles[0]);
    expect(choose([{ topic: "arts", words: 3, fresh: true, id: 5 }]).id).toBe(5);
  });

  it("takes classes and readonly items", () => {
    class Page {
      readonly topic = "tech";
      readonly words = 10;
      get fresh(): boolean {
        return true;
      }
    }
    expectTypeOf(choose([new Page()])).toEqualTypeOf<Page>();
  });

  it("refuses undeclared values, missing features and wrong kinds", () => {
    // @ts-expect-error "politics" is not declared
    expect(() => choose([{ topic: "politics", words: 3, fresh: true }])).toThrow("items[0].topic");
    // @ts-expect-error fresh is missing
    expect(() => choose([{ topic: "arts", words: 3 }])).toThrow("items[0].fresh");
    // @ts-expect-error words is a number
    expect(() => choose([{ topic: "arts", words: "3", fresh: true }])).toThrow("items[0].words");
    // @ts-expect-error may be missing
    expect(() => choose<{ topic: "arts"; words?: number; fresh: true }>([])).toThrow("items");
    const loose: { topic: string; words: number; fresh: boolean }[] = [{ topic: "x", words: 3, fresh: true }];
    // @ts-expect-error any text is too much
    expect(() => choose(loose)).toThrow("items[0].topic");
  });

  it("takes vectors where vectors are declared, and nothing else", () => {
    const raw = createChooser({ features: vectors(2) });
    expectTypeOf(raw.choose([new Float64Array(2)])).toEqualTypeOf<Float64Array<ArrayBuffer>>();
    expect(raw.choose([[0, 1]])).toEqual([0, 1]);
    // @ts-expect-error not a vector
    expect(() => raw.choose([{ topic: "arts" }])).toThrow("items[0]");
    // @ts-expect-error texts are no numbers
    expect(() => raw.choose([["0", "1"]])).toThrow("items[0][0]");
  });

  it("knows tags", () => {
    const tagged = createChooser({ features: { tags: multiHot(["red", "new"]) } });
    expect(tagged.choose([{ tags: ["new"] }])).toEqual({ tags: ["new"] });
    // @ts-expect-error "old" is not declared
    expect(() => tagged.choose([{ tags: ["new", "old"] }])).toThrow("items[0].tags[1]");
  });
});

describe("a schema's type", () => {
  it("holds features and nothing else", () => {
    // @ts-expect-error a function that makes a feature is none
    expect(() => defineFeatures({ fresh: flag })).toThrow("features.fresh");
    // @ts-expect-error values are texts
    expect(() => oneHot([1, 2])).toThrow("oneHot.values[0]");
  });

  it("takes the values of an enum", () => {
    enum Topic {
      Sport = "sport",
      Arts = "arts",
    }
    const features = defineFeatures({ topic: oneHot([Topic.Sport, Topic.Arts]) });
    const item = { topic: Topic.Arts as Topic };
    expectTypeOf(item).toExtend<Item<typeof features>>();
    expect(features.names).toEqual(["bias", "topic=arts", "topic=sport"]);
  });
});
