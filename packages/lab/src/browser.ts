/**
 * The half of the lab that needs nothing of Node: what a page takes of it. The made-up world and the engine, so that a run
 * in a page is the run of `coterie run`; and how curves look and numbers are written, so that a page's charts read as a report's figures.
 */
export { useKernels } from "@coterie/kernels";
export { createLabFleet, type Engine, type FleetShape } from "./engine/create.ts";
export { SphereDrawing } from "./engine/drawing.ts";
export { type Extent, extentOf, tickText, withZero } from "./report/figures/axes.ts";
export { type CurveStyle, curveStyleOf, DARK, LIGHT, type Scheme } from "./report/figures/palette.ts";
export { bytes, numberText, show, type Unit } from "./report/numbers.ts";
export type { ClustersConfig } from "./worlds/clusters/config.ts";
export { parseClusters } from "./worlds/clusters/parse.ts";
export { ClustersWorld } from "./worlds/clusters/world.ts";
export type { World } from "./worlds/world.ts";
