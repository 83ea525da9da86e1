import fc from "fast-check";
import { expect, it } from "vitest";
import { ConfigError, ProtocolViolation } from "../errors.ts";
import { Random } from "../numbers/random.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import { thousands } from "../testing/thousands.ts";
import { VARIANTS } from "../testing/variants.ts";
import { type Input, initialPeer, type Peer, step } from "./peer.ts";
import { fromSnapshot, snapshot } from "./snapshot.ts";

const DIMENSION = 2;
const OTHERS = ["b", "c"];

/** What a host may do with two peers, in any order, well timed or not. */
type Deed = Exclude<Input["kind"], "meet"> | "meet" | "restore";
const deed = fc.record({
  kind: fc.constantFrom<Deed[]>(
    "choose",
    "reward",
    "observe",
    "meet",
    "part",
    "settle",
    "change",
    "renew",
    "regain",
    "catch-up",
    "close",
    "close",
    "join",
    "leave",
    "restore",
  ),
  // Of all the peers there are, "b" is one that is really met.
  partner: fc.constantFrom(...OTHERS),
  x: fc.double({ min: -0.7, max: 0.7, noNaN: true }),
  reward: fc.double({ min: -1, max: 1, noNaN: true }),
  both: fc.boolean(),
});

it("inputs in any order are taken or refused, and a refusal changes nothing", () => {
  let taken = 0;
  let refusals = 0;
  const property = fc.property(
    fc.constantFrom(...Object.keys(VARIANTS)),
    fc.array(deed, { maxLength: 60 }),
    (name, deeds) => {
      const policy = VARIANTS[name]!;
      const config = (id: string) => ({ id, dimension: DIMENSION, policy, peers: 1 + OTHERS.length });
      const pair: [Peer, Peer] = [initialPeer(config("a")), initialPeer(config("b"))];
      const members = [new Set(OTHERS), new Set(["a", "c"])] as const;
      for (const { kind, partner, x, reward, both } of deeds) {
        for (const k of both ? [0, 1] : [0]) {
          const other = partner === pair[k]!.config.id ? "a" : partner;
          // Whoever keeps the list of members lets nobody in twice, and out only who is in.
          if ((kind === "part" || kind === "leave") && !members[k]!.has(other)) continue;
          if (kind === "meet" && !members[k]!.has(pair[1 - k]!.config.id)) continue;
          if (kind === "join" && members[k]!.has(other)) continue;
          if (kind === "join") members[k]!.add(other);
          if (kind === "leave") members[k]!.delete(other);
          if (kind === "restore") {
            pair[k] = fromSnapshot(pair[k]!.config, snapshot(pair[k]!));
            continue;
          }
          const values = Float64Array.of(x, reward / 2, -x, 0.1);
          const before = fingerprint(snapshot(pair[k]!));
          try {
            if (kind === "meet") {
              const met = pair[1 - k]!;
              step(pair[k]!, { kind, partner: met.config.id, offer: met.learner.copyOffer() });
            } else if (kind === "choose")
              step(pair[k]!, { kind, arms: { count: 2, values }, random: Random.seeded(1) });
            else if (kind === "reward") step(pair[k]!, { kind, reward });
            else if (kind === "observe") step(pair[k]!, { kind, arm: values.subarray(0, DIMENSION), reward });
            else if (kind === "settle" || kind === "close" || kind === "change") step(pair[k]!, { kind });
            else if (kind === "catch-up") step(pair[k]!, { kind, round: pair[k]!.round + Math.round(3 * x) });
            else if (kind === "renew") step(pair[k]!, { kind, version: Math.round(1000 * x) });
            else if (kind === "resize") step(pair[k]!, { kind, peers: Math.round(9 * x) });
            else if (kind === "regain") {
              const slot = Float64Array.of(x * x, 0, x * x, reward * x, 0);
              const count = Math.round(4 * x);
              step(pair[k]!, { kind, heritage: { slot, squares: reward * reward, count, era: 1, version: count } });
            } else step(pair[k]!, { kind, partner: other });
            taken += 1;
          } catch (error) {
            if (!(error instanceof ConfigError || error instanceof ProtocolViolation)) throw error;
            expect(fingerprint(snapshot(pair[k]!))).toBe(before);
            refusals += 1;
          }
        }
      }
    },
  );
  fc.assert(property, thousands);
  expect(Math.min(taken, refusals)).toBeGreaterThan(1000);
});

it("whoever leaves in the round in which it parted is not counted as parted afterwards", () => {
  const peer = initialPeer({ id: "a", dimension: DIMENSION, policy: VARIANTS.dccb!, peers: 2 });
  step(peer, { kind: "part", partner: "b" });
  step(peer, { kind: "leave", partner: "b" });
  step(peer, { kind: "settle" });
  step(peer, { kind: "close" });
  expect(peer.learner.view.pruned).toEqual(new Set());
});
