import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@coterie/core";
import type { RewardAnswer } from "@coterie/net/internal";

export const DIMENSION = 8;
const ITEMS = 6;
/** A request that has no answer by then has none. */
const PATIENCE_MS = 4000;
/** Between two choices. */
const PACE_MS = [150, 600] as const;

/** What a user is told by a peer's API. */
interface Chosen {
  readonly choices: readonly { readonly id: string; readonly index: number }[];
}
interface Rewarded {
  readonly result: RewardAnswer;
}

/** An item that was chosen and what it was worth. */
export interface Observation {
  readonly x: readonly number[];
  readonly reward: number;
}

/** How to reach a peer's API now; null while it has no process. */
export type PeerApi = () => { readonly url: string; readonly token: string } | null;

/** One person with one peer: chooses, tells rewards, now and then twice, and again until there is an answer. */
export class User {
  /** What the peer has acknowledged, by the choice's id. */
  readonly acknowledged = new Map<string, Observation>();
  /** Choices that the peer no longer knew: it said so, and learnt nothing from them. */
  forgotten = 0;
  /** Requests that failed. */
  unanswered = 0;
  /** What a peer must never say. */
  readonly complaints: string[] = [];
  readonly #owed = new Map<string, Observation & { asked: number }>();
  #stopped = false;
  #life: Promise<void> = Promise.resolve();

  constructor(
    readonly door: PeerApi,
    readonly random: Random,
  ) {}

  start(): void {
    this.#life = this.#live();
  }

  /** Makes no further choice. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#life;
  }

  get owes(): number {
    return this.#owed.size;
  }

  /** Tells every reward that has no answer yet, once. */
  async settle(): Promise<void> {
    for (const id of [...this.#owed.keys()]) await this.#tell(id);
  }

  async #live(): Promise<void> {
    while (!this.#stopped) {
      await sleep(PACE_MS[0] + (PACE_MS[1] - PACE_MS[0]) * this.random.uniform());
      try {
        await this.#choose();
        // Some rewards come late.
        for (const id of [...this.#owed.keys()]) if (this.random.uniform() < 0.8) await this.#tell(id);
        if (this.random.uniform() < 0.1) await this.#tellAgain();
      } catch {
        this.unanswered += 1;
      }
    }
  }

  async #choose(): Promise<void> {
    const items = Array.from({ length: ITEMS }, () => this.#item());
    const { choices } = await this.#ask<Chosen>("/choose", { items });
    const [{ id, index }] = choices as [Chosen["choices"][number]];
    const x = items[index] ?? [];
    this.#owed.set(id, { x, reward: (x[0] ?? 0) > 0 && this.random.uniform() < 0.8 ? 1 : 0, asked: 0 });
  }

  #item(): number[] {
    const x = Array.from({ length: DIMENSION }, () => this.random.normal());
    const length = Math.hypot(...x) * (1 + 1e-12);
    return x.map((value) => value / length);
  }

  async #tell(id: string): Promise<void> {
    const owed = this.#owed.get(id);
    if (owed === undefined) return;
    owed.asked += 1;
    const { result } = await this.#ask<Rewarded>("/reward", { id, reward: owed.reward });
    this.#owed.delete(id);
    if (result === "duplicate" && owed.asked === 1) this.complaints.push(`a reward told once was a duplicate (${id})`);
    if (result === "learned" || result === "duplicate") this.acknowledged.set(id, owed);
    else this.forgotten += 1;
  }

  /** A reward that was acknowledged is known, and not learnt again. */
  async #tellAgain(): Promise<void> {
    const known = [...this.acknowledged.keys()].slice(-200);
    const id = known[this.random.below(Math.max(1, known.length))];
    if (id === undefined) return;
    const { result } = await this.#ask<Rewarded>("/reward", { id, reward: this.acknowledged.get(id)?.reward });
    if (result !== "duplicate") this.complaints.push(`an acknowledged reward told again was ${result} (${id})`);
  }

  async #ask<T>(path: string, body: unknown): Promise<T> {
    const door = this.door();
    if (door === null) throw new Error("no process");
    return ask<T>(door, path, body);
  }
}

/** Asks a peer's API; throws where there is no good answer. */
export async function ask<T>(
  { url, token }: NonNullable<ReturnType<PeerApi>>,
  path: string,
  body?: unknown,
): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { headers, ...post, signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
