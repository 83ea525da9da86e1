import type { DcbOptions } from "@coterie/core";
import { shapeOf } from "../../engine/config.ts";
import { drawingBytes } from "../../engine/drawing.ts";
import { layoutOf } from "../../engine/layout.ts";
import type { Row } from "../../results/types.ts";
import { parseExperiment } from "../../running/parse.ts";

/** Bytes of the engine's and the world's memory for one peer of a row: a function of the experiment's sizes alone. */
export function bytesPerPeer(document: unknown): (row: Row) => number | null {
  const { worlds, policies } = parseExperiment(document);
  return (row) => {
    const world = worlds.find(({ name }) => name === row.world);
    const policy = policies.find(({ name }) => name === row.policy);
    if (world?.config.kind !== "clusters" || policy?.policy.kind !== "dcb") return null;
    const { peers, dimension, arms, clusters } = world.config;
    const options = policy.policy.options as DcbOptions;
    const shape = shapeOf({ kind: "dcb", options, peers, dimension, arms, rounds: row.rounds });
    return (layoutOf(shape).bytes + drawingBytes(peers, arms, dimension, clusters)) / peers;
  };
}
