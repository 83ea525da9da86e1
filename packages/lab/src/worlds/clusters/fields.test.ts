import { describe, expect, it } from "vitest";
import { parseClusters } from "./parse.ts";

const base = { kind: "clusters", peers: 12, clusters: 3, dimension: 5, arms: 7, noise: 0.5 };
const { noise: _noise, ...silent } = base;
const { arms: _arms, ...bare } = base;
const clicks = { kind: "clicks", link: "linear", base: 0.1, slope: 0.2 };

describe("what a world may say", () => {
  it.each([
    ["items that are shown say how many arms there are", { ...bare, catalogue: { items: 20, show: 4 } }, { arms: 4 }],
    ["so does a whole catalogue", { ...bare, catalogue: { items: 20 } }, { arms: 20 }],
    ["clicks need no noise", { ...silent, rewards: clicks }, { noise: 0, rewards: clicks }],
    ["noises stand for the noise", { ...silent, noises: [0.1, 1] }, { noise: 0, noises: [0.1, 1] }],
    [
      "one-hot items have a feature each beside the constant one",
      {
        ...bare,
        constant: 0.5,
        catalogue: { items: 4, vectors: "one-hot" },
        tastes: { kind: "best", high: 1, low: 0 },
      },
      { arms: 4, constant: 0.5 },
    ],
  ])("%s", (_, given, parsed) => {
    expect(parseClusters("w", given)).toMatchObject(parsed);
  });

  it.each([
    [{ turns: 0 }, "w.turns"],
    [{ late: 0 }, "w.late"],
    [{ noises: [1] }, "w.noise"],
    [{ rewards: clicks }, "w.noise"],
    [{ rewards: { kind: "coins" } }, "w.rewards.kind"],
    [{ catalogue: { items: 20 } }, "w.arms"],
    [{ arms: 20, catalogue: { items: 20, show: 21 } }, "w.catalogue.show"],
    [{ arms: 4, catalogue: { items: 4, vectors: "one-hot" } }, "w.catalogue.items"],
    [{ arms: 5, catalogue: { items: 5 }, tastes: { kind: "best", high: 1, low: 0 } }, "w.tastes"],
    [
      { arms: 5, catalogue: { items: 5, vectors: "one-hot" }, tastes: { kind: "best", high: 0, low: 1 } },
      "w.tastes.high",
    ],
    [{ catalogue: { items: 7 }, distribution: { kind: "sphere" } }, "w.distribution"],
    [{ constant: 1 }, "w.constant"],
    [{ constant: 0.5, dimension: 1 }, "w.dimension"],
    [{ correlated: 2 }, "w.correlated"],
    [{ correlated: 0.5, arms: 5, catalogue: { items: 5, vectors: "one-hot" } }, "w.correlated"],
    [{ activity: { kind: "power", least: 2 } }, "w.activity.least"],
    [{ activity: { kind: "power", least: 0.1, idle: "asleep" } }, "w.activity.idle"],
    [{ newcomers: { every: 13, after: 3 } }, "w.newcomers.every"],
    [{ leavers: { every: 2, after: 0 } }, "w.leavers.after"],
    [{ visits: { rounds: 0.5 } }, "w.visits.rounds"],
    [{ jump: { after: 3 } }, "w.jump.share"],
    [{ jump: { after: 3, share: 0.5, flip: true } }, "w.jump.share"],
    [{ jump: { after: 3, share: 0.5 }, clusters: 1 }, "w.jump"],
    [{ rank: 6 }, "w.rank"],
    [{ relevant: 0 }, "w.relevant"],
    [{ rank: 2, gap: 0.5 }, "w.gap"],
    [{ rank: 2, drift: 0.1 }, "w.drift"],
    [{ spread: -1 }, "w.spread"],
  ])("refuses %j, naming the field", (change, field) => {
    expect(() => parseClusters("w", { ...base, ...change })).toThrow(expect.objectContaining({ field }));
  });
});

it("says of clicks which number is missing, by the link's own name", () => {
  const logistic = { kind: "clicks", link: "logistic", base: 1, slope: 2 };
  expect(() => parseClusters("w", { ...silent, rewards: logistic })).toThrow(/rewards\.base must not be there/);
  const missing = { kind: "clicks", link: "linear", slope: 2 };
  expect(() => parseClusters("w", { ...silent, rewards: missing })).toThrow(/rewards\.base must be a finite number/);
});
