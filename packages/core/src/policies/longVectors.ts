import { useLong } from "./kindred.ts";
import { LongKindred } from "./kindredLong.ts";

/**
 * Takes into use what long vectors need. Core's index does, and so does whoever declares a vector. What is bundled with neither does without: it chooses the
 * same, but for rounding, and takes longer.
 */
export function useLongVectors(): void {
  useLong(LongKindred);
}
