import { Random } from "@coterie/core";

/** Worlds drawn; another number would draw the same ones first. */
const WORLDS = 60;

/** Draws of one world, each field with a plain distribution. */
class Dice {
  readonly #random: Random;

  constructor(name: string) {
    this.#random = Random.seeded(0).fork(name);
  }

  /** Between `from` and `to`, to two digits. */
  even(from: number, to: number): number {
    return rounded(from + (to - from) * this.#random.uniform());
  }

  /** The same, uniform on a logarithmic scale: small values are as likely as large ones. */
  scale(from: number, to: number): number {
    return rounded(from * (to / from) ** this.#random.uniform());
  }

  whole(from: number, to: number): number {
    return Math.round(this.scale(from, to));
  }

  one<T>(...of: readonly T[]): T {
    return of[this.#random.below(of.length)]!;
  }
}

const rounded = (value: number): number => Number(value.toPrecision(2));

type Drawn = Record<string, unknown>;
/** Words for the name of the world, and its fields. */
type Part = readonly [name: string, fields: Drawn];

/** What is offered; x has a constant feature, as every schema of the SDK does, unless items are told apart by nothing else. */
function offerOf(dice: Dice): Part {
  const features = { dimension: dice.whole(4, 25), constant: dice.even(0.2, 0.8) };
  const kind = dice.one("new arms", "new arms", "all items", "some items", "one-hot items");
  if (kind === "new arms") return [kind, { ...features, arms: dice.whole(2, 20) }];
  if (kind === "all items") return [kind, { ...features, catalogue: { items: dice.whole(3, 40) } }];
  if (kind === "some items") {
    return [kind, { ...features, catalogue: { items: dice.whole(30, 300), show: dice.whole(3, 15) } }];
  }
  const items = dice.whole(3, 12);
  return [kind, { dimension: items, catalogue: { items, vectors: "one-hot" } }];
}

function payOf(dice: Dice): Part {
  const kind = dice.one("noise", "noise", "linear clicks", "logistic clicks");
  if (kind === "noise") return [kind, { noise: dice.scale(0.1, 1) }];
  if (kind === "linear clicks") {
    const base = dice.scale(0.02, 0.3);
    return [kind, { rewards: { kind: "clicks", link: "linear", base, slope: rounded(base * dice.even(0.5, 2)) } }];
  }
  const [offset, slope] = [dice.even(-4, 0), dice.even(1, 5)];
  return [kind, { rewards: { kind: "clicks", link: "logistic", offset, slope } }];
}

/** At most one thing that a simple world does not have. */
function twistOf(dice: Dice, rounds: number): Part {
  const middle = Math.floor(rounds / 2);
  const twists: readonly Part[] = [
    ["", {}],
    ["", {}],
    ["turns", { turns: dice.whole(2, 10) }],
    ["power law", { activity: { kind: "power", least: 0.01 } }],
    ["moves", { jump: { after: middle, share: dice.even(0.2, 0.7) } }],
    ["drift", { drift: dice.scale(0.005, 0.1) }],
    ["spread", { spread: dice.even(0.1, 0.7) }],
    ["late", { late: dice.whole(2, 10) }],
    ["visits", { visits: { rounds: dice.whole(20, 100) } }],
    ["leavers", { leavers: { every: 3, after: middle } }],
    ["rank 2", { rank: 2 }],
  ];
  return dice.one(...twists);
}

function worldOf(number: number): Drawn {
  const dice = new Dice(`${number}`);
  const peers = dice.whole(3, 100);
  const several = Math.min(peers, dice.whole(2, 12));
  const clusters = dice.one(1, several, several, peers);
  const rounds = dice.one(100, 200, 300, 500);
  const [offered, menu] = offerOf(dice);
  const [paid, rewards] = payOf(dice);
  const [named, fields] = twistOf(dice, rounds);
  // One taste has nowhere to move to; of one-hot items each peer has a favourite, whatever the rank.
  const idle = (named === "moves" && clusters === 1) || (named === "rank 2" && offered === "one-hot items");
  const [twist, more] = idle ? ["", {}] : [named, fields];
  const name = [`${number}: ${peers} peers, ${clusters} ${clusters === 1 ? "taste" : "tastes"}`, offered, paid, twist];
  const world = { kind: "clusters", peers, clusters, ...menu, ...rewards, ...more };
  return {
    name: name.filter((word) => word !== "").join(", "),
    ...world,
    rounds: twist === "turns" ? Math.ceil(rounds / Number(more.turns)) : rounds,
    ...(twist === "visits" ? { policies: ["kindred", "solo", "oracle", "pooled", "dccb"] } : {}),
  };
}

/** Nobody chose them: whoever tunes kindred sees what that does to worlds that it was not tuned for. */
export const drawnWorlds: readonly Drawn[] = Array.from({ length: WORLDS }, (_, k) => worldOf(k + 1));
