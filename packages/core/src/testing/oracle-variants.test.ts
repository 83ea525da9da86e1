import { describe, expect, it } from "vitest";
import { counting, grams, moments, scoresIn, type Variant } from "./counting.ts";
import { type OracleTrace, oracle } from "./oracle.ts";

const close = (values: number[]) => values.map((value) => expect.closeTo(value, 12));

describe("round-robin", () => {
  it.each([1, 2, 3, 5])("misses V(V − 1)/2 observations: V = %i", (peers) => {
    const rounds = 9;
    const answer = counting(
      "round-robin",
      {},
      Array.from({ length: rounds }, () => Array(peers).fill(1)),
    );
    const missed = (peers * (peers - 1)) / 2;
    expect(grams(answer)).toEqual(Array(peers).fill(1 + peers * rounds - missed));
  });

  it("passes on along the ring, one hop a round", () => {
    // Digits say whose and when: peer 0 is paid 1, then 2; peer 1 10, then 20; peer 2 100, then 200.
    const rewards = [
      [1, 10, 100],
      [2, 20, 200],
      [4, 40, 400],
    ];
    expect(moments(counting("round-robin", {}, rewards.slice(0, 1)))).toEqual([1, 10, 100]);
    expect(moments(counting("round-robin", {}, rewards.slice(0, 2)))).toEqual([103, 31, 310]);
    expect(moments(counting("round-robin", {}, rewards))).toEqual([317, 173, 731]);
  });
});

describe("sharing", () => {
  // Peers 0 and 2 prune each other in round 2; in round 3 peers 0 and 1 are close but their neighbourhoods differ.
  const rewards = [1, 1, 1].map(() => [1, 0.6, -1]);
  const more = [{ partners: [0, 1, 2] }, { partners: [2, 1, 0] }, { partners: [1, 0, 2] }];
  const parameters: Variant = {
    delay: { rounds: 2 },
    threshold: { kind: "practical", factor: 0.25 },
  };

  it("is equal by default: unmixed", () => {
    const answer = counting("dccb", parameters, rewards, more);
    expect(answer.rounds[2].neighbourhoods).toEqual([
      [0, 1],
      [0, 1, 2],
      [1, 2],
    ]);
    expect(grams(answer)).toEqual([3, 4, 3]);
    expect(answer.rounds[2].margins?.length).toBe(2);
  });

  it("may be mutual: mixed whenever not pruned", () => {
    const answer = counting("dccb", { ...parameters, sharing: "mutual" }, rewards, more);
    // Slot 1 of peer 0 is zero after the reset: ½ of peer 1's, times 2 for peer 0 and times 3 for peer 1.
    expect(grams(answer)).toEqual(close([4, 2.5, 3]));
    expect(moments(answer)).toEqual(close([2.6, 0.9, -2]));
  });
});

describe("meetings", () => {
  it("mix one after another, both ways", () => {
    const answer = counting(
      "dcb",
      { delay: { rounds: 1 }, weight: "mean" },
      [
        [4, 0, 8],
        [0, 0, 0],
      ],
      [
        {},
        {
          meetings: [
            [0, 1],
            [1, 2],
          ],
        },
      ],
    );
    expect(grams(answer)).toEqual([2, 2, 2]);
    expect(moments(answer)).toEqual([2, 5, 5]);
  });

  const rewards = [1, 1].map(() => [1, 0.6, -1]);
  const parameters: Variant = {
    delay: { rounds: 1 },
    threshold: { kind: "practical", factor: 0.25 },
    sharing: "mutual",
  };
  const meet = (...meetings: [number, number][]) => counting("dccb", parameters, rewards, [{}, { meetings }]);

  it("leave a peer alone that was pruned earlier in the round", () => {
    const answer = meet([0, 2], [0, 1]);
    expect(answer.rounds[1].neighbourhoods).toEqual([
      [0, 1],
      [0, 1, 2],
      [1, 2],
    ]);
    // Peer 1 keeps its own slot of round 1 (times 3); the others know their own two observations.
    expect(grams(answer)).toEqual([3, 4, 3]);
    expect(moments(answer)).toEqual(close([2, 1.8, -2]));
  });

  it("prune a peer that was pruned earlier in the round, and pass over pairs already apart", () => {
    const answer = meet([0, 2], [2, 0], [1, 2]);
    expect(answer.rounds[1].neighbourhoods).toEqual([[0, 1], [0, 1], [2]]);
    expect(answer.rounds[1].margins?.length).toBe(2);
    expect(grams(answer)).toEqual([3, 3, 3]);
  });

  it("mix before a later meeting prunes", () => {
    // Peer 1 takes half of peer 0's slot before peer 0 is reset.
    const answer = meet([0, 1], [0, 2]);
    expect(moments(answer)).toEqual(close([2, 3 * 0.8, -2]));
  });

  it("compare the neighbourhoods as they are now", () => {
    // All four start alike. Peers 0 and 3 prune first, so 1 and 2 still agree with each other but not with 0.
    const equal = (...meetings: [number, number][]) =>
      counting(
        "dccb",
        { ...parameters, sharing: "equal" },
        [1, 1].map(() => [1, 0.8, 0.6, -1]),
        [{}, { meetings }],
      );
    expect(moments(equal([0, 3], [1, 2]))).toEqual(close([2, 4 * 0.7, 4 * 0.7, -2]));
    // Peer 2 loses 3, so peer 1, which has not, no longer agrees with it.
    expect(moments(equal([2, 3], [1, 2]))).toEqual(close([4, 4 * 0.8, 1.2, -2]));
  });
});

describe("permutations", () => {
  it("mix from the state before the round, and a reset wins over a mix", () => {
    // σ = 0 → 1 → 2 → 0: peer 0 is close to 1; 1 and 2 prune, as do 2 and 0. So 0 is reset, though it may mix.
    const answer = counting(
      "dccb",
      { delay: { rounds: 1 }, threshold: { kind: "practical", factor: 0.25 } },
      [1, 1].map(() => [1, 0.6, -1]),
      [{}, { partners: [1, 2, 0] }],
    );
    expect(answer.rounds[1].neighbourhoods).toEqual([[0, 1], [0, 1], [2]]);
    expect(moments(answer)).toEqual(close([2, 1.2, -2]));
  });

  it("mix with a partner that is reset in the same round as it was before", () => {
    // 0 tests 2 (close), 2 tests 3 (far), 3 tests 1 (far), 1 tests 0 (close): 1, 2 and 3 are reset, 0 mixes with 2.
    const answer = counting(
      "dccb",
      { delay: { rounds: 1 }, threshold: { kind: "practical", factor: 0.25 }, weight: "mean" },
      [1, 1].map(() => [1, 0.9, 0.6, -1]),
      [{}, { partners: [2, 0, 3, 1] }],
    );
    expect(answer.rounds[1].neighbourhoods).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2],
      [0, 1, 2],
      [0, 3],
    ]);
    expect(moments(answer)).toEqual(close([0.8, 1.8, 1.2, -2]));
  });
});

describe("thompson", () => {
  const trace: OracleTrace = {
    algorithm: "solo",
    peers: 1,
    dimension: 2,
    parameters: { radius: { kind: "practical", alpha: 0.5 }, choice: "thompson" },
    rounds: [
      {
        arms: [
          [
            [1, 0],
            [0, 1],
          ],
        ],
        rewards: [[7, 3]],
        normals: [[-1, 2]],
      },
      {
        arms: [
          [
            [1, 0],
            [0, 1],
          ],
        ],
        rewards: [[7, 3]],
        normals: [[4, 2]],
      },
    ],
  };

  it("draws around the estimate", () => {
    const answer = oracle(trace);
    const rho = [0.5 * Math.sqrt(Math.log(2)), 0.5 * Math.sqrt(Math.log(3))];
    expect(answer.rounds[0].scores).toEqual([close([-rho[0], 2 * rho[0]])]);
    expect(answer.rounds[0].choices).toEqual([1]);
    // A = diag(1, 2), b = (0, 3).
    expect(answer.rounds[1].scores).toEqual([close([4 * rho[1], 1.5 + (2 * rho[1]) / Math.SQRT2])]);
  });

  it("turns the normals by the transposed factor", () => {
    // A = I + (1, 2)(1, 2)ᵀ + 2 e₁e₁ᵀ = (4 2; 2 5), L = (2 0; 1 2), L⁻ᵀ (1, 2) = (0, 1). The arms are longer than
    // real ones may be, for the sake of the whole numbers.
    const offered = [[[1, 2]], [[Math.SQRT2, 0]], trace.rounds[0].arms[0]];
    const rounds = offered.map((arms) => ({ arms: [arms], rewards: [[0, 0]], normals: [[1, 2]] }));
    const [scores] = oracle({ ...trace, rounds }).rounds[2].scores;
    expect(scores).toEqual(close([0, 0.5 * Math.sqrt(Math.log(4))]));
  });

  it("needs the normals", () => {
    const rounds = trace.rounds.map(({ arms, rewards }) => ({ arms, rewards }));
    expect(() => oracle({ ...trace, rounds })).toThrow("normals");
  });
});

describe("oracle", () => {
  it("pools within the true clusters and reports the local pair", () => {
    const answer = counting("oracle", { clusters: [0, 1, 0] }, [
      [1, 10, 4],
      [0, 0, 0],
    ]);
    expect(scoresIn(answer, 2)).toEqual(close([5 / 3, 10 / 2, 5 / 3]));
    expect(moments(answer)).toEqual([1, 10, 4]);
    expect(() => counting("oracle", {}, [[1], [1]])).toThrow("clusters");
  });
});
