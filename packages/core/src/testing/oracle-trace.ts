// What the oracle is asked and what it answers: the traces of the specification and the variants' fields.
import type { Pair } from "./evidence.ts";

export interface OracleRound {
  /** [peer][arm][feature] */
  arms: number[][][];
  /** [peer][arm] */
  rewards: number[][];
  /** σ, a permutation; left out, everyone is alone. */
  partners?: number[];
  /** Asynchronous pairing, instead of `partners`: the pairs in order. */
  meetings?: [number, number][];
  /** Thompson: standard normals, [peer][feature]. */
  normals?: number[][];
}

export type OracleRadius =
  | { kind: "practical"; alpha: number }
  | { kind: "theory"; norm: number; noise: number; delta: number; weight?: number };

export type OracleDelay = { rounds: number } | { factor: number; networkExponent: number };

export type OracleThreshold =
  | { kind: "practical"; factor: number }
  | { kind: "theory"; lambda: number; noise: number; delta: number };

export interface OracleParameters {
  radius: OracleRadius;
  delay?: OracleDelay;
  weight?: "mean" | "sum";
  threshold?: OracleThreshold;
  choice?: "optimistic" | "thompson";
  sharing?: "equal" | "mutual";
  bridge?: boolean;
  buffer?: "slots" | "epoch";
  /** The oracle policy: the cluster of each peer. */
  clusters?: number[];
}

export interface OracleTrace {
  algorithm: "solo" | "pooled" | "oracle" | "club" | "dcb" | "dccb" | "round-robin";
  peers: number;
  dimension: number;
  parameters: OracleParameters;
  rounds: OracleRound[];
}

export interface OracleAnswerRound {
  choices: number[];
  /** dcb, dccb */
  buffered?: number[];
  /** dccb; club: the connected components */
  neighbourhoods?: number[][];
  /** [peer][arm], so that near ties can be recognised. */
  scores: number[][];
  /** dccb, club: |distance − threshold| of every test made. */
  margins?: number[];
}

export interface OracleAnswer {
  rounds: OracleAnswerRound[];
  final: Pair[];
}
