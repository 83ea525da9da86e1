import { ConfigError } from "@coterie/core";
import { createKernels, createSharedKernels, type Kernels, sharedModule } from "@coterie/kernels";
import type { EngineLayout } from "./layout.ts";

/** What can be cut into ranges; each writes places of its own, so the outcome is the same whatever the number of threads. */
const TASKS = [
  "choose",
  "replay",
  "replayDeviation",
  "refresh",
  "refreshTheory",
  "addLocal",
  "addOpen",
  "endEpoch",
  "updateLocal",
  "refreshLocal",
] as const;
type Task = (typeof TASKS)[number];

/**
 * Words of the memory's first 64 bytes: what threads are told and tell. Three doubles follow them. In NEXT stand the turn
 * (16 bits), how many pieces were taken from the back and how many from the front (8 bits each).
 */
const [NEXT, TASK, COUNT, CHUNKS, DONE, BAD, FIRST] = [0, 1, 2, 3, 4, 5, 6];
const ARGUMENTS_AT = 32;
/** In place of the two counts: there are none to take. */
const CLOSED = 0xffff;
/** Pieces for each thread: enough that one which is held up leaves the others something to take over. */
const PIECES = 4;

/** What a helper must know. */
export interface Handed {
  readonly module: unknown;
  readonly memory: unknown;
  readonly tasks: readonly string[];
  readonly contextAt: number;
  readonly scratchAt: number;
}

export interface Helper {
  end(): void;
}

/** Starts a thread that helps; without it there is one thread (helper.ts has Node's). */
export type StartHelper = (handed: Handed) => Helper;

/**
 * One memory and the threads that work on it: this one takes pieces of a task from the front, helpers from the back, so
 * that each meets mostly what is in its own cache. A helper that the machine holds up is not waited for, but for the piece
 * it has begun.
 */
export class Team {
  readonly kernels: Kernels;
  readonly #layout: EngineLayout;
  readonly #helpers: Helper[] = [];
  readonly #words: Int32Array;
  readonly #arguments: Float64Array;
  /** Tells one task from the next in the high half of the word NEXT. */
  #turn = 0;

  constructor(layout: EngineLayout, start?: StartHelper) {
    const threads = start === undefined ? 1 : layout.scratchAt.length;
    const kernels = threads > 1 ? createSharedKernels(layout.bytes) : createKernels(layout.bytes);
    if (kernels === null) throw new ConfigError("engine", "batched", "run where WebAssembly supports 128-bit SIMD");
    this.kernels = kernels;
    this.#layout = layout;
    this.#words = new Int32Array(kernels.memory.buffer, 0, 8);
    this.#arguments = new Float64Array(kernels.memory.buffer, ARGUMENTS_AT, 3);
    for (let k = 1; k < threads; k++) this.#helpers.push(start!(this.#handed(k)));
  }

  #handed(thread: number): Handed {
    return {
      module: sharedModule(),
      memory: this.kernels.memory,
      tasks: TASKS,
      contextAt: this.#layout.contextAt,
      scratchAt: this.#layout.scratchAt[thread]!,
    };
  }

  /** Runs a task on first .. last in all threads; returns what went wrong, as bits. */
  run(task: Task, first: number, last: number, ...given: number[]): number {
    const call = this.kernels[task] as (...values: number[]) => number | undefined;
    const { contextAt, scratchAt } = this.#layout;
    const extra = given.length > 0 ? given : [scratchAt[0]!];
    const threads = this.#helpers.length + 1;
    if (threads === 1) return call(contextAt, first, last, ...extra) ?? 0;
    const count = last - first;
    const words = this.#words;
    const chunks = Math.min(count, PIECES * threads);
    // Closed first: a helper that still looks at the task before must not take a piece of this one unread.
    Atomics.store(words, NEXT, (this.#turn << 16) | CLOSED);
    this.#arguments.set(given);
    Atomics.store(words, TASK, TASKS.indexOf(task));
    Atomics.store(words, COUNT, count);
    Atomics.store(words, FIRST, first);
    Atomics.store(words, CHUNKS, chunks);
    Atomics.store(words, BAD, 0);
    Atomics.store(words, DONE, 0);
    this.#turn = (this.#turn + 1) & 0x7fff;
    Atomics.store(words, NEXT, this.#turn << 16);
    Atomics.notify(words, NEXT);
    let bad = 0;
    for (;;) {
      const next = Atomics.load(words, NEXT);
      const chunk = next & 0xff;
      if (chunk + ((next >> 8) & 0xff) >= chunks) break;
      if (Atomics.compareExchange(words, NEXT, next, next + 1) !== next) continue;
      const from = first + Math.floor((count * chunk) / chunks);
      bad |= call(contextAt, from, first + Math.floor((count * (chunk + 1)) / chunks), ...extra) ?? 0;
      Atomics.add(words, DONE, 1);
    }
    while (Atomics.load(words, DONE) < chunks);
    return bad | Atomics.load(words, BAD);
  }

  close(): void {
    for (const helper of this.#helpers) helper.end();
  }
}
