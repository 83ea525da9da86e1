import { type Delay, delayAt } from "@coterie/core/internal";
import type { HeldSlots } from "./heldSlots.ts";
import type { Machine } from "./machine.ts";
import type { MeetingResults } from "./meetings.ts";
import { Programs } from "./programs.ts";

/** Every ⌈L(t)⌉ rounds the closed slot, mixed meanwhile, is promoted, and the open one takes its place. */
export class Epochs implements HeldSlots {
  readonly held = 2;
  readonly #machine: Machine;
  readonly #programs: Programs;
  /** Rounds of the epoch under way. */
  #age = 0;
  /** The first closed slot is all zeros. */
  #filled = 0;

  constructor(
    machine: Machine,
    readonly delay: Delay,
  ) {
    this.#machine = machine;
    this.#programs = new Programs(machine.layout, () => machine.buffer);
  }

  get carried(): { held: number; filled: number } {
    return { held: 1, filled: this.#filled };
  }

  seenAt(): number {
    return this.#machine.layout.historyAt;
  }

  close(round: number, { sources }: MeetingResults, weigh: () => void): boolean {
    const { layout, peers } = this.#machine;
    const { programCount, columns } = layout.context;
    this.#programs.write((round - 1) % programCount, sources, []);
    this.#machine.run("addOpen", 0, layout.groups);
    this.#age += 1;
    if (this.#age < Math.ceil(delayAt(this.delay, peers, round))) return false;
    const firstProgram = (round - this.#age) % programCount;
    this.#machine.set({ firstProgram, maps: this.#age, rowsAt: this.#programs.rowsAt });
    weigh();
    this.#machine.run("replay", 0, columns / 8);
    this.#machine.run("endEpoch", 0, layout.groups);
    this.#filled = 1;
    this.#age = 0;
    return true;
  }
}
