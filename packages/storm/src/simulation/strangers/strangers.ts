import { dcb, dccb, kindred, type Policy } from "@coterie/core";
import type { AttackFigure } from "../attacks/attacks.ts";
import { invade } from "./stranger.ts";
import { STRANGE, THIRD_PARTY, Village } from "./village.ts";

/** Seconds until a room has settled, and of an attack. */
const SETTLE_S = 60;
const ATTACK_S = 600;
const NAMES = 300;

export const POLICIES: Readonly<Record<"kindred" | "dcb" | "dccb", () => Policy>> = {
  kindred: () => kindred(),
  dcb: () => dcb({ delay: { rounds: 8 } }),
  dccb: () => dccb({ delay: { rounds: 8 } }),
};
export type PolicyName = keyof typeof POLICIES;

/** What an attack left of a room, against the same room without it. */
export interface Remains {
  /** Exchanges of honest peers, as a part of those in the room left alone; and those of peers that share the strangers' address. */
  readonly exchanges: number;
  readonly ofNeighbours: number;
  /** Of the honest elsewhere, and of those at the strangers' address, the ones that know a newcomer 20 s after it came, amid the attack. */
  readonly met: number;
  readonly metNear: number;
  /** Exchanges in the 20 s from 10 s after the attack ended on. */
  readonly after: number;
  /** Dials to a third party, per honest peer. */
  readonly dials: number;
  /** The largest size that an honest peer takes the room to have: nine are there, and the strangers' share of a view. */
  readonly size: number;
}

export interface Invasion {
  readonly policy: PolicyName;
  /** Whether each name has a connection of its own. */
  readonly each: boolean;
  readonly seed: number;
  /** Where the names are said to be; where the strangers are unless told. */
  readonly where?: string;
  readonly seconds?: number;
  /** How old the room is when it begins: what a peer holds against others fades with age. */
  readonly settleS?: number;
}

/** Names from one process, in a room of eight honest peers of which two share its address prefix. */
export function playNames({
  policy,
  each,
  seed,
  where = `/ip4/${STRANGE}.9/tcp/5000`,
  seconds = ATTACK_S,
  settleS = SETTLE_S,
}: Invasion): Remains {
  const make = (): Village => new Village({ policy: POLICIES[policy](), peers: 8, neighbours: 2, seed });
  const play = (attacked: boolean) => {
    const village = make();
    village.run(settleS);
    village.reset();
    const strangers = attacked ? invade(village, NAMES, each, where, `${STRANGE}.9`) : [];
    village.run(seconds);
    const { exchanges, ofNeighbours } = village;
    const newcomer = village.come("203.0.200.7");
    village.run(20);
    const honest = [...village.residents.values()].filter((one) => one !== newcomer);
    const [met, metNear] = [false, true].map((near) => {
      const some = honest.filter(({ isNeighbour }) => isNeighbour === near);
      return some.filter(({ gossip }) => gossip.alive().includes(newcomer.id)).length / some.length;
    }) as [number, number];
    const size = Math.max(...honest.map(({ peer }) => peer.peers));
    for (const stranger of strangers) stranger.stop();
    village.run(10);
    village.reset();
    village.run(20);
    const dials = village.dials / village.residents.size;
    return { exchanges, ofNeighbours, met, metNear, after: village.exchanges, dials, size };
  };
  const [clean, hit] = [play(false), play(true)];
  return {
    exchanges: hit.exchanges / clean.exchanges,
    ofNeighbours: hit.ofNeighbours / clean.ofNeighbours,
    met: hit.met,
    metNear: hit.metNear,
    after: hit.after / clean.after,
    dials: hit.dials,
    size: hit.size,
  };
}

/**
 * One of six gossips and answers no exchange: exchanges of each other one, as a part of those in a room of five. `sly`: it says that
 * it would, when it is probed.
 */
export function playSilent(policy: PolicyName, seed: number, seconds = ATTACK_S, sly = false): number {
  const play = (mute: boolean): number => {
    const village = new Village({ policy: POLICIES[policy](), peers: 5, neighbours: 0, seed });
    village.run(5);
    if (mute) Object.assign(village.come("203.0.150.7"), { mute, sly });
    village.run(SETTLE_S);
    village.reset();
    village.run(seconds);
    return village.exchanges;
  };
  return play(true) / play(false);
}

const SEEDS = [1, 2, 3];
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export function names(): AttackFigure[] {
  return (["kindred", "dcb"] as const).flatMap((policy) =>
    [false, true].flatMap((each) => {
      const runs = SEEDS.map((seed) => playNames({ policy, each, seed }));
      const attack = `${NAMES} names, ${each ? "a connection each" : "one connection"}, ${policy}`;
      const row = (what: string, of: keyof Remains, reach: string): AttackFigure => ({
        attack,
        defence: what,
        figure: mean(runs.map((run) => run[of])),
        reach,
      });
      return [
        row("exchanges, of those without", "exchanges", "at least 0.90"),
        row("of peers at its address", "ofNeighbours", "at least 0.50"),
        row("honest elsewhere that know a newcomer", "met", "1"),
        row("honest at its address that do", "metNear", ""),
        row("exchanges 10 s after it", "after", "at least 0.90"),
        row("the room's size, at most", "size", ""),
      ];
    }),
  );
}

export const silent = (): AttackFigure[] =>
  [false, true].flatMap((sly) =>
    (["kindred", "dcb", "dccb"] as const).map((policy) => ({
      attack: `one of six silent${sly ? " except to probes" : ""}, ${policy}`,
      defence: "exchanges, of those without",
      figure: mean(SEEDS.map((seed) => playSilent(policy, seed, ATTACK_S, sly))),
      reach: "at least 0.90",
    })),
  );

export const thirdParty = (): AttackFigure[] =>
  [false, true].map((each) => ({
    attack: `addresses of a third party, ${each ? "a connection each" : "one connection"}`,
    defence: "dials to it, per honest peer",
    figure: mean(SEEDS.map((seed) => playNames({ policy: "kindred", each, seed, where: THIRD_PARTY }).dials)),
    reach: "at most 3",
  }));
