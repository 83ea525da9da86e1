import { type CentralPolicy, createFleet, type DcbOptions, type Fleet, type Policy, type Random } from "@coterie/core";
import { kernelsAvailable, MOST_BYTES } from "@coterie/kernels";
import { type BatchedConfig, shapeOf } from "./config.ts";
import { BatchedFleet } from "./fleet.ts";
import { layoutOf } from "./layout.ts";

/** "peers" plays every policy peer by peer; "auto" takes the batched engine where it fits. Rows are the same. */
export type Engine = "auto" | "peers";

/** What decides whether a fleet can be batched. */
export interface FleetShape {
  readonly policy: Policy | CentralPolicy;
  readonly dimension: number;
  readonly peers: number;
  readonly arms: number;
  readonly rounds: number;
  readonly random: Random;
  readonly clusters: Int32Array | null;
  /** Does every peer choose exactly once in every round, and hear of its reward at once? */
  readonly steady: boolean;
  /** Rounds after which rewards arrive, where the world is not steady. */
  readonly late?: number | undefined;
}

/** Scaling by 2^-maps at the end stays within the range of a number up to here, whatever rewards are paid. */
const MOST_MAPS = 512;

/** Options that the engine knows. A policy with any other is played by those who know that one. */
const KNOWN: ReadonlySet<string> = new Set([
  "radius",
  "choice",
  "delay",
  "weight",
  "buffer",
  "bridge",
  "pairing",
  "threshold",
  "sharing",
]);

/** Can the batched engine play this, bit for bit? */
export function fits(shape: FleetShape): boolean {
  const config = batchedOf(shape);
  if (config === null || !shape.steady || !kernelsAvailable()) return false;
  const { options, kind } = config;
  if (Object.keys(options).some((name) => !KNOWN.has(name))) return false;
  if (options.bridge || options.choice !== "optimistic" || options.pairing === "asynchronous") return false;
  if (kind === "dccb" && options.buffer === "epoch") return false;
  const layout = shapeOf(config);
  return layout.slots <= MOST_MAPS && layoutOf(layout).bytes <= MOST_BYTES;
}

function batchedOf(shape: FleetShape): BatchedConfig | null {
  const { policy } = shape;
  if (policy.kind !== "dcb" && policy.kind !== "dccb") return null;
  return { ...shape, kind: policy.kind, options: policy.options as DcbOptions };
}

/** Makes a fleet: batched where that gives the same bits, else peer by peer. */
export function createLabFleet(engine: Engine, shape: FleetShape): Fleet {
  const config = batchedOf(shape);
  return engine === "auto" && config !== null && fits(shape) ? new BatchedFleet(config) : createFleet(shape);
}
