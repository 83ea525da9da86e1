import { createFleet, dcb, dccb, type Offered, Pairer, type PeerId, type Policy, Random } from "@coterie/core";
import type { Link } from "../../link/link.ts";
import { memoryStore } from "../../store/memory.ts";
import { PeerHost } from "../host.ts";

/** One fixed story of a few peers, to be played in lockstep and over any link: the decisions must be the same. */

const D = 4;
const ARMS = 5;
export const PEERS = 6;
const ROUNDS = 60;

const delay = { rounds: 3 };
const threshold = { kind: "practical", factor: 0.7 } as const;

/** Policies that average: those whose peers over a link are peers in lockstep bit for bit. */
export const AVERAGING: readonly (readonly [string, Policy])[] = [
  ["dcb", dcb({ delay })],
  ["dccb", dccb({ delay, threshold })],
  ["dccb, mutual and bridge", dccb({ delay, threshold, sharing: "mutual", bridge: true })],
];

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

/** The choices of every peer in every round. */
export function playInLockstep(policy: Policy): number[][] {
  const fleet = createFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(1) });
  return Array.from({ length: ROUNDS }, (_, k) => {
    fleet.round(world(k + 1), partnersOf(k + 1));
    return Array.from(fleet.choices);
  });
}

/** A peer on each link, with a store in memory. */
export function openHosts(
  policy: Policy,
  links: readonly { readonly self: PeerId; readonly link: Link }[],
  agreement: string,
): Promise<PeerHost[]> {
  return Promise.all(
    links.map(({ self, link }, i) =>
      PeerHost.open({
        peer: { id: self, dimension: D, policy, peers: PEERS },
        store: memoryStore()(),
        link,
        agreement,
        limits: { dimension: D, most: 1000, reward: 10 },
        random: Random.seeded(100 + i),
        snapshotEvery: 50,
      }),
    ),
  );
}

/** The same, over links. */
export async function playOverLinks(hosts: readonly PeerHost[]): Promise<number[][]> {
  const choices: number[][] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const offered = world(round);
    const chosen = hosts.map((host, i) => host.choose(offered.arms(i)));
    choices.push(chosen);
    for (const [i, host] of hosts.entries()) {
      const arm = chosen[i]!;
      await host.observe(offered.arms(i).values.slice(arm * D, (arm + 1) * D), offered.pay(i, arm));
    }
    // A tick closes the round and meets for the next; of each pair the lower index proposes.
    const partners = partnersOf(round + 1);
    for (const [i, host] of hosts.entries()) if (partners[i]! <= i) await host.tick(null);
    for (const [i, host] of hosts.entries()) {
      if (partners[i]! > i) await host.tick(hosts[partners[i]!]!.peer.config.id);
    }
  }
  return choices;
}
