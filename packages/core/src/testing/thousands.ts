/** How properties are checked here: often, and the same every time, so that a failure is the change's and nobody else's. */
export const thousands = { seed: 20160619, numRuns: 2000 } as const;
