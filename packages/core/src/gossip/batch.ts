import { whole } from "../options.ts";

/**
 * A slot of one round holds one person's last interaction: x xᵀ and r x give the item and the reward to the partner. With a
 * batch of n own observations stay with the peer until there are n of them, and leave as one sum, from which single ones
 * can no longer be read. They count in the peer's own choices as late as they count in those of others, unless `bridge`
 * lets own ones count before.
 */
export const parseBatch = (field: string, value: unknown): number => whole(field, value, 1, 65_536);
