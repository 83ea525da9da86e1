/** The fields of assembly/context.ts, all u32, in the same order: where everything of an engine stands, in bytes. */
const FIELDS = [
  "dimension",
  "peers",
  "columns",
  "arms",
  "armsAt",
  "extent",
  "estimateAt",
  "radiusAt",
  "choicesAt",
  "activeAt",
  "lowerAt",
  "reciprocalAt",
  "seenAt",
  "dueAt",
  "operandsAt",
  "programsAt",
  "programBytes",
  "programCount",
  "firstProgram",
  "maps",
  "rowsAt",
  "weightsAt",
  "resets",
  "resetPeersAt",
  "resetSlotsAt",
  "localAt",
  "localLowerAt",
  "localReciprocalAt",
  "localEstimateAt",
  "openAt",
  "closedAt",
] as const;

export type ContextField = (typeof FIELDS)[number];
export type ContextValues = Record<ContextField, number>;

export const CONTEXT_BYTES = 4 * FIELDS.length;

/** Writes some fields of the context that begins at `at`. */
export function writeContext(buffer: ArrayBufferLike, at: number, values: Partial<ContextValues>): void {
  const words = new Uint32Array(buffer, at, FIELDS.length);
  FIELDS.forEach((field, k) => {
    const value = values[field];
    if (value !== undefined) words[k] = value;
  });
}
