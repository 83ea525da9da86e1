/** In which rooms those behind each address prefix are, and how many of them. */
export class RoomsOf {
  readonly #rooms = new Map<string, Map<string, number>>();

  /** Whether those behind the prefix may be in that room: they are, or are in fewer than `most`. */
  admits(prefix: string | null, room: string, most: number): boolean {
    const rooms = prefix === null ? undefined : this.#rooms.get(prefix);
    return rooms === undefined || rooms.has(room) || rooms.size < most;
  }

  enter(prefix: string | null, room: string): void {
    if (prefix === null) return;
    const rooms = this.#rooms.get(prefix) ?? new Map<string, number>();
    this.#rooms.set(prefix, rooms.set(room, (rooms.get(room) ?? 0) + 1));
  }

  leave(prefix: string | null, room: string): void {
    const rooms = prefix === null ? undefined : this.#rooms.get(prefix);
    if (prefix === null || rooms === undefined) return;
    const left = (rooms.get(room) ?? 1) - 1;
    if (left > 0) rooms.set(room, left);
    else rooms.delete(room);
    if (rooms.size === 0) this.#rooms.delete(prefix);
  }
}
