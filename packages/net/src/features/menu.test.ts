import { initialPeer, solo, step } from "@coterie/core";
import { checkArms } from "@coterie/core/internal";
import { expect, it } from "vitest";
import { defineFeatures } from "./define.ts";
import { flag } from "./flag.ts";
import { Menu } from "./menu.ts";
import { number } from "./number.ts";
import { oneHot } from "./oneHot.ts";
import { refused } from "./testing/refused.ts";
import { vectors } from "./vectors.ts";

const features = defineFeatures({ kind: oneHot(["a", "b"]), size: number(0, 1), fresh: flag() });

it("arms are the items in order", () => {
  const arms = new Menu(features);
  const items = [
    { id: 1, kind: "a", size: 0, fresh: true },
    { id: 2, kind: "b", size: 1, fresh: false },
  ] as const;
  expect(arms.read(items).arms.count).toBe(2);
  checkArms(arms, features.dimension);
  const alone = new Float64Array(features.dimension);
  items.forEach((item, k) => {
    features.encode(item, alone);
    expect(arms.values.slice(k * features.dimension, (k + 1) * features.dimension)).toEqual(alone);
  });
});

it("room is made once and used again", () => {
  const arms = new Menu(features);
  const items = Array.from({ length: 10 }, () => ({ kind: "a", size: 0.5, fresh: true }) as const);
  const { values } = arms.read(items).arms;
  expect(arms.read(items.slice(0, 3)).arms.values).toBe(values);
  expect(arms.count).toBe(3);
  expect(arms.read([...items, ...items]).arms.count).toBe(20);
});

it("an item that does not fit is named, and nothing is left to choose from", () => {
  const arms = new Menu(features);
  arms.read([{ kind: "a", size: 0, fresh: true }]);
  const bad = [
    { kind: "a", size: 0, fresh: true },
    { kind: "c", size: 0, fresh: true },
  ];
  expect(refused(() => arms.read(bad as never)).field).toBe("items[1].kind");
  expect(arms.count).toBe(0);
  expect(refused(() => arms.read([])).field).toBe("items");
  expect(refused(() => arms.read({ length: 1 } as never)).field).toBe("items");
});

it("vectors work too", () => {
  const { arms } = new Menu(vectors(2)).read([new Float64Array([1, 0]), [0, 1]]);
  expect(Array.from(arms.values)).toEqual([1, 0, 0, 1]);
});

it("a peer learns from them what pays, and the shares of the score say so", () => {
  const { dimension } = features;
  const peer = initialPeer({ id: "a", dimension, policy: solo(), peers: 1 });
  const kinds = ["a", "b"] as const;
  const items = Array.from({ length: 8 }, (_, k) => ({ kind: kinds[k & 1], size: (k >> 1) & 1, fresh: k > 3 }));
  const { arms } = new Menu(features).read(items);
  // Every item is seen equally often, so that nothing but the kind goes with the reward.
  for (let seen = 0; seen < 40 * items.length; seen++) {
    const k = seen % items.length;
    const arm = arms.values.slice(k * dimension, (k + 1) * dimension);
    step(peer, { kind: "observe", arm, reward: items[k].kind === "b" ? 1 : 0 });
  }
  const [effect] = step(peer, { kind: "choose", arms });
  expect(effect.kind === "chosen" && items[effect.arm].kind).toBe("b");
  const shares = items.map((_, k) => features.contributions(peer.learner.view.estimate, arms.values, k * dimension));
  expect(shares[1].kind - shares[0].kind).toBeCloseTo(1, 1);
  expect(shares[4].fresh - shares[0].fresh).toBeCloseTo(0, 1);
  expect(shares[2].size - shares[0].size).toBeCloseTo(0, 1);
});
