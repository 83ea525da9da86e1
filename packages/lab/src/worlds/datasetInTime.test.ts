import { describe, expect, it } from "vitest";
import { DatasetInTimeWorld } from "./datasetInTime.ts";
import { TIMED as catalogue } from "./testing/timed.ts";

const ITEMS = catalogue.itemCount;
const PEERS = catalogue.peers.length;
const ARMS = 5;

const EVENTS = catalogue.peers.reduce((sum, { items }) => sum + items.length, 0);
const config = { kind: "dataset", dataset: "lastfm", peers: PEERS, dimension: 2, arms: ARMS, order: "time" } as const;
const peers = [...catalogue.peers.keys()];
const worldOf = (rounds: number, seed = 1) => new DatasetInTimeWorld(config, catalogue, seed, rounds);

/** Plays a world to its end: `look` is called in each turn, in which round it is. */
function play(rounds: number, look: (world: DatasetInTimeWorld, round: number) => void, seed = 1): void {
  const world = worldOf(rounds, seed);
  for (let round = 1; round <= rounds; round++) {
    do {
      world.advance();
      look(world, round);
    } while (!world.lastTurn);
  }
  expect(() => world.advance()).toThrow(`rounds must be at least as many as are played, but is ${rounds}`);
}

const itemsOf = (world: DatasetInTimeWorld, peer: number): number[] => {
  const { values, count } = world.arms(peer);
  return Array.from({ length: count }, (_, arm) =>
    Array.from(catalogue.itemIds).findIndex(
      (item) =>
        catalogue.features[2 * item] === values[2 * arm] && catalogue.features[2 * item + 1] === values[2 * arm + 1],
    ),
  );
};

describe("a dataset in its order of time", () => {
  it.each([1, 7, 20, EVENTS])("lets every peer choose as often as it has items, in %d rounds", (rounds) => {
    const turns = peers.map(() => 0);
    play(rounds, (world) => {
      for (const peer of peers) if (world.acts(peer)) turns[peer]! += 1;
      expect(peers.some((peer) => world.acts(peer))).toBe(true);
    });
    expect(turns).toEqual(catalogue.peers.map(({ items }) => items.length));
  });

  it("has a peer from the round of its first item on", () => {
    const rounds = 12;
    const order = catalogue.peers.flatMap(({ times }, peer) => Array.from(times!, (time) => ({ time, peer })));
    const firstActs = peers.map(() => 0);
    const firstHere = peers.map(() => 0);
    play(rounds, (world, round) => {
      for (const peer of peers) {
        if (firstHere[peer]! > 0) expect(world.present(peer)).toBe(true);
        if (world.present(peer) && firstHere[peer] === 0) firstHere[peer] = round;
        if (world.acts(peer) && firstActs[peer] === 0) firstActs[peer] = round;
        if (world.acts(peer)) expect(world.present(peer)).toBe(true);
      }
    });
    expect(firstHere).toEqual(firstActs);
    for (const peer of peers) {
      const first = Math.min(...catalogue.peers[peer]!.times!);
      const before = order.filter(({ time }) => time < first).length;
      const notAfter = order.filter(({ time }) => time <= first).length;
      expect(firstHere[peer]).toBeGreaterThanOrEqual(Math.floor((before * rounds) / EVENTS));
      expect(firstHere[peer]).toBeLessThanOrEqual(Math.ceil((notAfter * rounds) / EVENTS));
    }
    expect(Math.max(...firstHere)).toBeGreaterThan(4);
  });

  it("offers the item that is due among items of the catalogue, and pays 1 for any of the peer's own", () => {
    const places = new Int32Array(ARMS);
    const offered = peers.map(() => new Set<number>());
    const inOrder = catalogue.peers.map(({ times }) => times!.slice().sort());
    for (let seed = 1; seed <= 20; seed++) {
      const turns = peers.map(() => 0);
      play(
        10,
        (world) => {
          for (const peer of peers.filter((p) => world.acts(p))) {
            const items = itemsOf(world, peer);
            expect(items).toHaveLength(ARMS);
            const own = items.map((item) => catalogue.peers[peer]!.items.includes(item));
            own.forEach((yes, arm) => {
              expect(world.pay(peer, arm)).toBe(yes ? 1 : 0);
              if (!yes) offered[peer]!.add(items[arm]!);
            });
            const timeOf = (item: number) => catalogue.peers[peer]!.times![catalogue.peers[peer]!.items.indexOf(item)];
            expect(items.map(timeOf)).toContain(inOrder[peer]![turns[peer]!++]);
            places[own.indexOf(true)]! += 1;
          }
        },
        seed,
      );
    }
    for (const count of places) expect(count).toBeGreaterThan(10);
    // All others of the catalogue are offered too.
    for (const peer of peers) {
      expect(offered[peer]!.size).toBe(ITEMS - catalogue.peers[peer]!.items.length);
    }
  });

  it("is the same for the same seed", () => {
    const draw = (seed: number): number[] => {
      const drawn: number[] = [];
      play(5, (world) => drawn.push(...peers.filter((p) => world.acts(p)).flatMap((p) => itemsOf(world, p))), seed);
      return drawn;
    };
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
  });

  it("needs the time of every item", () => {
    const untimed = { ...catalogue, dataset: "delicious", peers: catalogue.peers.map(({ times: _, ...rest }) => rest) };
    expect(() => new DatasetInTimeWorld(config, untimed, 1, 5)).toThrow(
      'order must be drawn for delicious, whose times are not known, but is "time"',
    );
  });
});
