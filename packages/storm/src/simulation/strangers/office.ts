import type { AttackFigure } from "../attacks/attacks.ts";
import { POLICIES, type PolicyName } from "./strangers.ts";
import { Village } from "./village.ts";
import type { Villager } from "./villager.ts";

export interface OfficeOptions {
  readonly policy: PolicyName;
  readonly peers: number;
  readonly seed: number;
  /** How long the network is bad, and which share of requests gets lost then. */
  readonly badS: number;
  readonly loss: number;
  /** Every so many seconds one is killed, and comes back some seconds later. */
  readonly killS: number;
}

export interface OfficeReport {
  /** Seconds from when the network is good again until a peer sees all others, for each. */
  readonly whole: readonly number[];
  /** The share of exchanges that fail in the minutes after. */
  readonly failed: number;
}

const SETTLE_S = 60;
const AWAY_S = 4;
const CALM_S = 600;

/**
 * All peers of a room are at one address prefix, as in an office, and the network is bad for a while. Nobody attacks: what guards
 * against strangers must not part them.
 */
export function playOffice({ policy, peers, seed, badS, loss, killS }: OfficeOptions): OfficeReport {
  const village = new Village({ policy: POLICIES[policy](), peers, neighbours: peers, seed });
  const random = village.random.fork("faults");
  village.run(SETTLE_S);
  village.loss = loss;
  const homes = [...village.residents.values()];
  for (let at = killS * random.uniform(); at < badS; at += 2 * killS * random.uniform()) {
    village.after(1000 * at, () => {
      const k = random.below(homes.length);
      const one = homes[k]!;
      if (!one.alive) return;
      one.kill();
      village.after(1000 * AWAY_S, () => {
        homes[k] = village.come(hostOf(one), one.id);
      });
    });
  }
  village.run(badS + AWAY_S);
  village.loss = 0;
  village.reset();
  const whole = new Map<string, number>();
  for (let s = 0; s < CALM_S; s++) {
    for (const one of homes) if (!whole.has(one.id) && one.gossip.alive().length >= peers - 1) whole.set(one.id, s);
    village.run(1);
  }
  return {
    whole: homes.map(({ id }) => whole.get(id) ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b),
    failed: village.failures / Math.max(1, village.failures + village.exchanges),
  };
}

const hostOf = ({ address }: Villager): string => address.split("/")[2]!;

const SEEDS = [1, 2, 3];

export const office = (): AttackFigure[] =>
  (["kindred", "dcb"] as const).flatMap((policy) =>
    [
      { what: "32 peers, after 60 s", peers: 32, badS: 0, loss: 0, killS: 1 },
      { what: "20 peers, 180 s of 30 % loss", peers: 20, badS: 180, loss: 0.3, killS: 8 },
    ].flatMap(({ what, ...room }) => {
      const times = SEEDS.flatMap((seed) => playOffice({ policy, seed, ...room }).whole).sort((a, b) => a - b);
      return [0.5, 0.9].map((share) => ({
        attack: `one office, ${what}, ${policy}`,
        defence: `s until ${100 * share} % see all others`,
        figure: times[Math.ceil(share * times.length) - 1]!,
        reach: "",
      }));
    }),
  );
