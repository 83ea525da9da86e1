import type { DcbOptions, DccbOptions, Random } from "@coterie/core";
import { delayAt } from "@coterie/core/internal";
import type { EngineShape } from "./layout.ts";

/** A fleet of one policy for the batched engine. */
export interface BatchedConfig {
  readonly kind: "dcb" | "dccb";
  readonly options: DcbOptions | DccbOptions;
  readonly dimension: number;
  readonly peers: number;
  /** Arms that every peer is offered in every round. */
  readonly arms: number;
  /** Rounds that will be played at most: how long a buffer can grow. */
  readonly rounds: number;
  readonly random: Random;
  /** Rounds of arms that there is room for; 1 unless set. */
  readonly armRounds?: number;
}

/** What `layoutOf` must know of a fleet. */
export function shapeOf(config: Omit<BatchedConfig, "random">): EngineShape {
  const { peers, dimension, arms, options, kind } = config;
  return {
    peers,
    dimension,
    arms,
    slots: Math.ceil(delayAt(options.delay, peers, config.rounds)) + 1,
    epochs: options.buffer === "epoch",
    local: kind === "dccb",
    rows: kind === "dcb" && options.pairing === "matching" ? Math.floor(peers / 2) + 1 : peers,
    armRounds: config.armRounds ?? 1,
  };
}
