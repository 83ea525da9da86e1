import { kindred, type Policy } from "@coterie/core";

/** What a peer does unless its app says otherwise. */
export const defaultPolicy = (): Policy => kindred();

/** A peer's own clock: one round in ten seconds, give or take a tenth. */
export const DEFAULT_TICK = { periodMs: 10_000, jitter: 0.1 } as const;
