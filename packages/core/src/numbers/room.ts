/** What was made so far, by who makes it and how many features it is for. */
const rooms = new Map<unknown, Map<number, unknown>>();

/**
 * Room to calculate in, of which nothing is used from one call to the next: one for all peers of a process, and so mostly in a cache.
 * With thousands of peers those of their own took more memory than what they know.
 */
export function roomOf<Room>(dimension: number, make: (dimension: number) => Room): Room {
  let all = rooms.get(make) as Map<number, Room> | undefined;
  if (all === undefined) {
    all = new Map();
    rooms.set(make, all);
  }
  let room = all.get(dimension);
  if (room === undefined) {
    room = make(dimension);
    all.set(dimension, room);
  }
  return room;
}
