import { type Delay, delayAt } from "@coterie/core/internal";
import type { Filled } from "./filled.ts";
import type { HeldSlots } from "./heldSlots.ts";
import type { Machine } from "./machine.ts";
import type { MeetingResults } from "./meetings.ts";
import { Programs } from "./programs.ts";

/** One slot a round, oldest first. What waits is not mixed: observations and who met whom are kept, and played at the end. */
export class SlotQueue implements HeldSlots {
  readonly #machine: Machine;
  readonly #programs: Programs;
  readonly #filled: Filled;
  /** What peers that were reset put into their slot of that round, by the slot's place. */
  readonly #resets = new Map<number, { peers: readonly number[]; slots: Float64Array }>();
  #held = 0;

  constructor(
    machine: Machine,
    readonly delay: Delay,
    filled: Filled,
  ) {
    this.#machine = machine;
    this.#filled = filled;
    this.#programs = new Programs(machine.layout, () => machine.buffer);
  }

  get held(): number {
    return this.#held;
  }

  get carried(): { held: number; filled: number } {
    return { held: this.#held, filled: this.#held };
  }

  #place(round: number): number {
    return (round - 1) % this.#machine.layout.context.programCount;
  }

  seenAt(round: number): number {
    const { historyAt, slotBytes } = this.#machine.layout;
    return historyAt + this.#place(round) * slotBytes;
  }

  close(round: number, { sources, resets }: MeetingResults, weigh: () => void): boolean {
    const place = this.#place(round);
    this.#programs.write(place, sources, resets);
    this.#filled.mix(sources);
    if (resets.length > 0) this.#reset(round, resets);
    this.#held += 1;
    this.#filled.set(place, true);
    const due = this.#held > delayAt(this.delay, this.#machine.peers, round);
    if (due) {
      weigh();
      this.#promote(round);
    }
    return due || resets.length > 0;
  }

  /** A peer that parted: its slots are zero (the program says so), the newest and the active sums are its own. */
  #reset(round: number, peers: readonly number[]): void {
    const { context, padded } = this.#machine.layout;
    const { columns, dimension: d } = context;
    const local = this.#machine.doubles(context.localAt, padded * columns);
    const active = this.#machine.doubles(context.activeAt, padded * columns);
    const slots = new Float64Array(peers.length * columns);
    const waiting = Array.from({ length: this.#held }, (_, k) => this.#place(round - 1 - k));
    peers.forEach((peer, k) => {
      const first = (peer >> 2) * columns * 4 + (peer & 3);
      for (let c = 0; c < columns; c++) {
        const own = local[first + 4 * c]!;
        active[first + 4 * c] = own;
        slots[k * columns + c] = own;
      }
      for (let i = 0, at = k * columns; i < d; at += i + 2, i++) slots[at]! += 1;
      this.#filled.reset(peer, waiting);
    });
    this.#resets.set(this.#place(round), { peers, slots });
  }

  #promote(round: number): void {
    const { context, historyAt, slotBytes } = this.#machine.layout;
    const maps = this.#held - 1;
    const place = this.#place(round - maps);
    this.#machine.set({
      dueAt: historyAt + place * slotBytes,
      firstProgram: (place + 1) % context.programCount,
      maps,
      rowsAt: maps === 0 ? this.#programs.identity() : this.#programs.rowsAt,
      resets: this.#takeResets(place),
    });
    this.#machine.run("replay", 0, context.columns / 8);
    this.#filled.set(place, false);
    this.#held -= 1;
  }

  /** Puts what was reset in the slot at `place` where kernels find it; returns how many peers. */
  #takeResets(place: number): number {
    const reset = this.#resets.get(place);
    if (reset === undefined) return 0;
    const { resetPeersAt, resetSlotsAt } = this.#machine.layout.context;
    this.#machine.words(resetPeersAt, reset.peers.length).set(reset.peers);
    this.#machine.doubles(resetSlotsAt, reset.slots.length).set(reset.slots);
    this.#resets.delete(place);
    return reset.peers.length;
  }
}
