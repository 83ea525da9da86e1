import { initialPeer, type Peer, type Policy, Random, step } from "@coterie/core";

/** Two peers that have learnt a little and met a few times, so that what they offer is worth reading. */
export function livedPeer(policy: Policy, dimension: number): Peer {
  const peers = ["a", "b"].map((id) => initialPeer({ id, dimension, policy, peers: 2 }));
  const random = Random.seeded(11);
  for (let round = 0; round < 12; round++) {
    for (const peer of peers) {
      const arm = random.normals(new Float64Array(dimension)).map((value) => value / 8);
      step(peer, { kind: "observe", arm, reward: random.uniform() });
    }
    const offers = peers.map((peer) => peer.learner.copyOffer());
    step(peers[0]!, { kind: "meet", partner: "b", offer: offers[1]! });
    step(peers[1]!, { kind: "meet", partner: "a", offer: offers[0]! });
    for (const kind of ["settle", "close"] as const) for (const peer of peers) step(peer, { kind });
  }
  return peers[0]!;
}

/** An offer as its frames, as one stretch of bytes: each behind its length. */
export function joined(frames: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(frames.reduce((sum, { length }) => sum + 2 + length, 0));
  let at = 0;
  for (const frame of frames) {
    out[at] = frame.length & 255;
    out[at + 1] = frame.length >> 8;
    out.set(frame, at + 2);
    at += 2 + frame.length;
  }
  return out;
}

export function split(bytes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at + 2 <= bytes.length && frames.length < 5; ) {
    const length = bytes[at]! + 256 * bytes[at + 1]!;
    frames.push(bytes.slice(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return frames;
}

/** A small trace with one right answer. */
export const TRACE = {
  algorithm: "dcb",
  peers: 2,
  dimension: 2,
  parameters: { radius: { kind: "practical", alpha: 0.3 }, delay: { rounds: 1 }, weight: "sum" },
  rounds: Array.from({ length: 2 }, () => ({
    arms: [
      [
        [0.5, 0.1],
        [0.2, 0.3],
      ],
      [
        [0.4, 0.1],
        [0.1, 0.6],
      ],
    ],
    rewards: [
      [0.5, 0.1],
      [0.3, 0.2],
    ],
    partners: [1, 0],
  })),
};
