import { featuresOf } from "./features/features.ts";
import type { Interactions, Note } from "./interactions.ts";

/** A dataset made ready, before the peers are picked: this is what the cache holds. */
export interface Prepared {
  readonly dimension: number;
  /** Ids of the items of the catalogue, ascending. */
  readonly itemIds: Int32Array;
  /** itemCount × dimension. */
  readonly features: Float64Array;
  /** Users with at least one item in the catalogue, ascending. */
  readonly userIds: Int32Array;
  /** Catalogue indices of user u's items, ascending: items[k] for k from starts[u] to starts[u + 1]. */
  readonly starts: Int32Array;
  readonly items: Int32Array;
  /** When the user had it first, in seconds since 1970: times[k] of items[k]; null where the files do not say. */
  readonly times: Int32Array | null;
  readonly zeroRows: number;
  readonly notes: readonly Note[];
}

export function prepare(interactions: Interactions, dimension: number): Prepared {
  const { features, zeroRows } = featuresOf(interactions, dimension);
  const itemIds = Int32Array.from(interactions.itemIds);
  return { dimension, itemIds, features, ...indexUsers(interactions), zeroRows, notes: interactions.notes };
}

/** Users' items as places in the catalogue; items that are not in it (no words) fall away, and so may users. */
function indexUsers({
  itemIds,
  usersItems,
  usersTimes,
}: Interactions): Pick<Prepared, "userIds" | "starts" | "items" | "times"> {
  const places = new Map(itemIds.map((id, place) => [id, place]));
  const userIds: number[] = [];
  const starts = [0];
  let total = 0;
  for (const items of usersItems.values()) total += items.length;
  const all = new Int32Array(total);
  const allTimes = new Int32Array(usersTimes === null ? 0 : total);
  let end = 0;
  for (const user of [...usersItems.keys()].sort((a, b) => a - b)) {
    const start = end;
    const times = usersTimes?.get(user);
    usersItems.get(user)!.forEach((id, k) => {
      const place = places.get(id);
      if (place === undefined) return;
      if (times) allTimes[end] = times[k]!;
      all[end++] = place;
    });
    if (end === start) continue;
    userIds.push(user);
    starts.push(end);
  }
  return {
    userIds: Int32Array.from(userIds),
    starts: Int32Array.from(starts),
    items: all.slice(0, end),
    times: usersTimes === null ? null : allTimes.slice(0, end),
  };
}
