import assert from "node:assert/strict";
import { fromSnapshot, type Policy, Random, snapshot, step } from "@coterie/core";
import type { Check } from "../check.ts";
import { armsOf, DIMENSION, LockstepPeers, newPeer, PEERS, stateOf } from "./lockstepPeers.ts";

const ROUNDS = 24;

/** What a policy must be whether its peers meet or not. */
export function stateChecks(policy: Policy): Check[] {
  return [
    { name: "describes itself in plain data", run: () => describes(policy) },
    { name: "chooses one of the arms, and choosing changes nothing", run: () => chooses(policy) },
    { name: "does the same with the same inputs, bit for bit", run: () => repeats(policy) },
    { name: "shares nothing between learners", run: () => sharesNothing(policy) },
    { name: "goes on from a snapshot bit for bit, wherever it was taken", run: () => resumes(policy) },
    { name: "shows what it knows, and looking changes nothing", run: () => shows(policy) },
    { name: "lets members come and go, and catches up", run: () => lives(policy) },
  ];
}

function describes({ kind, options, pairing, delivery, codec }: Policy): void {
  assert.match(kind, /^[a-z][a-z0-9-]*$/, "its kind is a word in lower case");
  assert.deepEqual(JSON.parse(JSON.stringify(options)), options, "its options are plain data: JSON keeps them whole");
  const unsociable = [pairing === "none", delivery === "none", codec === null];
  assert.ok(new Set(unsociable).size === 1, "its peers meet, exchange and have a codec, or do none of the three");
  assert.equal(codec?.records !== undefined, delivery === "newest", "its records can be told apart, where it has some");
}

function chooses(policy: Policy): void {
  const lockstep = new LockstepPeers(policy);
  for (let round = 0; round < ROUNDS; round++) {
    for (const chosen of lockstep.play())
      assert.ok(Number.isInteger(chosen) && chosen >= 0 && chosen < 5, `arm ${chosen}`);
    const before = lockstep.peers.map(stateOf);
    lockstep.peers.forEach(({ learner, round: now }, i) => {
      const { values } = armsOf(7, round, i);
      assert.equal(learner.choose({ count: 1, values }, now, streamOf()), 0, "of one arm it chooses that");
      learner.choose({ count: 5, values }, now, streamOf());
    });
    assert.deepEqual(lockstep.peers.map(stateOf), before, "choosing changes no state");
  }
}

function repeats(policy: Policy): void {
  const [one, other] = [new LockstepPeers(policy), new LockstepPeers(policy)];
  for (let round = 0; round < ROUNDS; round++) {
    assert.deepEqual(one.play(), other.play(), `the same choices in round ${round + 1}`);
    assert.deepEqual(one.peers.map(snapshot), other.peers.map(snapshot), `the same states after round ${round + 1}`);
  }
}

/** Neither through the policy, nor through what peers read of each other. */
function sharesNothing(policy: Policy): void {
  const alone = new LockstepPeers(policy, 1).playOn(ROUNDS);
  const [watched, other] = [new LockstepPeers(policy, 1), new LockstepPeers(policy, 2)];
  for (let round = 0; round < ROUNDS; round++) {
    other.play();
    assert.deepEqual(watched.play(), alone[round], "colonies of one policy do not disturb each other");
  }
  watched.peers.forEach((peer, i) => {
    const others = watched.peers.filter((_, k) => k !== i);
    const before = others.map(stateOf);
    step(peer, { kind: "observe", arm: armsOf(9, 1, i).values.slice(0, DIMENSION), reward: 0.5 });
    step(peer, { kind: "close" });
    assert.deepEqual(others.map(stateOf), before, "what one peer sees changes no other, whom it met or not");
  });
}

function resumes(policy: Policy): void {
  const [whole, torn] = [new LockstepPeers(policy), new LockstepPeers(policy)];
  const tear = (): void => {
    torn.peers.forEach((peer, i) => {
      const bytes = snapshot(peer);
      torn.peers[i] = fromSnapshot(peer.config, bytes);
      assert.deepEqual(snapshot(torn.peers[i]!), bytes, "what was restored makes the same snapshot");
    });
  };
  for (let round = 1; round <= ROUNDS; round++) {
    const expected = whole.play();
    torn.round += 1;
    const chosen = torn.peers.map((_, i) => torn.serve(i));
    tear();
    if (policy.pairing !== "none") torn.meet();
    tear();
    for (const peer of torn.peers) step(peer, { kind: "close" });
    tear();
    assert.deepEqual(chosen, expected, `the same choices in round ${round}`);
    assert.deepEqual(torn.peers.map(snapshot), whole.peers.map(snapshot), `the same states after round ${round}`);
  }
}

function shows(policy: Policy): void {
  const lockstep = new LockstepPeers(policy);
  for (let round = 1; round <= ROUNDS; round++) {
    lockstep.play();
    const before = lockstep.peers.map(stateOf);
    for (const { learner } of lockstep.peers) {
      const { view } = learner;
      assert.equal(view.estimate.length, DIMENSION);
      assert.ok(view.estimate.every(Number.isFinite), "its estimate is finite");
      assert.ok(view.own === round || view.own === 0, "it counts its own observations, or keeps none");
      assert.ok(view.evidence >= 0 && Number.isFinite(view.evidence), "its evidence is a count");
      assert.ok(view.buffered >= 0 && view.pruned.size < PEERS, "its buffer and its prunes are bounded");
      assert.equal(typeof learner.near("0"), "boolean");
      const spread = view.spread?.(armsOf(3, round, 0).values, 0, round) ?? 0;
      assert.ok(spread >= 0 && Number.isFinite(spread), "how far off it may be is a number");
      for (const count of view.lenders?.().values() ?? []) assert.ok(count > 0, "whoever lends lends something");
    }
    assert.deepEqual(lockstep.peers.map(stateOf), before, "looking changes no state");
  }
}

function lives(policy: Policy): void {
  const lockstep = new LockstepPeers(policy);
  lockstep.playOn(6);
  const peer = lockstep.peers[0]!;
  step(peer, { kind: "join", partner: "late" });
  if (policy.pairing !== "none") {
    step(peer, { kind: "part", partner: "1" });
    step(peer, { kind: "settle" });
  }
  step(peer, { kind: "leave", partner: "1" });
  step(peer, { kind: "catch-up", round: peer.round + 40 });
  const again = fromSnapshot(peer.config, snapshot(peer));
  for (const each of [peer, again]) {
    step(each, { kind: "observe", arm: armsOf(9, 1, 0).values.slice(0, DIMENSION), reward: 0.5 });
    step(each, { kind: "close" });
  }
  assert.deepEqual(snapshot(again), snapshot(peer), "it goes on from there as well");
  assert.ok(peer.learner.view.estimate.every(Number.isFinite));
  const fresh = newPeer(policy, "fresh");
  step(fresh, { kind: "catch-up", round: 1000 });
  step(fresh, { kind: "close" });
  assert.equal(fresh.round, 1001, "one that has seen nothing yet catches up too");
}

const streamOf = (): Random => Random.seeded(5);
