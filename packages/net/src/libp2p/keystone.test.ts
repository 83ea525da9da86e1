import { createFleet, dcb, dccb, type Offered, Pairer, type Policy, Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { PeerHost } from "../host/host.ts";
import { memoryStore } from "../store/memory.ts";
import type { Libp2pNetwork } from "./index.ts";
import { libp2p } from "./index.ts";
import { LOCAL, ROOM, until } from "./testing/room.ts";

const D = 4;
const ARMS = 5;
const PEERS = 6;
const ROUNDS = 60;

/** Arms and rewards of a round, the same for everybody who asks. */
function world(round: number): Offered {
  const random = Random.seeded(7).fork(round);
  const drawn = Array.from({ length: PEERS }, (_, peer) => {
    const draw = random.fork(peer);
    const values = draw.normals(new Float64Array(ARMS * D)).map((value) => value / 6);
    const pay = (arm: number): number => values[arm * D + (peer % 2)]! + 0.1 * draw.normal();
    return { count: ARMS, values, rewards: Float64Array.from({ length: ARMS }, (_, arm) => pay(arm)) };
  });
  return { arms: (peer) => drawn[peer]!, pay: (peer, arm) => drawn[peer]!.rewards[arm]! };
}

/** Who meets whom in round t: pairs, drawn beforehand. */
function partnersOf(round: number): Int32Array {
  const partners = new Int32Array(PEERS);
  new Pairer(PEERS).matching(partners, Random.seeded(3).fork(round));
  return partners;
}

function lockstep(policy: Policy): number[][] {
  const fleet = createFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(1) });
  return Array.from({ length: ROUNDS }, (_, k) => {
    fleet.round(world(k + 1), partnersOf(k + 1));
    return Array.from(fleet.choices);
  });
}

async function room(): Promise<Libp2pNetwork[]> {
  const networks = [await libp2p({ listen: LOCAL })(ROOM)];
  const bootstrap = networks[0]!.addresses();
  while (networks.length < PEERS) networks.push(await libp2p({ listen: LOCAL, bootstrap })(ROOM));
  return networks;
}

async function networked(policy: Policy): Promise<number[][]> {
  const networks = await room();
  const hosts = await Promise.all(
    networks.map(({ self, link }, i) =>
      PeerHost.open({
        peer: { id: self, dimension: D, policy, peers: PEERS },
        store: memoryStore()(),
        link,
        agreement: ROOM.agreement,
        limits: { dimension: D, most: 1000, reward: 10 },
        random: Random.seeded(100 + i),
        snapshotEvery: 50,
      }),
    ),
  );
  await until(() => networks.every((network) => network.alive().length === PEERS - 1), "all know all");
  const choices: number[][] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const offered = world(round);
    choices.push(hosts.map((host, i) => host.choose(offered.arms(i))));
    for (const [i, host] of hosts.entries()) {
      const arm = choices.at(-1)![i]!;
      await host.observe(offered.arms(i).values.slice(arm * D, (arm + 1) * D), offered.pay(i, arm));
    }
    // A tick closes the round and meets for the next; of each pair the lower index proposes.
    const partners = partnersOf(round + 1);
    for (const [i, host] of hosts.entries()) if (partners[i]! <= i) await host.tick(null);
    for (const [i, host] of hosts.entries()) if (partners[i]! > i) await host.tick(networks[partners[i]!]!.self);
  }
  expect(hosts.every(({ violations, exchange }) => violations.size === 0 && exchange!.massAtRisk === 0)).toBe(true);
  await Promise.all(hosts.map((host) => host.close()));
  return choices;
}

describe("peers over libp2p decide as peers in lockstep do, bit for bit", () => {
  const delay = { rounds: 3 };
  it.each<[string, Policy]>([
    ["dcb", dcb({ delay })],
    ["dccb", dccb({ delay, threshold: { kind: "practical", factor: 0.7 } })],
  ])("%s", async (_, policy) => {
    const choices = await networked(policy);
    expect(choices).toEqual(lockstep(policy));
    expect(new Set(choices.flat()).size).toBeGreaterThan(1);
  });
});
