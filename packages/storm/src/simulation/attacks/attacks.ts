import { ConfigError, kindred, type Policy, solo } from "@coterie/core";
import { office } from "../strangers/office.ts";
import { names, silent, thirdParty } from "../strangers/strangers.ts";
import { measureBadStart } from "./badStart.ts";
import { measureBias } from "./bias.ts";
import { type InventedClaim, measureOrigins, type RewardKind } from "./origins.ts";
import { ATTACKED, type Lie, measureRegret } from "./regret.ts";
import { measureTwoFaced } from "./twoFaced.ts";

/** One figure: what was done, under which defence, what came of it and what was to be reached. */
export interface AttackFigure {
  readonly attack: string;
  readonly defence: string;
  readonly figure: number;
  readonly reach: string;
}

const SEEDS = [1, 2, 3];
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A liar that never moves: what it holds of a matured slot. */
function bias(): AttackFigure[] {
  const cases = [
    { liars: 1, reach: "at most 0.03" },
    { liars: 5, reach: "at most 0.15" },
  ];
  return cases.flatMap(({ liars, reach }) =>
    [undefined, 2, 1].map((clip) => ({
      attack: `bias, ${liars} of 100 lie`,
      defence: clip === undefined ? "none" : `clip ${clip}`,
      figure: mean(
        SEEDS.map((seed) => measureBias({ peers: 100, liars, seed, ...(clip === undefined ? {} : { clip }) }).liars),
      ),
      reach,
    })),
  );
}

function twoFaced(): AttackFigure[] {
  return (["equal", "mutual"] as const).map((sharing) => ({
    attack: "two-faced liar, pairs that still share",
    defence: `sharing ${sharing}`,
    figure: mean(SEEDS.map((seed) => measureTwoFaced(sharing, 20, 120, seed))),
    reach: "at least 0.95",
  }));
}

/** A fifth lies: regret of the honest over that of peers alone. */
const regret = (): AttackFigure[] =>
  (["opposite", "anything", "tilted"] as const).flatMap((lie) => regretUnder(lie, 1, `20 % say ${lie}`));

/** The same, and each liar claims fifty observations where an honest peer has one. */
const boasts = (): AttackFigure[] =>
  (["opposite", "tilted"] as const).flatMap((lie) => regretUnder(lie, 50, `20 % say ${lie}, 50 times over`));

function regretUnder(lie: Lie, claims: number, what: string): AttackFigure[] {
  const setting = { peers: 40, liars: 0.2, rounds: 300 };
  const [alone, ...others] = ATTACKED.map(([name, policy]) => ({
    name,
    regret: mean(SEEDS.map((seed) => measureRegret({ ...setting, policy, lie, claims, seed }))),
  }));
  return others.map(({ name, regret: shared }) => ({
    attack: `regret over alone, ${what}`,
    defence: name,
    figure: shared / alone!.regret,
    reach: "at most 1.05",
  }));
}

/** Unless told: others than those that the rule was chosen with. */
const ORIGINS_FROM = 201;
const manyFrom = (first: number): number[] => Array.from({ length: 8 }, (_, k) => first + k);
const STRANGERS = [
  ["kindred", kindred()],
  ["kindred, wary", kindred({ wary: true })],
] as const;

/** One member of seven speaks for many, and what it costs to be wary where nobody lies. */
const origins = (from = ORIGINS_FROM): AttackFigure[] => [
  ...(["0 to 1", "0 to 1, constant", "−1 to 1"] as const).flatMap((rewards) =>
    STRANGERS.flatMap(([defence, policy]) =>
      worstOfOrigins(policy, rewards, manyFrom(from)).map((figure) => ({ ...figure, defence })),
    ),
  ),
  ...[6, 40].map((honest) => waryAmong(honest, manyFrom(from))),
];

/** Regret of six over the larger of alone and without the liar, for the worst of its claims, by how many it speaks for. */
function worstOfOrigins(
  policy: Policy,
  rewards: RewardKind,
  seeds: readonly number[],
): Omit<AttackFigure, "defence">[] {
  const play = (of: Policy, invented: number, claim: InventedClaim): number =>
    mean(seeds.map((seed) => measureOrigins({ policy: of, rewards, origins: invented, claim, rounds: 60, seed })));
  const without = Math.max(play(solo(), 0, "opposite"), play(policy, 0, "opposite"));
  return [1, 20, 128, 500].map((count) => ({
    attack: `regret over alone or clean, ${count} origins, rewards ${rewards}`,
    figure:
      Math.max(...(["opposite", "far", "everything"] as const).map((claim) => play(policy, count, claim))) / without,
    reach: "at most 1.05",
  }));
}

function waryAmong(honest: number, seeds: readonly number[]): AttackFigure {
  const setting = { rewards: "0 to 1, constant", origins: 0, claim: "opposite", rounds: 60, honest } as const;
  const [open, wary] = STRANGERS.map(([, policy]) =>
    mean(seeds.map((seed) => measureOrigins({ ...setting, policy, seed }))),
  );
  const attack = `nobody of ${honest} lies, regret over that of kindred`;
  return { attack, defence: "kindred, wary", figure: wary! / open!, reach: "at most 1.05" };
}

/** Peers of one kind that had a bad start: who of them share in the end, and what that costs. */
function badStart(): AttackFigure[] {
  return [undefined, 2].flatMap((forgive) => {
    const runs = SEEDS.map((seed) => measureBadStart(forgive, 24, 400, seed));
    const defence = forgive === undefined ? "none" : `forgive ${forgive}`;
    return [
      { attack: "bad start, pairs that share in the end", figure: mean(runs.map(({ sharing }) => sharing)) },
      { attack: "bad start, regret over alone since", figure: mean(runs.map(({ regret: over }) => over)) },
    ].map((figure) => ({ ...figure, defence, reach: "" }));
  });
}

const ATTACKS = {
  bias,
  "two-faced": twoFaced,
  regret,
  boasts,
  origins,
  "bad-start": badStart,
  names,
  silent,
  "third-party": thirdParty,
  office,
};
export const attackNames = (): string[] => [...Object.keys(ATTACKS), "all"];

/** Figures of one attack by name, or of all. `from`: the first of eight seeds of `origins`. */
export function attack(name: string, from?: number): AttackFigure[] {
  if (name === "all") return Object.values(ATTACKS).flatMap((measure) => measure());
  if (name === "origins") return origins(from);
  const measure = ATTACKS[name as keyof typeof ATTACKS];
  if (measure === undefined) throw new ConfigError("--attack", name, `be one of ${attackNames().join(", ")}`);
  return measure();
}
