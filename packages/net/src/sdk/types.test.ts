import { solo } from "@coterie/core";
import { expect, expectTypeOf, it } from "vitest";
import { flag, number, oneHot, type Vector, vectors } from "../features/index.ts";
import type { Choice } from "./choice.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvents } from "./events.ts";
import type { RewardAnswer } from "./settling.ts";

/** Checked by the compiler: a line marked as an error that is none fails the type check. */

const declared = () =>
  createPeer({
    room: "front-page",
    features: { topic: oneHot(["sport", "arts", "tech"]), words: number(0, 3000), fresh: flag() },
    policy: solo(),
    tick: false,
  });

interface Article {
  readonly topic: "sport" | "arts" | "tech";
  readonly words: number;
  readonly fresh: boolean;
  readonly link: URL;
}

it("a choice keeps the caller's type", async () => {
  await using peer = await declared();
  const articles: Article[] = [{ topic: "arts", words: 9, fresh: true, link: new URL("https://example.org/") }];
  const choice = peer.choose(articles);
  expectTypeOf(choice.item).toEqualTypeOf<Article>();
  expectTypeOf(peer.chooseTop(articles, 2)).items.toHaveProperty("item").toEqualTypeOf<Article>();
  expectTypeOf(choice.id).toBeString();
  expectTypeOf(choice.propensity).toEqualTypeOf<number | null>();
  expectTypeOf(choice.reward(1)).toEqualTypeOf<Promise<RewardAnswer>>();
  expectTypeOf(choice.explain().shares).toEqualTypeOf<Readonly<Record<"topic" | "words" | "fresh" | "bias", number>>>();
  const wider: Choice<{ link: URL }, unknown> = choice;
  expect(wider.item).toBe(articles[0]);
});

it("an undeclared value is a compile error, and one at run time", async () => {
  await using peer = await declared();
  // @ts-expect-error "politics" is not declared
  expect(() => peer.choose([{ topic: "politics", words: 3, fresh: true }])).toThrow("items[0].topic");
  // @ts-expect-error fresh is missing
  expect(() => peer.choose([{ topic: "arts", words: 3 }])).toThrow("items[0].fresh");
  // @ts-expect-error words is a number
  expect(() => peer.chooseTop([{ topic: "arts", words: "3", fresh: true }], 1)).toThrow("items[0].words");
  // @ts-expect-error "politics" is not declared
  await expect(peer.observe([{ topic: "politics", words: 3, fresh: true }], 0, 1)).rejects.toThrow("items[0].topic");
});

it("vectors are taken where they are declared", async () => {
  await using peer = await createPeer({ room: "r", features: vectors(2), policy: solo(), tick: false });
  const own: (readonly number[] & { readonly name?: string })[] = [[0, 1]];
  expectTypeOf(peer.choose(own).item).toEqualTypeOf<readonly number[] & { readonly name?: string }>();
  expectTypeOf(peer.choose).parameter(0).toExtend<readonly Vector[]>();
  // @ts-expect-error not a vector
  expect(() => peer.choose([{ topic: "arts" }])).toThrow("items[0]");
});

it("options and events have types", async () => {
  await using peer = await declared();
  peer.on("prune", (event) => expectTypeOf(event.partner).toBeString());
  peer.on("exchange", (event) => expectTypeOf(event.verdict).toEqualTypeOf<PeerEvents["exchange"]["verdict"]>());
  // @ts-expect-error no such event
  expect(peer.on("pruned", () => {})).toBeTypeOf("function");
  // @ts-expect-error a range has two ends
  await expect(createPeer({ room: "r", features: { a: flag() }, reward: { range: [1] } })).rejects.toThrow("range");
  // @ts-expect-error a room is needed
  await expect(createPeer({ features: { a: flag() } })).rejects.toThrow("room");
});
