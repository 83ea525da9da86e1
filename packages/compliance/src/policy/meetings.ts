import assert from "node:assert/strict";
import { fromSnapshot, type Offer, type Outcome, type Peer, type Policy, Random, snapshot, step } from "@coterie/core";
import { meetPair } from "@coterie/core/internal";
import type { Check } from "../check.ts";
import { codecOf, LIMITS, LockstepPeers, lent, overWire, PEERS, stateOf, violates } from "./lockstepPeers.ts";

const ROUNDS = 20;

/** What a policy must be whose peers meet. */
export function meetingChecks(policy: Policy): Check[] {
  const checks: Check[] = [
    { name: "judges and offers without changing anything", run: () => judges(policy) },
    { name: "copies its offers: later steps do not change them", run: () => copies(policy) },
    { name: "reads an offer from the wire as if it had been lent", run: () => travels(policy) },
    { name: "knows how long its frames are", run: () => counts(policy) },
    {
      name: "takes a typed violation of what no correct peer sends, and stays as it was",
      run: () => withstands(policy),
    },
  ];
  if (policy.pairing === "ring") return checks;
  return [...checks, { name: "mixes both sides at once as it mixes each by itself", run: () => mixesBoth(policy) }];
}

const copyOf = (peer: Peer): Peer => fromSnapshot(peer.config, snapshot(peer));

function judges(policy: Policy): void {
  const lockstep = new LockstepPeers(policy);
  for (let round = 0; round < ROUNDS; round++) {
    lockstep.play();
    const before = lockstep.peers.map(stateOf);
    for (const { learner, round: now } of lockstep.peers) {
      lockstep.peers.forEach((other, j) => {
        if (other.learner !== learner) learner.judge(`${j}`, other.learner.offer(), now);
      });
      learner.copyOffer();
    }
    assert.deepEqual(lockstep.peers.map(stateOf), before);
  }
}

function copies(policy: Policy): void {
  const codec = codecOf(policy);
  const lockstep = new LockstepPeers(policy);
  for (let round = 0; round < ROUNDS; round++) {
    lockstep.play();
    const reader = copyOf(lockstep.peers[1]!).learner.offer();
    const copy = lockstep.peers[0]!.learner.copyOffer();
    const frames = codec.encode(copy, reader);
    const live = codec.encode(lockstep.peers[0]!.learner.offer(), reader);
    assert.deepEqual(frames, live, "a copy is what the offer was");
    lockstep.play();
    assert.deepEqual(codec.encode(copy, reader), frames, "and stays so");
  }
}

function travels(policy: Policy): void {
  const [near, far] = [new LockstepPeers(policy, 1, lent), new LockstepPeers(policy, 1, overWire)];
  for (let round = 1; round <= ROUNDS; round++) {
    assert.deepEqual(far.play(), near.play(), `the same choices in round ${round}`);
    assert.deepEqual(far.peers.map(snapshot), near.peers.map(snapshot), `the same states after round ${round}`);
  }
}

function counts(policy: Policy): void {
  const codec = codecOf(policy);
  const lockstep = new LockstepPeers(policy);
  let met = 0;
  for (let round = 0; round < ROUNDS; round++) {
    lockstep.play();
    const [mine, theirs] = [lockstep.peers[0]!.learner.offer(), lockstep.peers[2]!.learner.offer()];
    const bytes = codec.encode(mine, theirs).reduce((sum, { length }) => sum + length, 0);
    assert.equal(codec.bytes(mine, "mix", theirs), bytes);
    met += bytes;
  }
  assert.ok(met > 0, "something is sent");
}

function mixesBoth(policy: Policy): void {
  const lockstep = new LockstepPeers(policy);
  const outcomes = new Set<Outcome>();
  for (let round = 0; round < ROUNDS; round++) {
    lockstep.play();
    const [a, b] = [lockstep.peers[0]!, lockstep.peers[2]!].map(copyOf) as [Peer, Peer];
    const apart = [copyOf(a), copyOf(b)] as [Peer, Peer];
    const offers = apart.map(({ learner }) => learner.copyOffer()) as [Offer, Offer];
    outcomes.add(meetPair(a, b));
    step(apart[0], { kind: "meet", partner: "2", offer: offers[1] });
    // Where a message may be repeated the second asks when the first has its answer.
    const offer = policy.delivery === "newest" ? apart[0].learner.copyOffer() : offers[0];
    step(apart[1], { kind: "meet", partner: "0", offer });
    for (const peer of apart) step(peer, { kind: "settle" });
    assert.deepEqual(apart.map(snapshot), [a, b].map(snapshot));
  }
  assert.ok(outcomes.has("mix"), "peers that like the same mix");
}

/** Frames cut off, turned, of nothing and of others; offers of another policy. */
function withstands(policy: Policy): void {
  const codec = codecOf(policy);
  const lockstep = new LockstepPeers(policy);
  lockstep.playOn(ROUNDS);
  const [sender, reader] = [lockstep.peers[0]!, lockstep.peers[2]!];
  const frames = codec.encode(sender.learner.offer(), copyOf(reader).learner.offer());
  const before = snapshot(reader);
  /** Read and met, or refused with the reader unchanged. */
  const refused = (bad: readonly Uint8Array[]): boolean => {
    const target = fromSnapshot(reader.config, before);
    const unwelcome = violates(() =>
      step(target, { kind: "meet", partner: sender.config.id, offer: codec.decode(bad, LIMITS) }),
    );
    if (unwelcome) assert.deepEqual(snapshot(target), before, "a refusal changes nothing");
    else assert.ok(target.learner.view.estimate.every(Number.isFinite), "what was let in did no harm");
    return unwelcome;
  };
  frames.forEach((frame, index) => {
    const put = (bytes: Uint8Array): Uint8Array[] => frames.map((old, k) => (k === index ? bytes : old));
    for (let length = 0; length < frame.length; length += 1 + (length >> 5)) {
      assert.ok(refused(put(frame.slice(0, length))), `frame ${index} cut off at ${length} is refused`);
    }
    assert.ok(refused(put(Uint8Array.of(...frame, 0))), "so is one with something behind it");
    const random = Random.seeded(index);
    for (let k = 0; k < 300; k++) {
      const turned = frame.slice();
      turned[random.below(frame.length)]! ^= 1 << random.below(8);
      refused(put(turned));
    }
  });
  assert.ok(refused([]), "so is nothing at all");
  assert.ok(refused([...frames, ...frames, ...frames]), "and too much of it");
  const stranger: Offer = { policy: `not-${policy.kind}` };
  assert.ok(
    violates(() => reader.learner.judge("0", stranger, reader.round)),
    "an offer of another policy is refused",
  );
  assert.deepEqual(snapshot(reader), before);
  assert.equal(lockstep.peers.length, PEERS);
}
