import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { Random } from "../numbers/random.ts";
import { dcb } from "../policies/dcb.ts";
import { type ByHand, roundByHand } from "../testing/by-hand.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import { fixedRun } from "../testing/fixed-run.ts";
import { partnersFor } from "../testing/partners.ts";
import { refusal } from "../testing/refused.ts";
import { LARGEST_REWARD, smallWorld } from "../testing/small-world.ts";
import { thousands } from "../testing/thousands.ts";
import { VARIANTS } from "../testing/variants.ts";
import { initialPeer, type Peer, type PeerConfig } from "./peer.ts";
import { fromSnapshot, snapshot } from "./snapshot.ts";

const PEERS = 4;
const DIMENSION = 3;
const ROUNDS = 25;
const ALL = Object.keys(VARIANTS);

const peersOf = (name: string): Peer[] =>
  Array.from({ length: PEERS }, (_, i) =>
    initialPeer({ id: `peer ${i}`, dimension: DIMENSION, policy: VARIANTS[name]!, peers: PEERS }),
  );

/** A life of four peers; `after` is told of every input and may put another peer in place of the one that took it. */
function live(name: string, after?: (peers: Peer[], index: number, inputs: number) => void): string[] {
  const peers = peersOf(name);
  let inputs = 0;
  const host: ByHand = {
    peers,
    limits: { dimension: DIMENSION, most: 100, reward: LARGEST_REWARD },
    choice: Random.seeded(6),
    after: (index) => after?.(peers, index, inputs++),
  };
  const world = smallWorld({ seed: 9, peers: PEERS, dimension: DIMENSION, clusters: 2 });
  const partners = partnersFor(VARIANTS[name]!, PEERS, 12);
  const story: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const { choices, outcomes } = roundByHand(host, round, world(round), partners(round));
    story.push(`${choices} ${outcomes} ${fingerprint(...peers.map(snapshot))}`);
  }
  return story;
}

const revive = (peers: Peer[], index: number): void => {
  peers[index] = fromSnapshot(peers[index]!.config, snapshot(peers[index]!));
};

describe("a restored peer goes on, bit for bit", () => {
  it.each(ALL)("%s: restored after every single input", (name) => {
    const calm = live(name);
    expect(live(name, revive)).toEqual(calm);
    // Every point of a round was seen: the story has prunes where there can be some.
    if (name.startsWith("dccb")) expect(calm.join()).toContain("prune");
  });

  it("restored once, anywhere, under any policy", () => {
    const stories = new Map(ALL.map((name) => [name, live(name)]));
    const property = fc.property(fc.constantFrom(...ALL), fc.nat(ROUNDS * PEERS * 3), (name, point) => {
      const story = live(name, (peers, index, inputs) => {
        if (inputs === point) revive(peers, index);
      });
      expect(story).toEqual(stories.get(name));
    });
    fc.assert(property, { ...thousands, numRuns: 200 });
  });

  it("keeps what a snapshot said, whatever happens to the peer afterwards", () => {
    const [peer] = peersOf("dccb") as [Peer];
    const bytes = snapshot(peer);
    const kept = fingerprint(bytes);
    peer.learner.observe(Float64Array.of(0.1, 0.2, 0.3), 0, 1);
    expect(fingerprint(bytes)).toBe(kept);
    expect(fingerprint(snapshot(fromSnapshot(peer.config, bytes)))).toBe(kept);
  });
});

/** A snapshot out of the middle of a life, after a choice that still waits for its reward. */
function middle(name: string): { config: PeerConfig; bytes: Uint8Array } {
  let found: { config: PeerConfig; bytes: Uint8Array } | null = null;
  live(name, (peers, index, inputs) => {
    if (inputs === 160) found = { config: peers[index]!.config, bytes: snapshot(peers[index]!) };
  });
  return found!;
}

describe("a damaged snapshot is refused", () => {
  const MIDDLE = ALL.map((name) => ({ name, ...middle(name) }));
  const refused = (config: PeerConfig, bytes: Uint8Array): ConfigError =>
    refusal(ConfigError, () => fromSnapshot(config, bytes));

  it("cut off anywhere, or with something behind it", () => {
    for (const { config, bytes } of MIDDLE) {
      for (let length = 0; length < bytes.length; length++) {
        expect(refused(config, bytes.slice(0, length)).field).toMatch(/^snapshot: /);
      }
      expect(refused(config, Uint8Array.of(...bytes, 0)).message).toMatch(/^snapshot: snapshot must end here/);
    }
  });

  it("of another version, or no snapshot at all", () => {
    const { config, bytes } = MIDDLE[0]!;
    const with32 = (at: number, value: number): Uint8Array => {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(at, value, true);
      return copy;
    };
    expect(refused(config, with32(0, 1)).field).toBe("snapshot: magic");
    expect(refused(config, with32(4, 2)).message).toBe("snapshot: version must be 1, but is 2");
    expect(refused(config, with32(8, 0xffffffff)).message).toMatch(/^snapshot: config must have/);
  });

  it("with another config than it was made with", () => {
    const { config, bytes } = MIDDLE.find(({ name }) => name === "dcb")!;
    const others: Partial<PeerConfig>[] = [
      { id: "somebody else" },
      { dimension: DIMENSION + 1 },
      { policy: dcb({ bridge: true }) },
      { policy: VARIANTS.solo! },
    ];
    for (const other of others) expect(refused({ ...config, ...other }, bytes).field).toBe("snapshot: config");
  });

  it("with any bit of its header flipped; in the numbers behind it, a flip is refused or kept as it stands", () => {
    const property = fc.property(fc.constantFrom(...MIDDLE), fc.nat(), fc.nat(7), ({ config, bytes }, place, bit) => {
      const header = 12 + 2 * new DataView(bytes.buffer).getUint32(8, true);
      const numbers = header + 17; // round, peers, flags
      const at = place % numbers;
      const bad = bytes.slice();
      bad[at]! ^= 1 << bit;
      if (at < header) {
        refused(config, bad);
        return;
      }
      try {
        expect(fingerprint(snapshot(fromSnapshot(config, bad)))).toBe(fingerprint(bad));
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        expect((error as ConfigError).field).toMatch(/^snapshot: (round|peers|flags)$/);
      }
    });
    fc.assert(property, thousands);
  });
});

/**
 * The bits of a fixed run. They are the same on every machine; a change that moves one of them changes what peers of
 * two versions tell one another, and belongs into the changelog.
 */
const GOLDEN: Readonly<Record<string, string>> = {
  random: "c174d000a8e6bde0",
  solo: "709f763f94349b62",
  "solo, thompson": "8a23e6d461c9d064",
  "round-robin": "b7c2b680f9e7c9a3",
  dcb: "9ee2c909b986b6e8",
  "dcb, no delay": "b698f6cd5fff0f09",
  "dcb, mean, bridge": "ba0e794f4e0cfae1",
  "dcb, epoch": "55458b404b0f633d",
  "dcb, epoch, bridge": "802dba114b3fca12",
  dccb: "5b1cc0c97e5d8c9e",
  "dccb, mutual": "fa88dcbe5e34403f",
  "dccb, guard, forgive": "2e7cd1a96db7023d",
  "dccb, bridge": "dc5b90552a6db27d",
  "dccb, epoch": "33830a860bd9c6df",
  "dccb, epoch, bridge": "c3e88a594bde1745",
  kindred: "c3bdddc5a55fdcf6",
  "kindred, small view": "b231c3e22e12a398",
};

it.each(ALL)("%s has the bits it always had", (name) => {
  expect(fixedRun(VARIANTS[name]!).snapshots).toBe(GOLDEN[name]);
});
