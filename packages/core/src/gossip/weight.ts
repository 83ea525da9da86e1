import { oneOf } from "../options.ts";

/**
 * What a promoted slot counts. Mixing makes it the mean over the peers: `sum` multiplies by their number, so that the
 * active statistics estimate what pooling everything at once would have; `mean` is the pseudo-code to the letter.
 */
export type Weight = "sum" | "mean";

export const parseWeight = (field: string, value: unknown): Weight =>
  value === undefined ? "sum" : oneOf(field, value, ["sum", "mean"]);
