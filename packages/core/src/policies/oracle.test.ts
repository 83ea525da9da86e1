import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OracleTrace, oracle } from "../testing/oracle.ts";
import { nearTie, type Played, play } from "../testing/play.ts";
import { expectPairs } from "../testing/same.ts";
import { policyStream, traces } from "../testing/traces.ts";

// Every policy against the naive second opinion, on random small traces: the same choice of every peer in every round,
// the same buffers and neighbourhoods, and the same sums at the end. Traces in which rounding could decide are left out.

const SEED = 2016;

/** Compares `runs` traces; `seen` is told of each, so that a test can say what it must have met. */
function compare(
  algorithm: OracleTrace["algorithm"],
  { rounds, runs }: { rounds: number; runs: number },
  seen: (trace: OracleTrace, played: Played) => void = () => {},
): void {
  const agrees = fc.property(traces(algorithm, rounds), ({ trace, seed }) => {
    const expected = oracle(trace);
    fc.pre(!nearTie(trace, expected));
    const played = play(trace, policyStream(seed));
    expect(played.rounds).toEqual(expected.rounds.map(({ scores, margins, ...rest }) => rest));
    // With a centre the oracle tells each peer's own sums, which follow from the choices.
    if (!["pooled", "oracle", "club"].includes(algorithm)) expectPairs(played.final, expected.final);
    seen(trace, played);
  });
  fc.assert(agrees, { seed: SEED, numRuns: runs, maxSkipsPerRun: 1 });
}

const parted = ({ peers }: OracleTrace, { rounds }: Played): boolean =>
  rounds.some(({ neighbourhoods }) => neighbourhoods?.some((near) => near.length < peers));

/** Something has left a buffer for the active sums: the gram is no longer I. */
const promoted = (_: OracleTrace, { final }: Played): boolean => final.some(({ gram }) => gram[0][0] !== 1);

describe("as the oracle does", () => {
  it.each(["solo", "round-robin", "pooled", "oracle"] as const)("%s", (algorithm) => {
    compare(algorithm, { rounds: 20, runs: 400 });
  });

  it("club", () => {
    let split = 0;
    compare("club", { rounds: 16, runs: 500 }, (trace, played) => {
      split += parted(trace, played) ? 1 : 0;
    });
    // A graph that never falls apart would test nothing but pooling.
    expect(split).toBeGreaterThan(150);
  });

  it("dcb", () => {
    let used = 0;
    compare("dcb", { rounds: 24, runs: 1000 }, (trace, played) => {
      used += promoted(trace, played) ? 1 : 0;
    });
    expect(used).toBeGreaterThan(500);
  });

  it("dccb", () => {
    const met = { promoted: 0, parted: 0, partedByTheory: 0, partedInTurn: 0, partedEpoch: 0, partedBridge: 0 };
    compare("dccb", { rounds: 24, runs: 2000 }, (trace, played) => {
      const { threshold, buffer, bridge } = trace.parameters;
      met.promoted += promoted(trace, played) ? 1 : 0;
      if (!parted(trace, played)) return;
      met.parted += 1;
      met.partedByTheory += threshold?.kind === "theory" ? 1 : 0;
      met.partedInTurn += trace.rounds[0].meetings ? 1 : 0;
      met.partedEpoch += buffer === "epoch" ? 1 : 0;
      met.partedBridge += bridge ? 1 : 0;
    });
    for (const [what, times] of Object.entries(met)) expect(times, what).toBeGreaterThan(200);
  });
});
