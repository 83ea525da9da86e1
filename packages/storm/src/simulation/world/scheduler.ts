interface Event {
  readonly time: number;
  readonly order: number;
  action: (() => void) | null;
}

/** Beyond this many events that wait, something floods. */
export const MOST_EVENTS = 50_000;

/**
 * Time that passes only from event to event, in ms. Events run in the order of their time, then of their making. After
 * each one all that needs no further time, promises above all, is finished before the next begins: so the order of
 * everything follows from the seed.
 */
export class Scheduler {
  now = 0;
  readonly #heap: Event[] = [];
  #made = 0;

  get waiting(): number {
    return this.#heap.length;
  }

  /** Calls back once, `delayMs` from now; returns a way to stop that. */
  after(delayMs: number, action: () => void): () => void {
    const event: Event = { time: this.now + Math.max(0, delayMs), order: this.#made++, action };
    this.#push(event);
    return () => {
      event.action = null;
    };
  }

  /** Runs until `end`, or until `done` holds after an event. */
  run(end: number, done: () => boolean = () => false): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        try {
          // At the end the loop itself goes round, so that whoever started the run is heard.
          if (done() || !this.#step(end)) setImmediate(resolve);
          else NOW.then(settle);
        } catch (error) {
          reject(error);
        }
      };
      // What waits for the next tick, asked for by a promise, comes when no promise has anything left to do.
      const settle = (): void => process.nextTick(turn);
      turn();
    });
  }

  /** The same where nothing is promised, so that nothing need be waited for. */
  runThrough(end: number): void {
    while (this.#step(end)) {}
  }

  /** Runs the next event before `end`; false where there is none. */
  #step(end: number): boolean {
    while (this.#heap.length > 0 && this.#heap[0]!.time <= end) {
      const { time, action } = this.#pop();
      if (action === null) continue;
      this.now = time;
      action();
      return true;
    }
    this.now = Math.max(this.now, end);
    return false;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!earlier(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Event {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && earlier(heap[child + 1]!, heap[child]!)) child += 1;
      if (!earlier(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const NOW = Promise.resolve();

const earlier = (a: Event, b: Event): boolean => a.time < b.time || (a.time === b.time && a.order < b.order);
