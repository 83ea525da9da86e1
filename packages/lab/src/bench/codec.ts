import { createFleet, dcb, Random } from "@coterie/core";
import { PeerFleet } from "@coterie/core/internal";
import { drawn } from "./drawn.ts";
import { type BenchLine, bestOf } from "./measure.ts";
import { roofCalls, roofFrom } from "./roof.ts";

const [SLOTS, D, PEERS] = [16, 25, 4];

/** Offers to bytes and back, validity checked, beside the machine's memory. */
export function benchCodec(seconds: number): BenchLine[] {
  const policy = dcb({ delay: { rounds: SLOTS } });
  const fleet = createFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(1) });
  const { offered } = drawn({ V: PEERS, d: D, K: 5, L: SLOTS });
  for (let round = 0; round < 2 * SLOTS; round++) fleet.round(offered[round % offered.length]!);
  const codec = policy.codec;
  if (!(fleet instanceof PeerFleet) || codec === null) throw new Error("dcb is a policy of peers that meet");
  const offer = fleet.members[0]!.learner.offer();
  const frames = codec.encode(offer);
  const bytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0);
  const limits = { dimension: D, most: 1024, reward: 10 };
  const calls = {
    encode: () => void codec.encode(offer),
    decode: () => void codec.decode(frames, limits),
    ...roofCalls(),
  };
  for (let k = 0; k < 200; k++) {
    calls.encode();
    calls.decode();
  }
  const { multiplyAdd, bandwidth, encode, decode } = bestOf(calls, seconds);
  const roof = roofFrom({ multiplyAdd, bandwidth });
  const line = (name: string, time: number): BenchLine => ({
    name: `codec, ${SLOTS} slots of d=${D}, ${name}`,
    value: (1000 * bytes) / time,
    unit: "MB/s",
    // Read once and written once, where the limit reads twice.
    ratio: (2 * bytes) / time / roof.bytes,
    against: "of the limit",
  });
  return [line("encode", encode), line("decode and check", decode)];
}
