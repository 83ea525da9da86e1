import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { kindred } from "../policies/kindred.ts";
import { solo } from "../policies/solo.ts";
import { range } from "../testing/play.ts";
import { smallWorld } from "../testing/small-world.ts";
import { createFleet } from "./fleet.ts";
import type { OfferedTurn } from "./offered.ts";
import type { PeerFleet } from "./peers.ts";

const PEERS = 6;
const LATE = 2;
const AFTER = 10;
const world = smallWorld({ seed: 4, peers: PEERS, dimension: 3, clusters: 2 });
const fleetOf = (policy: Policy): PeerFleet =>
  createFleet({ policy, dimension: 3, peers: PEERS, random: Random.seeded(2) }) as PeerFleet;

/** Calls `look` just before the peer `LATE` chooses. */
const watched = (offered: OfferedTurn, look: () => void): OfferedTurn => ({
  ...offered,
  arms: (peer) => {
    if (peer === LATE) look();
    return offered.arms(peer);
  },
});

/** The evidence of the peer `LATE` before each of its choices, in rounds as `shape` makes them. */
function evidenceBefore(policy: Policy, rounds: number, shape: (round: number) => Partial<OfferedTurn>): number[] {
  const fleet = fleetOf(policy);
  const evidence: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const offered = { ...world(round), ...shape(round) };
    fleet.round(watched(offered, () => evidence.push(fleet.evidence(LATE))));
  }
  return evidence;
}

const late = (round: number): Partial<OfferedTurn> => ({ present: (peer) => peer !== LATE || round > AFTER });
const visited = (round: number): Partial<OfferedTurn> => ({
  visitor: (peer) => (peer === LATE && round > AFTER ? 1 : 0),
});

describe("a newcomer", () => {
  it("of kindred knows what others told it before its first choice", () => {
    expect(evidenceBefore(kindred(), AFTER + 1, late)[0]).toBeGreaterThan(0);
    expect(evidenceBefore(kindred(), AFTER + 1, visited).at(-1)).toBeGreaterThan(0);
  });

  it("of solo knows nothing", () => {
    expect(evidenceBefore(solo(), AFTER + 1, late)).toEqual([0]);
    expect(evidenceBefore(solo(), AFTER + 1, visited).at(-1)).toBe(0);
  });

  it("pays for its call: the bytes are counted", () => {
    const fleet = fleetOf(kindred());
    for (let round = 1; round <= AFTER; round++) fleet.round({ ...world(round), ...late(round) });
    const { bytes, exchanges } = fleet.traffic;
    let before = { bytes: 0 as number | null, exchanges: 0 };
    fleet.round(
      watched(world(AFTER + 1), () => {
        before = { ...fleet.traffic };
      }),
    );
    expect(before.bytes).toBeGreaterThan(bytes!);
    expect(before.exchanges - exchanges).toBe(2);
  });
});

/** Kindred that never takes anything in, and notes whom it met: [peer, partner] as each of them judges. */
function recorded(): { policy: Policy; met: string[] } {
  const met: string[] = [];
  const create: Policy["create"] = (dimension, peers, self) =>
    Object.assign(kindred().create(dimension, peers, self), {
      judge: (partner: string) => {
        met.push(`${self} ${partner}`);
        return "keep";
      },
    });
  return { policy: { ...kindred(), create }, met };
}

/** Whom peers met in turns as `shape` makes them, two turns a round. */
function meetings(rounds: number, shape: (turn: number) => Partial<OfferedTurn>): string[] {
  const { policy, met } = recorded();
  const fleet = fleetOf(policy);
  for (let turn = 1; turn <= 2 * rounds; turn++) {
    const offered = { ...world(turn), ...shape(turn) };
    if (turn % 2 === 0) fleet.round(offered);
    else fleet.turn(offered);
  }
  return met;
}

describe("a newcomer's call", () => {
  const comesIn = (first: number) => (turn: number) => ({ present: (peer: number) => peer !== LATE || turn >= first });

  it("moves no other draw, and comes in the first turn in which it is there", () => {
    for (const first of [2, 7, 8]) {
      const plain = meetings(6, (turn) => ({ ...comesIn(first)(turn), newcomer: () => false }));
      const joined = meetings(6, comesIn(first));
      const at = plain.findIndex((pair) => pair.includes(`${LATE}`));
      const added = joined.findIndex((pair, k) => pair !== plain[k]);
      expect(joined[added]).toMatch(new RegExp(`^${LATE} `));
      expect([...joined.slice(0, added), ...joined.slice(added + 2)]).toEqual(plain);
      expect(added).toBeLessThanOrEqual(at);
    }
  });

  it("goes to anybody who is there, each as often", () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 300; seed++) {
      const { policy, met } = recorded();
      const fleet = createFleet({ policy, dimension: 3, peers: PEERS, random: Random.seeded(seed) });
      const there = (peers: number[]): Partial<OfferedTurn> => ({ present: (peer) => peers.includes(peer) });
      fleet.turn({ ...world(1), ...there([0, 1, 3]) });
      fleet.turn({ ...world(2), ...there([0, 1, 2, 3]) });
      expect(met).toHaveLength(2);
      counts.set(met[0]!, (counts.get(met[0]!) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(["2 0", "2 1", "2 3"]);
    // 300 draws of three: 100 each, standard deviation 8.2.
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(33);
  });

  it("is not made by those who begin together, whenever that is, nor by one that finds nobody", () => {
    const { policy, met } = recorded();
    const fleet = fleetOf(policy);
    const there = (peers: number[]): Partial<OfferedTurn> => ({ present: (peer) => peers.includes(peer) });
    fleet.turn({ ...world(1), ...there([]) });
    fleet.turn({ ...world(2), ...there([0, 1]) });
    fleet.turn({ ...world(3), ...there([LATE]) });
    expect(met).toEqual([]);
    fleet.turn({ ...world(4), ...there(range(PEERS)) });
    expect(met.filter((_, k) => k % 2 === 0).map((pair) => pair[0])).toEqual(["3", "4", "5"]);
  });
});
