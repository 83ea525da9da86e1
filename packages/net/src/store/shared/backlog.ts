import type { AnsweredRequest } from "./member.ts";

/** Something asked and not answered yet. */
export interface Open {
  readonly id: number;
  readonly ask: unknown;
  /** The owner that it was sent to last. */
  sentTo: string | null;
  repeated: boolean;
}

interface Waiting extends Open {
  readonly resolve: (answered: AnsweredRequest) => void;
  readonly reject: (error: unknown) => void;
}

/** What a tab has asked and nobody has answered, in order: each owner in turn is asked all of it, until one answers. */
export class Backlog {
  readonly #open = new Map<number, Waiting>();
  #count = 0;
  #idle: (() => void)[] = [];

  add(ask: unknown): { readonly open: Open; readonly answered: Promise<AnsweredRequest> } {
    const id = this.#count++;
    let open!: Waiting;
    const answered = new Promise<AnsweredRequest>((resolve, reject) => {
      open = { id, ask, sentTo: null, repeated: false, resolve, reject };
    });
    this.#open.set(id, open);
    return { open, answered };
  }

  /** In the order in which they were asked. */
  [Symbol.iterator](): Iterator<Open> {
    return [...this.#open.values()][Symbol.iterator]();
  }

  /** What `owner` has not been sent yet; from now on it has. */
  for(owner: string): Open[] {
    const unsent = [...this.#open.values()].filter(({ sentTo }) => sentTo !== owner);
    for (const open of unsent) {
      open.repeated ||= open.sentTo !== null;
      open.sentTo = owner;
    }
    return unsent;
  }

  answer(id: number, answer: unknown): void {
    this.#close(id, ({ resolve, repeated }) => resolve({ answer, repeated }));
  }

  refuse(id: number, error: unknown): void {
    this.#close(id, ({ reject }) => reject(error));
  }

  refuseAll(error: unknown): void {
    for (const id of [...this.#open.keys()]) this.refuse(id, error);
  }

  /** Resolves when all is answered. */
  idle(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  #close(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.#open.get(id);
    if (waiting === undefined) return;
    this.#open.delete(id);
    how(waiting);
    if (this.#open.size === 0) for (const done of this.#idle.splice(0)) done();
  }
}
